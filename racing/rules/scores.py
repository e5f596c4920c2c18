"""Scores that a rule can average over instances, by the objective: lower is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.core.field import row_ranks
from racing.core.objective import Objective
from racing.core.results import Results


def scores(results: Results, objective: Objective) -> NDArray[np.float64]:
    """(n', k) scores of the survivors on the instances that all of them have seen.

    `mean`: the estimated costs (`racing.core.means`), failures included. `rank`: the
    ranks among all candidates, as shares of their number.
    """
    if objective == "mean":
        results = results.judged
        return finite_costs(results.estimated[:, results.survivors], ranges=len(results.block))
    return results.field_ranks / len(results.candidates)


def plain_scores(results: Results, objective: Objective) -> NDArray[np.float64]:
    """`scores`, with the plain costs for `mean`: for tests of their means."""
    if objective == "rank":
        return scores(results, objective)
    return finite_costs(results.judged.block, ranges=len(results.block))


def stakes(results: Results, objective: Objective, leader: int) -> float:
    """The scale of differences of candidates, in scores: squared mean root distance to the leader.

    Over all candidates, dropped ones included, each averaged over the instances that it shares with
    the leader. Roots reduce the effect of a few hopeless candidates. Ranks, as shares, are here
    among those that ran. The result includes differences by chance.

    Parameters
    ----------
    leader
        A place among the survivors.
    """
    costs = results.judged.shared
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
    """Costs with every failure set this many ranges above the worst cost; NaN stays.

    With as many ranges as instances, means have the order of the objective: one more failure gives
    a higher mean, whatever the other costs.
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
