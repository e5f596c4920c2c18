"""Elimination rules, one per file; each is a frozen dataclass that is called with the results.

rule.py        the protocol of all rules
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

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from racing.core.verdict import Elimination, Gate, Reason, Verdict
from racing.rules.rule import Outlook, Rule

if TYPE_CHECKING:
    from racing.rules.auto import Auto
    from racing.rules.bayes import Bayes
    from racing.rules.bernstein import Bernstein
    from racing.rules.bets import Bets
    from racing.rules.correlated_bayes import CorrelatedBayes
    from racing.rules.correlated_sequential import CorrelatedSequential
    from racing.rules.correlated_t import CorrelatedT
    from racing.rules.f_test import FTest
    from racing.rules.halving import SuccessiveHalving
    from racing.rules.hoeffding import Hoeffding
    from racing.rules.mean_ranks import MeanRanks
    from racing.rules.none import Keep
    from racing.rules.poisson_binomial import PoissonBinomial
    from racing.rules.rejects import SuccessiveRejects
    from racing.rules.sign import Sign
    from racing.rules.t_test import TTest
    from racing.rules.wilcoxon import Wilcoxon

_PLACES = {
    "auto": "auto.Auto",
    "bayes": "bayes.Bayes",
    "bernstein": "bernstein.Bernstein",
    "bets": "bets.Bets",
    "correlated-bayes": "correlated_bayes.CorrelatedBayes",
    "correlated-sequential": "correlated_sequential.CorrelatedSequential",
    "correlated-t": "correlated_t.CorrelatedT",
    "f-test": "f_test.FTest",
    "hoeffding": "hoeffding.Hoeffding",
    "mean-ranks": "mean_ranks.MeanRanks",
    "none": "none.Keep",
    "poisson-binomial": "poisson_binomial.PoissonBinomial",
    "sign": "sign.Sign",
    "successive-halving": "halving.SuccessiveHalving",
    "successive-rejects": "rejects.SuccessiveRejects",
    "t-test": "t_test.TTest",
    "wilcoxon": "wilcoxon.Wilcoxon",
}


class _Rules(Mapping[str, type[Rule]]):
    """Name → rule; each is imported at its first use, since most need a part of the statistics."""

    def __getitem__(self, name: str) -> type[Rule]:
        module, _, rule = _PLACES[name].partition(".")
        found: type[Rule] = getattr(import_module(f"racing.rules.{module}"), rule)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)

    def __contains__(self, name: object) -> bool:
        return name in _PLACES


RULES: Mapping[str, type[Rule]] = _Rules()
"""All rules, by their names in scenarios."""


def name_of(rule: Rule | None) -> str | None:
    """The name of a rule of this package in scenarios; None for others.

    Only a rule of the same class name is imported to find it.
    """
    own = f".{type(rule).__name__}"
    alike = (name for name, place in _PLACES.items() if place.endswith(own))
    return next((name for name in alike if RULES[name] is type(rule)), None)


def __getattr__(name: str) -> Any:
    """The rule of this name."""
    for place in _PLACES.values():
        module, _, rule = place.partition(".")
        if rule == name:
            return getattr(import_module(f"racing.rules.{module}"), rule)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "RULES",
    "Auto",
    "Bayes",
    "Bernstein",
    "Bets",
    "CorrelatedBayes",
    "CorrelatedSequential",
    "CorrelatedT",
    "Elimination",
    "FTest",
    "Gate",
    "Hoeffding",
    "Keep",
    "MeanRanks",
    "Outlook",
    "PoissonBinomial",
    "Reason",
    "Rule",
    "Sign",
    "SuccessiveHalving",
    "SuccessiveRejects",
    "TTest",
    "Verdict",
    "Wilcoxon",
]
