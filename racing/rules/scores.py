"""Scores that a rule can average over instances, as the objective asks: lower is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.field import row_ranks
from racing.objective import Objective
from racing.results import Results


def scores(results: Results, objective: Objective) -> NDArray[np.float64]:
    """(n', k) scores of the survivors on the instances that all of them have seen.

    `mean`: the costs as they are averaged (`racing.means`), failures included. `rank`: the ranks
    among all candidates, as shares of their number.
    """
    if objective == "mean":
        return finite_costs(results.estimated[:, results.survivors], ranges=len(results.block))
    return results.field_ranks / len(results.candidates)


def plain_scores(results: Results, objective: Objective) -> NDArray[np.float64]:
    """`scores`, with `mean` of the costs as they are: for tests of their means."""
    if objective == "rank":
        return scores(results, objective)
    return finite_costs(results.block, ranges=len(results.block))


def stakes(results: Results, objective: Objective, leader: int) -> float:
    """By how much candidates differ, in scores: the squared mean root of how far from the leader.

    Of all candidates, the dropped too, each on average over the instances that it saw, where the
    leader ran as well. Roots, since a few that are hopeless say little about what is at stake
    between the others. Ranks, as shares, are here among those who ran. Chance, which makes equal
    candidates differ too, is not taken out.

    Parameters
    ----------
    leader
        A place among the survivors.
    """
    costs = results.shared
    ran = ~np.isnan(costs)
    if objective == "mean":
        y = finite_costs(costs, ranges=1)
    else:
        y = row_ranks(costs) / ran.sum(axis=1, keepdims=True)
    behind = np.where(ran, y - y[:, [results.survivors[leader]]], 0.0).sum(axis=0)
    known = ran.any(axis=0)
    distances = np.abs(behind[known] / ran[:, known].sum(axis=0))
    return float(np.sqrt(distances).mean() ** 2)


def finite_costs(costs: NDArray[np.float64], *, ranges: int) -> NDArray[np.float64]:
    """Costs with every failure set this many ranges above the worst cost seen; NaN stays.

    As many ranges as there are instances put means in the order of the objective: whoever failed
    once more has a higher mean, whatever the rest costs.
    """
    failed = np.isinf(costs)
    if not failed.any():
        return costs
    seen = costs[np.isfinite(costs)]
    if seen.size == 0:
        return np.zeros_like(costs)
    worst = seen.max()
    span = float(worst - seen.min()) or abs(float(worst)) or 1.0
    return np.where(failed, worst + ranges * span, costs)
