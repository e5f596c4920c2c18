"""One race, as ask / tell: no I/O, no clock, no pool.

race.py         the public class: ask, tell, lost, join
answer.py       its ranking, and whether the best wins over the default
setup.py        its settings, besides candidates and outcomes
arguments.py    reads and checks its arguments
state.py        the state of a race, and all changes to it
row.py          the row that is being filled, and candidates that catch up
table.py        the growing matrix of costs
judging.py      when tests are due, and how a verdict is applied
limits.py       what the budget still covers
supply.py       which experiments are handed out: certain ones, then the most likely
speculation.py  the chance that an evaluation is needed, and the expected number
"""

from racing.core.stop import Stop
from racing.race.race import Race

__all__ = ["Race", "Stop"]
