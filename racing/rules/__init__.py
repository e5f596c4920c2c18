"""Elimination rules: one a file, each a frozen value that is called with what a race has seen.

verdict.py    what a rule says, and why
rule.py       what every rule is
gates.py      omnibus tests
dominated.py  from pairwise evidence to eliminations
sign.py  …    the rules
"""

from racing.rules.bayes import Bayes
from racing.rules.mean_ranks import MeanRanks
from racing.rules.none import Keep
from racing.rules.rule import Outlook, Rule
from racing.rules.sign import Sign
from racing.rules.verdict import Elimination, Gate, Reason, Verdict

RULES: dict[str, type[Rule]] = {
    "bayes": Bayes,
    "mean-ranks": MeanRanks,
    "none": Keep,
    "sign": Sign,
}
"""Every rule by the name that scenarios use."""

__all__ = [
    "RULES",
    "Bayes",
    "Elimination",
    "Gate",
    "Keep",
    "MeanRanks",
    "Outlook",
    "Reason",
    "Rule",
    "Sign",
    "Verdict",
]
