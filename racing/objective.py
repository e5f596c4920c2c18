"""What "best" means: the one ordering that rules, leaders and the final choice share."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.stats.ranks import rank_rows

Objective = Literal["rank", "mean"]


def merits(block: NDArray[np.float64], objective: Objective) -> NDArray[np.float64]:
    """(k, 2) sort keys of the columns of an (n, k) matrix of costs, the first deciding; low wins.

    `rank`: the mean rank over instances. `mean`: the number of failures, then the mean of the
    finite costs, which is the order of mean costs when a failure is worse than any number.
    """
    if objective == "rank":
        return np.column_stack([rank_rows(block).mean(axis=0), _mean_costs(block)[:, 1]])
    return _mean_costs(block)


def standing(block: NDArray[np.float64], objective: Objective) -> NDArray[np.intp]:
    """The columns of an (n, k) matrix of costs, best first.

    Columns with equal merits are ordered by their costs, instance by instance, so that only
    identical columns are told apart by their place.
    """
    keys = merits(block, objective)
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    tied = (np.diff(keys[order], axis=0) == 0).all(axis=1)
    return np.lexsort((*block[::-1], keys[:, 1], keys[:, 0])) if tied.any() else order


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
