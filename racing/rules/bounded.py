"""Helpers of rules with bounds for means of scores in a known range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.core.field import row_ranks
from racing.core.objective import Objective, standing
from racing.core.results import Results
from racing.core.verdict import Verdict, against_leader


@dataclass(frozen=True, eq=False)
class Differences:
    """The score differences of every survivor to the leader on each instance, within ± `width`.

    Attributes
    ----------
    d : (n, k) array
        Score minus the leader's.
    width
        The range of the scores.
    leader
        The leader's column.
    looks
        n(n + 1): a level divided by it holds over all n, since Σ 1/(n(n + 1)) = 1.
    rivals
        The number of other candidates that ever entered.
    """

    d: NDArray[np.float64]
    width: float
    leader: int
    looks: float
    rivals: int

    @classmethod
    def of(cls, results: Results, objective: Objective, width: float | None) -> Differences:
        """With `rank`, from ranks among those alive at the time, from 0 for first to 1 for last.

        With `mean`, from costs; the default `width` is the range of the finite costs so far.
        """
        leader = int(standing(results, objective)[0])
        if objective == "rank":
            y, width = _unit_ranks(results), 1.0
        else:
            finite = results.block[np.isfinite(results.block)]
            worst = float(finite.max()) if finite.size else 0.0
            width = width or (float(np.ptp(finite)) if finite.size else 0.0) or 1.0
            y = np.where(np.isfinite(results.block), results.block, worst + width)
        n = len(y)
        d = np.clip(y - y[:, [leader]], -width, width)
        return cls(d, width, leader, n * (n + 1.0), max(len(results.candidates) - 1, 1))

    def beyond(self, results: Results, radius: NDArray[np.float64]) -> Verdict:
        """Eliminate every candidate whose mean difference exceeds its radius."""
        mean = self.d.mean(axis=0)
        return against_leader(
            results,
            self.leader,
            [i for i in np.flatnonzero(mean > radius) if i != self.leader],
            measure="difference",
            value=mean,
            threshold=radius,
            statistic=mean / self.width,
        )


def _unit_ranks(results: Results) -> NDArray[np.float64]:
    """(n', k) ranks of the survivors among those that ran on each instance, scaled to [0, 1].

    Only those that ran count: a bound for sums of past and future differences needs ranks that do
    not change after an instance is complete, and estimates do. On a past instance, a challenger is
    ranked among those that were alive then, with the other challengers.
    """
    ranks = row_ranks(results.shared)
    ran = np.count_nonzero(~np.isnan(ranks), axis=1, keepdims=True)
    unit: NDArray[np.float64] = (ranks[:, results.survivors] - 1) / np.maximum(ran - 1, 1)
    return unit
