"""The t-race: paired t-tests against the leader, as in irace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing import stats
from racing.base.quantities import Level
from racing.core.results import Results
from racing.core.verdict import Elimination, eliminations
from racing.rules.rule import Outlook, Places, RuleBase
from racing.rules.scores import plain_scores

_EQUAL = 1.5e-8  # relative; closer means count as equal


@dataclass(frozen=True, kw_only=True)
class TTest(RuleBase):
    """irace's t-tests.

    A candidate is dropped if it is significantly worse than the leader by a two-sided paired
    t-test. A candidate that is worse on every instance gets p = 0 without a test; one with the
    leader's mean gets p = 1. There is no omnibus test, and the level does not hold over repeated
    looks.

    The test uses the scores of the objective: costs with `mean`, as in irace, where a failure
    counts as one range for each instance above the worst cost; ranks among all candidates with
    `rank`. A candidate with a mean below the leader's stays in any case. irace also sets p = 0 if
    the costs of either do not vary, and if the leader is never worse but sometimes tied; here the
    t-test decides. Right-or-wrong costs tie on most instances, so p = 0 would drop a candidate
    after a single difference.

    Attributes
    ----------
    alpha
        Level of each test, or of the family of tests at one look with a correction.
    correction
        For the number of candidates: `none`, `holm` or `bonferroni`.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import TTest
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=TTest())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    alpha: Level = 0.05
    correction: Literal["none", "holm", "bonferroni"] = "none"

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate candidates that are significantly worse than the leader."""
        leader = int(order[0])
        y = plain_scores(results, outlook.objective)
        p = self._p_values(results.block, y, leader)
        behind = (mean := y.mean(axis=0)) - mean[leader]
        gone = np.flatnonzero((p < self.alpha) & (behind > 0))
        return eliminations(results, gone, leader, "p-value", p, self.alpha, behind)

    def _p_values(
        self, block: NDArray[np.float64], y: NDArray[np.float64], leader: int
    ) -> NDArray[np.float64]:
        """(k,) adjusted p-values; the leader's own, 1, is one of them, as in irace."""
        n, k = y.shape
        if n < 2:
            return np.ones(k)
        mean, columns = y.mean(axis=0), y.T
        best = np.repeat(columns[[leader]], k, axis=0)
        p = stats.paired_t(best, columns).pvalue
        p[(block[:, [leader]] < block).all(axis=0)] = 0.0
        p[np.abs(mean - mean[leader]) <= _EQUAL * abs(mean[leader])] = 1.0
        return stats.adjust(p, self.correction)
