"""Elimination rules: one a file, each a frozen value that is called with what a race has seen.

verdict.py    what a rule says, and why
rule.py       what every rule is
gates.py      omnibus tests
dominated.py  from pairwise evidence to eliminations
scores.py     what a rule can average over instances
bounded.py    scores of a known range
betting.py    weights, payoffs and wealth of bets
schedule.py   rules that go by the budget alone
plan.py       how many have a place in a budget that is spent evenly
gain.py       what a candidate is worth
equals.py     merges who cannot be told apart, whatever the rule
forecast.py   what a budget will buy
sign.py  …    the rules
"""

from racing.rules.auto import Auto
from racing.rules.bayes import Bayes
from racing.rules.bernstein import Bernstein
from racing.rules.bets import Bets
from racing.rules.f_test import FTest
from racing.rules.halving import SuccessiveHalving
from racing.rules.hoeffding import Hoeffding
from racing.rules.mean_ranks import MeanRanks
from racing.rules.none import Keep
from racing.rules.rejects import SuccessiveRejects
from racing.rules.rule import Outlook, Rule
from racing.rules.sign import Sign
from racing.rules.t_test import TTest
from racing.rules.verdict import Elimination, Gate, Reason, Verdict
from racing.rules.wilcoxon import Wilcoxon

RULES: dict[str, type[Rule]] = {
    "auto": Auto,
    "bayes": Bayes,
    "bernstein": Bernstein,
    "bets": Bets,
    "f-test": FTest,
    "hoeffding": Hoeffding,
    "mean-ranks": MeanRanks,
    "none": Keep,
    "sign": Sign,
    "successive-halving": SuccessiveHalving,
    "successive-rejects": SuccessiveRejects,
    "t-test": TTest,
    "wilcoxon": Wilcoxon,
}
"""Every rule by the name that scenarios use."""

__all__ = [
    "RULES",
    "Auto",
    "Bayes",
    "Bernstein",
    "Bets",
    "Elimination",
    "FTest",
    "Gate",
    "Hoeffding",
    "Keep",
    "MeanRanks",
    "Outlook",
    "Reason",
    "Rule",
    "Sign",
    "SuccessiveHalving",
    "SuccessiveRejects",
    "TTest",
    "Verdict",
    "Wilcoxon",
]
