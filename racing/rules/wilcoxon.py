"""Wilcoxon's signed-ranks test against the leader, as in Optuna's pruner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from racing import stats
from racing.base.quantities import Level
from racing.core.results import Results
from racing.core.verdict import Elimination, eliminations
from racing.rules.rule import Outlook, Places, RuleBase


@dataclass(frozen=True, kw_only=True)
class Wilcoxon(RuleBase):
    """Wilcoxon's one-sided signed-ranks test of every candidate against the leader.

    Optuna's `WilcoxonPruner` tests the same against the best trial so far, at a level of .1. The
    test uses the sizes of differences of costs and assumes that they are symmetric under equality
    and comparable across instances; a failure is the largest difference. Zero differences are split
    between both sides, as there. There is no omnibus test, and the level holds neither over
    candidates nor over repeated looks.

    Attributes
    ----------
    alpha
        Level of each test.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import Wilcoxon
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Wilcoxon())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    alpha: Level = 0.05

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate candidates that are significantly worse than the leader."""
        columns, (leader, *rest) = results.block.T, order
        best = np.repeat(columns[[leader]], len(rest), axis=0)
        p = stats.wilcoxon(best, columns[rest], alternative="better").pvalue
        p_values = dict(zip(rest, p, strict=True))
        wins = (columns[leader] < columns).sum(axis=1).astype(np.float64)
        gone = [i for i in rest if p_values[i] < self.alpha]
        return eliminations(results, gone, leader, "p-value", p_values, self.alpha, wins)
