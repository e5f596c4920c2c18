"""From a run's log to facts, ready to be shown; facts compute, nothing here draws or prints."""

from racing.report.facts import Facts, gather

__all__ = ["Facts", "gather"]
