"""One race, as ask / tell: no I/O, no clock, no pool.

race.py     the race itself
agenda.py   which rows are due, and when the next test is
table.py    the growing matrix of costs
stop.py     why a race ended
"""

from racing.race.race import Race
from racing.race.stop import Stop

__all__ = ["Race", "Stop"]
