"""Wilcoxon's signed-ranks test against the leader, as Optuna prunes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing import stats
from racing.objective import standing
from racing.quantities import Level
from racing.records import Checked
from racing.results import Results
from racing.rules.rule import Outlook
from racing.rules.verdict import Verdict, eliminations


@dataclass(frozen=True, kw_only=True)
class Wilcoxon(Checked):
    """Everybody leaves whom a one-sided Wilcoxon signed-ranks test calls worse than the leader.

    This is what Optuna's `WilcoxonPruner` does against the best trial so far, at a level of .1. The
    test looks at the sizes of differences of costs and assumes that they are symmetric under
    equality and comparable across instances; a failure is the largest difference of all. Zero
    differences are shared by both sides, as there. There is no omnibus test, and the level is kept
    neither over candidates nor over repeated looks.

    Attributes
    ----------
    alpha
        Level of each test.
    """

    alpha: Level = 0.05

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        block = results.block
        leader, *rest = standing(results, outlook.objective)
        columns = block.T[rest]
        best = np.repeat(block.T[[leader]], len(rest), axis=0)
        p, wins = np.ones(len(block.T)), np.zeros(len(block.T))
        p[rest] = stats.wilcoxon_p(best, columns, alternative="better")
        wins[rest] = (best < columns).sum(axis=1)
        return Verdict(
            instances=len(block),
            leader=results.id(int(leader)),
            eliminated=eliminations(
                results,
                [i for i in rest if p[i] < self.alpha],
                against=leader,
                measure="p-value",
                value=p,
                threshold=self.alpha,
                statistic=wins,
            ),
        )
