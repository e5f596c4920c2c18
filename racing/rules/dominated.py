"""From a matrix of pairwise evidence to eliminations: the step that the pairwise rules share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.results import Results
from racing.rules.verdict import Elimination, elimination


def dominated(
    results: Results,
    order: NDArray[np.intp],
    p_values: NDArray[np.float64],
    statistics: NDArray[np.float64] | NDArray[np.intp],
    *,
    alpha: float,
) -> tuple[Elimination, ...]:
    """Everybody but the leader to whom somebody is superior at level `alpha`.

    Parameters
    ----------
    order
        The survivors, best first. The leader stays even where somebody beats it pairwise: pairwise
        verdicts can run in a circle, and a race must not drop them all.
    p_values, statistics : (k, k)
        Entry (i, j) tests whether survivor j is better than survivor i. Each candidate is recorded
        against whoever beats it most clearly.
    """
    best_first = p_values[np.ix_(order, order)]
    np.fill_diagonal(best_first, 1.0)
    against = best_first.argmin(axis=1)
    return tuple(
        beaten(results, i, j, p=best_first[k, at], alpha=alpha, statistic=float(statistics[i, j]))
        for k, (i, at) in enumerate(zip(order.tolist(), against.tolist(), strict=True))
        for j in (int(order[at]),)
        if k > 0 and best_first[k, at] < alpha
    )


def beaten(
    results: Results, i: int, j: int, *, p: float, alpha: float, statistic: float
) -> Elimination:
    """Survivor i leaves, because survivor j is better by a test of that p-value."""
    return elimination(
        results, i, j, measure="p-value", value=p, threshold=alpha, statistic=statistic
    )
