"""The order of candidates that rules, leaders and the final choice share."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.core.means import plain_means
from racing.core.results import Results

Objective = Literal["rank", "mean"]


def yes_or_no(costs: NDArray[np.float64]) -> bool:
    """Whether costs are right or wrong answers: 0 or 1, or their negatives, and both occur.

    NaN (did not run) and +inf (failed) are left out.
    """
    return bool(np.array_equal(np.unique(np.abs(costs[np.isfinite(costs)])), [0, 1]))


def merits(results: Results, objective: Objective) -> NDArray[np.float64]:
    """(k, 2) sort keys of the survivors; lower is better, the first key decides first.

    `rank`: the mean rank among all candidates, over the instances that all survivors have seen;
    then the mean of the finite costs. `mean`: the number of failures, then the estimated mean of
    the finite costs (`racing.core.means`). A failure that stays infinite in `judged` is worse than
    any number.
    """
    if objective == "rank":
        # rounded, so that rounding errors do not separate tied candidates
        ranks = results.field_ranks.mean(axis=0).round(10)
        return np.column_stack([ranks, plain_means(results.block)])
    return np.column_stack([failures(results), results.mean_costs])


def failures(results: Results) -> NDArray[np.intp]:
    """(k,) failures of each survivor on the instances that all survivors have seen."""
    return np.asarray(np.isinf(results.block).sum(axis=0))


def standing(results: Results, objective: Objective, *, margin: float = 0.0) -> NDArray[np.intp]:
    """The survivors, as columns of `results.block`, best first.

    Equal merits are ordered by costs, instance by instance; only identical columns are ordered by
    their place. With several metrics, the goal says what merits are.
    """
    results = results.judged
    own = None if results.goal is None else results.goal.merits(results, margin=margin)
    keys = merits(results, objective) if own is None else own
    order = np.lexsort(keys.T[::-1])
    tied = (keys[order][1:] == keys[order][:-1]).all(axis=1)  # all-failed ones tie at +inf
    return np.lexsort((*results.block[::-1], *keys.T[::-1])) if tied.any() else order
