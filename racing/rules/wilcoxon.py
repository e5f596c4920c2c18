"""Wilcoxon's signed-ranks test against the leader, as in Optuna's pruner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing import stats
from racing.base.quantities import Level
from racing.base.records import Checked
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Verdict, against_leader
from racing.rules.rule import Outlook


@dataclass(frozen=True, kw_only=True)
class Wilcoxon(Checked):
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

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` is not used."""
        block = results.block
        leader, *rest = standing(results, outlook.objective)
        columns = block.T[rest]
        best = np.repeat(block.T[[leader]], len(rest), axis=0)
        p, wins = np.ones(len(block.T)), np.zeros(len(block.T))
        p[rest] = stats.wilcoxon(best, columns, alternative="better").pvalue
        wins[rest] = (best < columns).sum(axis=1)
        return against_leader(
            results,
            leader,
            [i for i in rest if p[i] < self.alpha],
            measure="p-value",
            value=p,
            threshold=self.alpha,
            statistic=wins,
        )
