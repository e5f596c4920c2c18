"""The files that `racing init` writes: `target.py` and `race.yaml`."""
