"""Scores that a rule can average over instances, as the objective asks: lower is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from racing.objective import Objective
from racing.results import Results
from racing.stats.ranks import rank_rows


def scores(results: Results, objective: Objective) -> NDArray[np.float64]:
    """(n', k) scores of the survivors on the instances that all of them have seen.

    `mean`: the costs. `rank`: frozen normal scores, Φ⁻¹((rank − ½)/m) of a candidate's rank among
    the m who were alive at that instance. They are never recomputed when candidates leave: ranks
    among few survivors say little more than who won, while a rank among many says by how much.
    """
    complete = ~np.isnan(results.costs[:, results.survivors]).any(axis=1)
    if objective == "mean":
        return finite_costs(results.costs[np.ix_(complete, results.survivors)])
    return _frozen(results.costs[complete], results.alive[complete])[:, results.survivors]


def finite_costs(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Costs with every failure set one range above the worst cost seen."""
    failed = np.isinf(costs)
    if not failed.any():
        return costs
    seen = costs[~failed]
    if seen.size == 0:
        return np.zeros_like(costs)
    worst = seen.max()
    return np.where(failed, worst + max(worst - seen.min(), abs(worst), 1.0), costs)


def field_ranks(
    costs: NDArray[np.float64], alive: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """(n, m) ranks within each row among those alive there, and (n, 1) how many they were.

    A late-comer on an instance of the past is ranked among those who were alive then, together with
    the other late-comers. Who was not there has NaN.
    """
    field = alive | ~np.isnan(costs)
    counts = field.sum(axis=1, keepdims=True)
    ranks = rank_rows(np.where(field, costs, np.inf), check=False)
    failed = np.isinf(costs) & field
    if failed.any():  # they were ranked together with the absent
        failures = failed.sum(axis=1, keepdims=True)
        ranks = np.where(failed, counts - (failures - 1) / 2, ranks)
    return np.where(field, ranks, np.nan), counts


def _frozen(costs: NDArray[np.float64], alive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Normal scores of each row's ranks among those alive there."""
    ranks, counts = field_ranks(costs, alive)
    normal: NDArray[np.float64] = ndtri((ranks - 0.5) / counts)
    return normal
