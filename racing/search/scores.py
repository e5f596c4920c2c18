"""Scores that may be averaged, from costs of a complete block, and statistics of them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from racing.core.objective import Objective
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]


def block_scores(costs: Floats, objective: Objective) -> Floats:
    """(n, k) scores of a complete block, lower is better, always finite.

    Parameters
    ----------
    costs : (n, k)
        Rows are instances that all k configurations have run on; +inf = failed.
    objective
        `mean`: the costs, a failure one range above the worst known cost. `rank`: the ranks
        within each row, as shares of k.
    """
    if objective == "rank":
        return np.asarray(rank_rows(costs, check=False) / costs.shape[1])
    failed = np.isinf(costs)
    return penalised(costs, failed) if failed.any() else costs


def penalised(costs: Floats, failed: NDArray[np.bool_]) -> Floats:
    """Costs with every failure set one range above the worst known cost."""
    known = costs[~failed]
    if known.size == 0:
        return np.zeros_like(costs)
    worst = float(known.max())
    span = worst - float(known.min()) or abs(worst) or 1.0
    return np.where(failed, worst + span, costs)


def differences(own: Floats, block: Floats, objective: Objective) -> Floats:
    """(n,) score differences of a configuration to the first column of a block; above 0 is worse.

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


def probability_better(d: Floats, noise: float, prior: float) -> float:
    """P(mean difference < 0), by a normal with a variance shrunk to the pooled one.

        v = (prior·s² + Σ(d − d̄)²) / (prior − 1 + n),   P = Φ(−d̄ / √(v/n))

    Parameters
    ----------
    d : (n,)
        Differences to the best elite, one an instance.
    noise
        s², the pooled variance of such differences.
    prior
        Weight of s², in instances.
    """
    n = len(d)
    total = 0.0
    values = d.tolist()
    mean = math.fsum(values) / n
    for one in values:
        total += (one - mean) * (one - mean)
    variance = (prior * noise + total) / max(prior - 1 + n, 1)
    if variance <= 0:
        return 0.5 if mean == 0 else float(mean < 0)
    return 0.5 * math.erfc(mean / math.sqrt(2 * variance / n))


def agreement(costs: Floats, objective: Objective) -> float:
    """The agreement of instances on which configurations are good: Cronbach's α of the mean scores.

        α = 1 − MS_residual / MS_configurations

    Instances are the items; it is ICC(3, k) of Shrout and Fleiss (1979). It is 1 if all instances
    have the same differences, around 0 if the means are only noise, and may be negative. It is set
    to 0 with one instance, with fewer than three configurations, or if all means are equal.

    Parameters
    ----------
    costs : (n, k)
        A complete block; rows are instances.
    """
    n, k = costs.shape
    if n < 2 or k < 3:
        return 0.0
    scores = block_scores(costs, objective)
    means = scores.mean(axis=0) - scores.mean()
    between = n * float((means * means).sum()) / (k - 1)
    if between <= 0:
        return 0.0
    rest = scores - scores.mean(axis=1, keepdims=True) - means
    residual = float((rest * rest).sum()) / ((n - 1) * (k - 1))
    return float(1 - residual / between)
