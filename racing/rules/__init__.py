"""Elimination rules, one per file; each is a frozen dataclass that is called with the results.

rule.py        the protocol of all rules
names.py       all rules by their names in scenarios
f_race.py      omnibus tests, and from tests of pairs to eliminations
scores.py      scores that a rule can average over instances
bounded.py     scores of a known range
betting.py     weights, payoffs and wealth of bets
schedule.py    rules that depend on the budget alone
plan.py        the number of survivors in a budget that is spent evenly
gain.py        the expected gain from evaluating a candidate further
correlated.py  differences to the leader on dependent instances
front.py       the default rule where the objective is a front
front_bets.py  bets where the objective is a front
equals.py      merges candidates that do not differ, for every rule
forecast.py    the course of a race, predicted from its budget
sign.py  …     the rules
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
