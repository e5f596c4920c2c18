"""One function for the common case: minimize or maximize a Python function by a race or a search.

optimize.py   `minimize` and `maximize`
arguments.py  what they are given, as a scenario
book.py       the log: made, gone on with, or extended
callbacks.py  the events that callbacks hear, and how they stop a run
result.py     what a run came to
frames.py     the same as a data frame
"""

from racing.embed.callbacks import Decided, Ended, Event, Heard
from racing.embed.optimize import maximize, minimize
from racing.embed.result import Result

__all__ = ["Decided", "Ended", "Event", "Heard", "Result", "maximize", "minimize"]
