"""All rules by their names in scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import racing.rules
from racing.base.records.unions import ByName
from racing.rules.rule import Rule

_CLASSES = {
    "auto": "Auto",
    "bayes": "Bayes",
    "bernstein": "Bernstein",
    "bets": "Bets",
    "correlated-bayes": "CorrelatedBayes",
    "correlated-sequential": "CorrelatedSequential",
    "correlated-t": "CorrelatedT",
    "f-test": "FTest",
    "hoeffding": "Hoeffding",
    "mean-ranks": "MeanRanks",
    "none": "Keep",
    "poisson-binomial": "PoissonBinomial",
    "sign": "Sign",
    "successive-halving": "SuccessiveHalving",
    "successive-rejects": "SuccessiveRejects",
    "t-test": "TTest",
    "wilcoxon": "Wilcoxon",
}


class _Rules(Mapping[str, type[Rule]]):
    """Name → rule; each is imported at its first use, since most need a part of the statistics."""

    def __getitem__(self, name: str) -> type[Rule]:
        found: type[Rule] = getattr(racing.rules, _CLASSES[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)

    def __contains__(self, name: object) -> bool:
        return name in _CLASSES


RULES: Mapping[str, type[Rule]] = _Rules()
"""All rules, by their names in scenarios."""

RULE = ByName("rule", lambda: RULES)
"""How files and arguments write a rule."""


def name_of(rule: Rule | None) -> str | None:
    """The name of a rule of this package in scenarios; None for others.

    Only a rule of the same class name is imported to find it.
    """
    own = type(rule).__name__
    alike = (name for name, rule_class in _CLASSES.items() if rule_class == own)
    return next((name for name in alike if RULES[name] is type(rule)), None)
