"""One race, as ask / tell: no I/O, no clock, no pool.

race.py         the public class: ask, tell, lost, join
state.py        the state of a race, and all changes to it
setup.py        its settings, besides candidates and outcomes
answer.py       its ranking, and whether the best wins over the default
arguments.py    reads and checks its arguments
row.py          the row that is being filled
challengers.py  candidates that entered after the start, until they have caught up
task_queue.py   hands out experiments, each once unless it is lost
judging.py      when tests are due, and how a verdict is applied
limits.py       what the budget still covers
supply.py       which experiments are handed out: certain ones, then the most likely
speculation.py  the chance that an evaluation is needed, and the expected number
prices.py       whether the next rows fit into budgets of money and of tokens
refusals.py     checks of outcomes and of candidates that join
table.py        the growing matrix of costs
"""

from racing.core.stop import Stop
from racing.race.race import Race

__all__ = ["Race", "Stop"]
