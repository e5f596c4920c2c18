"""What "best" means: the one ordering that rules, leaders and the final choice share."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.means import plain_means
from racing.results import Results

Objective = Literal["rank", "mean"]


def merits(results: Results, objective: Objective) -> NDArray[np.float64]:
    """(k, 2) sort keys of the survivors, the first deciding; low wins.

    `rank`: the mean rank among all candidates, over the instances that all survivors have seen;
    then the mean of the finite costs. `mean`: the number of failures, then the estimated mean of
    the finite costs (`racing.means`). A failure is worse than any number.
    """
    if objective == "rank":
        # rounded, so that the error of an estimate cannot come between two who are tied
        ranks = results.field_ranks.mean(axis=0).round(10)
        return np.column_stack([ranks, plain_means(results.block)])
    return np.column_stack([failures(results), results.mean_costs])


def failures(results: Results) -> NDArray[np.intp]:
    """(k,) how many of the instances that all survivors have seen each failed on."""
    return np.asarray(np.isinf(results.block).sum(axis=0))


def standing(results: Results, objective: Objective) -> NDArray[np.intp]:
    """The survivors, as columns of `results.block`, best first.

    Who has equal merits is ordered by costs, instance by instance, so that only identical columns
    are told apart by their place.
    """
    keys = merits(results, objective)
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    tied = (np.diff(keys[order], axis=0) == 0).all(axis=1)
    return np.lexsort((*results.block[::-1], keys[:, 1], keys[:, 0])) if tied.any() else order
