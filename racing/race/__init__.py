"""One race, as ask / tell: no I/O, no clock, no pool.

race.py         the conversation: ask, tell, lost, join
state.py        what a race has come to, and everything that changes it
setup.py        what it is a function of, besides candidates and outcomes
arguments.py    what it is made of, checked
row.py          the row that is being filled
schedule.py     when tests are due
challengers.py  candidates that entered after the start, until they have caught up
task_queue.py   hands out experiments, each once unless it is lost
verdicts.py     applies what a rule says to a race
limits.py       when a race may not go on
table.py        the growing matrix of costs
"""

from racing.race.race import Race
from racing.stop import Stop

__all__ = ["Race", "Stop"]
