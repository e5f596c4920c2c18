"""One race, as ask / tell: no I/O, no clock, no pool.

race.py         the race itself
arguments.py    what it is made of, checked
schedule.py     what a row is, and when tests are due
challengers.py  candidates that entered after the start, until they have caught up
task_queue.py   hands out experiments, each once
verdicts.py     applies what a rule says to a race
limits.py       when a race may not go on
table.py        the growing matrix of costs
"""

from racing.race.race import Race
from racing.stop import Stop

__all__ = ["Race", "Stop"]
