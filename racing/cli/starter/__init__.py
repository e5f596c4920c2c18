"""The files of this folder, which `racing init` writes."""
