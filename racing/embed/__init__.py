"""Minimizes or maximizes a Python function by a race or a search.

optimize.py   `minimize` and `maximize`
arguments.py  their arguments as a scenario
open_log.py   creates, resumes, or extends the log
callbacks.py  the events of callbacks, and how callbacks stop a run
result.py     the result of a run
frames.py     the result as a data frame
"""

from racing.embed.callbacks import Decided, Ended, Event, Heard
from racing.embed.optimize import maximize, minimize
from racing.embed.result import Result

__all__ = ["Decided", "Ended", "Event", "Heard", "Result", "maximize", "minimize"]
