"""The elites: the best configurations known, all on the same instances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.objective import Objective, standing
from racing.results import Results
from racing.search.challenger import probability_better
from racing.search.scores import block_scores, pooled_noise

Floats = NDArray[np.float64]


def block_results(costs: Floats, ids: Sequence[int]) -> Results:
    """A complete block as a rule or a report reads it: costs (T, m) and whose the columns are."""
    costs = np.array(costs)
    costs.flags.writeable = False
    alive = np.ones(costs.shape, dtype=bool)
    return Results(costs, alive, tuple(ids), np.arange(len(ids)))


def best_first(costs: Floats, objective: Objective) -> NDArray[np.intp]:
    """The columns of a complete (T, m) block, best first, as every final choice orders them."""
    if costs.shape[1] == 1:
        return np.zeros(1, dtype=np.intp)
    return standing(block_results(costs, range(costs.shape[1])), objective)


def inferior(
    costs: Floats, objective: Objective, *, retire: float, prior: float
) -> dict[int, float]:
    """Column → probability of being better than the first, where that is below `retire`.

    Parameters
    ----------
    costs : (T, m)
        Of the elites, the best first; the first is never among them.
    """
    scores = block_scores(costs, objective)
    noise = pooled_noise(costs, objective)
    found = {}
    for column in range(1, costs.shape[1]):
        p = probability_better(scores[:, column] - scores[:, 0], noise, prior)
        if p < retire:
            found[column] = p
    return found
