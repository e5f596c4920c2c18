"""Minimizes or maximizes a Python function by a race or a search.

optimize.py   `minimize` and `maximize`; creates, resumes, or extends the log
arguments.py  their arguments as a scenario
callbacks.py  the events of callbacks, and how callbacks stop a run
result.py     the result of a run, also as a data frame
"""

from racing.embed.callbacks import Decided, Ended, Event, Heard
from racing.embed.optimize import maximize, minimize
from racing.embed.result import Result

__all__ = ["Decided", "Ended", "Event", "Heard", "Result", "maximize", "minimize"]
