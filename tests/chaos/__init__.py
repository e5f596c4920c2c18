"""Random faults over a race and a search: `python -m tests.chaos`."""
