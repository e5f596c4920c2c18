"""What "best" means: the one ordering that rules, leaders and the final choice share."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.results import Results

Objective = Literal["rank", "mean"]

Direction = Literal["minimize", "maximize"]
"""What a user's scores mean; inside there are costs, and lower is better."""


def merits(results: Results, objective: Objective) -> NDArray[np.float64]:
    """(k, 2) sort keys of the survivors, the first deciding; low wins.

    `rank`: the mean rank among all candidates, over the instances that all survivors have seen.
    `mean`: the number of failures, then the mean of the finite costs, which is the order of mean
    costs when a failure is worse than any number.
    """
    costs = _mean_costs(results.block)
    if objective == "rank":
        # rounded, so that the error of an estimate cannot come between two who are tied
        ranks = results.field_ranks.mean(axis=0).round(10)
        return np.column_stack([ranks, costs[:, 1]])
    return costs


def standing(results: Results, objective: Objective) -> NDArray[np.intp]:
    """The survivors, as columns of `results.block`, best first.

    Who has equal merits is ordered by costs, instance by instance, so that only identical columns
    are told apart by their place.
    """
    keys = merits(results, objective)
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    tied = (np.diff(keys[order], axis=0) == 0).all(axis=1)
    return np.lexsort((*results.block[::-1], keys[:, 1], keys[:, 0])) if tied.any() else order


def _mean_costs(block: NDArray[np.float64]) -> NDArray[np.float64]:
    """(k, 2): how many costs are infinite, and the mean of the others (0 where there is none)."""
    failed = np.isinf(block)
    finite = np.where(failed, 0.0, block)
    runs = np.maximum(len(block) - failed.sum(axis=0), 1)
    with np.errstate(over="ignore"):
        means = finite.sum(axis=0) / runs
    if np.isinf(means).any():  # the sum of costs near 1e308 is too large, their mean is not
        means = (finite / runs).sum(axis=0)
    return np.column_stack([failed.sum(axis=0), means])
