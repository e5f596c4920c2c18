"""The race loop inside programs of one's own; see README.md."""
