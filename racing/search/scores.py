"""Costs as scores that may be averaged over a complete block of instances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.objective import Objective
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]


def block_scores(costs: Floats, objective: Objective) -> Floats:
    """(n, k) scores of a complete block, lower is better, always finite.

    Parameters
    ----------
    costs : (n, k)
        Rows are instances that all k configurations have run on; +inf = failed.
    objective
        `mean`: the costs, a failure one range above the worst that is known. `rank`: the ranks
        within each row, as shares of k.
    """
    if objective == "rank":
        return np.asarray(rank_rows(costs, check=False) / costs.shape[1])
    failed = np.isinf(costs)
    return penalised(costs, failed) if failed.any() else costs


def penalised(costs: Floats, failed: NDArray[np.bool_]) -> Floats:
    """Costs with every failure set one range above the worst cost that is known."""
    known = costs[~failed]
    if known.size == 0:
        return np.zeros_like(costs)
    worst = float(known.max())
    span = worst - float(known.min()) or abs(worst) or 1.0
    return np.where(failed, worst + span, costs)


def differences(own: Floats, block: Floats, objective: Objective) -> Floats:
    """(n,) by how much a configuration is worse than the first column of a block.

    Parameters
    ----------
    own : (n,)
        Its costs.
    block : (n, m)
        The costs of the elites on the same instances, the best elite first.
    """
    best = block[:, 0]
    if objective == "mean" and np.isfinite(own).all() and np.isfinite(best).all():
        return np.asarray(own - best)
    scores = block_scores(np.column_stack([block, own]), objective)
    return np.asarray(scores[:, -1] - scores[:, 0])


def pooled_noise(costs: Floats, objective: Objective) -> float:
    """The variance of differences to the first column, pooled over the others; 0 if unknown."""
    n, k = costs.shape
    if n < 2 or k < 2:
        return 0.0
    scores = block_scores(costs, objective)
    apart = scores[:, 1:] - scores[:, :1]
    return float(apart.var(axis=0, ddof=1).mean())
