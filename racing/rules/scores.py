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


def _frozen(costs: NDArray[np.float64], alive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Normal scores of each row's ranks among those alive there; late-comers join the row's field.

    A late-comer on an instance of the past is ranked among those who were alive then, together with
    the other late-comers.
    """
    field = alive | (~alive & ~np.isnan(costs))
    counts = field.sum(axis=1, keepdims=True)
    ranks = rank_rows(np.where(field, costs, np.inf), check=False)
    tied_with_absent = np.isinf(costs) & field
    if tied_with_absent.any():
        ranks = _mend(ranks, field, tied_with_absent, counts)
    out = np.full(costs.shape, np.nan)
    level = (ranks - 0.5) / counts
    out[field] = ndtri(level[field])
    return out


def _mend(
    ranks: NDArray[np.float64],
    field: NDArray[np.bool_],
    failed: NDArray[np.bool_],
    counts: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Ranks of failures among the field alone: absent candidates were ranked with them."""
    failures = failed.sum(axis=1, keepdims=True)
    among_field = counts - (failures - 1) / 2
    return np.where(failed, among_field, ranks)
