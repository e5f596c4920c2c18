"""The t-race: paired t-tests against the leader, as irace runs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing import stats
from racing.objective import standing
from racing.quantities import Level
from racing.records import Checked
from racing.results import Results
from racing.rules.rule import Outlook
from racing.rules.scores import plain_scores
from racing.rules.verdict import Verdict, eliminations

_EQUAL = 1.5e-8  # relative; two means as close as this are one


@dataclass(frozen=True, kw_only=True)
class TTest(Checked):
    """irace's t-tests.

    Everybody leaves who is significantly worse than the leader by a two-sided paired t-test. Who
    was never better than the leader counts as p = 0, untested; whose mean equals the leader's, as
    p = 1. There is no omnibus test, and the level is not kept over repeated looks.

    The test is of what the objective averages: costs with `mean`, as in irace, where a failure
    counts as one range for each instance above the worst cost; ranks in the whole field with
    `rank`. Whose mean is below the leader's stays, whatever the test says. irace also sets p = 0
    where the costs of either do not vary; here the t-test answers.

    Attributes
    ----------
    alpha
        Level of each test, or of the family of tests at one look if there is a correction.
    correction
        For the number of candidates: `none`, `holm` or `bonferroni`.
    """

    alpha: Level = 0.05
    correction: Literal["none", "holm", "bonferroni"] = "none"

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        block = results.block
        leader = int(standing(results, outlook.objective)[0])
        y = plain_scores(results, outlook.objective)
        p = self._p_values(block, y, leader)
        mean = y.mean(axis=0)
        return Verdict(
            instances=len(block),
            leader=results.id(leader),
            eliminated=eliminations(
                results,
                np.flatnonzero((p < self.alpha) & (mean > mean[leader])),
                against=leader,
                measure="p-value",
                value=p,
                threshold=self.alpha,
                statistic=mean - mean[leader],
            ),
        )

    def _p_values(
        self, block: NDArray[np.float64], y: NDArray[np.float64], leader: int
    ) -> NDArray[np.float64]:
        """(k,) adjusted p-values; the leader's own, 1, is one of them, as in irace."""
        n, k = y.shape
        if n < 2:
            return np.ones(k)
        mean, columns = y.mean(axis=0), y.T
        best = np.repeat(columns[[leader]], k, axis=0)
        p = stats.paired_t_p(best, columns, difference="absolute")
        p[(block[:, [leader]] <= block).all(axis=0)] = 0.0
        p[np.abs(mean - mean[leader]) <= _EQUAL * abs(mean[leader])] = 1.0
        return stats.adjust(p, self.correction)
