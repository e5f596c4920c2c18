"""One race, as ask / tell: no I/O, no clock, no pool.

race.py         the race itself
arguments.py    what it is made of, checked
agenda.py       what a row is, and when tests are due
latecomers.py   who joined after the start, until they have caught up
handout.py      hands out experiments, each once
judging.py      from what a rule says to what a race does
limits.py       when a race may not go on
pace.py         how many evaluations the time that is left will cover
stop.py         why a race ended
table.py        the growing matrix of costs
"""

from racing.race.race import Race
from racing.race.stop import Stop

__all__ = ["Race", "Stop"]
