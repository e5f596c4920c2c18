"""What `make` calls; nothing here is part of the package."""
