"""Elimination rules; each is a frozen dataclass that is called with the results.

rule.py        the protocol of all rules, and the base of those of this package
names.py       all rules by their names in scenarios
auto.py        the default rule
front.py       the default rule where the objective is a front
plan.py        the number of survivors in a budget that is spent evenly
gain.py        the expected gain from evaluating a candidate further
f_race.py      omnibus tests, and from tests of pairs to eliminations; `mean-ranks`
bounded.py     scores of a known range: `hoeffding`, `bernstein`
schedule.py    what depends on the budget alone: `successive-halving`, `successive-rejects`
correlated.py  dependent instances: `correlated-t`, `correlated-bayes`, `correlated-sequential`
dependence.py  the effective size of dependent instances
bets.py        `bets`, of one cost and of a front
sign, f_test, t_test, wilcoxon, poisson_binomial, none
               the rules of these names
scores.py      scores that a rule can average over instances
equals.py      merges candidates that do not differ, for every rule
forecast.py    the course of a race, predicted from its budget
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
