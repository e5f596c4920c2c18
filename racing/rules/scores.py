"""Scores that a rule can average over instances, as the objective asks: lower is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.field import row_ranks
from racing.objective import Objective
from racing.results import Results


def scores(results: Results, objective: Objective) -> NDArray[np.float64]:
    """(n', k) scores of the survivors on the instances that all of them have seen.

    `mean`: the costs, failures included. `rank`: the ranks among all candidates, as shares of their
    number.
    """
    if objective == "mean":
        return finite_costs(results.block)
    return results.field_ranks / len(results.candidates)


def stakes(results: Results, objective: Objective) -> float:
    """By how much candidates differ, in scores: the standard deviation of their mean distances.

    Of all candidates, the dropped too: how far each was behind the survivors' mean, on average over
    the instances that it saw. Ranks, as shares, are here among those who ran. Chance, which makes
    equal candidates differ too, is not taken out.
    """
    costs = results.costs[~np.isnan(results.costs[:, results.survivors]).any(axis=1)]
    ran = ~np.isnan(costs)
    if objective == "mean":
        y = finite_costs(costs)
    else:
        y = row_ranks(costs) / ran.sum(axis=1, keepdims=True)
    behind = y - y[:, results.survivors].mean(axis=1, keepdims=True)
    distances = np.where(ran, behind, 0.0).sum(axis=0) / np.maximum(ran.sum(axis=0), 1)
    return float(distances[ran.any(axis=0)].std(ddof=1))


def finite_costs(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Costs with every failure set one range above the worst cost seen; NaN stays."""
    failed = np.isinf(costs)
    if not failed.any():
        return costs
    seen = costs[np.isfinite(costs)]
    if seen.size == 0:
        return np.zeros_like(costs)
    worst = seen.max()
    return np.where(failed, worst + max(worst - seen.min(), abs(worst), 1.0), costs)
