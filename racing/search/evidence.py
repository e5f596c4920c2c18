"""The probability that the configuration found is truly worse than the default, by all outcomes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.core.objective import Objective
from racing.search.phase import SearchContext
from racing.stats.additive import Costs, probabilities_worse

Floats = NDArray[np.float64]

_NEAR = ("model", "uniform")
"""The origins of configurations that were drawn beside the best so far."""

_CLIP = 3.0
"""By ranks, a cost counts at most so many median deviations from the median of its instance."""


def probability_worse(context: SearchContext, found: int, baseline: int) -> float:
    """P(the mean cost of `found` over all problems is above that of the baseline).

    By all outcomes that are charged, of all candidates: see `racing.stats.additive`. A failure
    counts as the largest cost. It says nothing of constraints or of several metrics.

    Parameters
    ----------
    found, baseline
        Ids of candidates; without an outcome of both it is 0.5.
    """
    trials, account = context.trials, context.account
    keys = sorted(trials.recorded)
    unpaid = set(account.unpaid(keys))
    keys = [key for key in keys if key not in unpaid]
    if not {found, baseline} <= {id for id, _ in keys}:
        return 0.5
    ids = {id: place for place, id in enumerate(dict.fromkeys(id for id, _ in keys))}
    rows = {row: place for place, row in enumerate(sorted({row for _, row in keys}))}
    problems = dict(zip(rows, trials.problems(rows), strict=True))
    numbers = {problem: place for place, problem in enumerate(dict.fromkeys(problems.values()))}
    instance = np.array([rows[row] for _, row in keys])
    costs = Costs(
        candidate=np.array([ids[id] for id, _ in keys]),
        instance=instance,
        problem=np.array([numbers[problems[row]] for _, row in keys]),
        cost=_counted([trials.recorded[key].cost for key in keys], instance, context),
    )
    origins = {entrant.candidate.id: entrant.origin for entrant in trials.entrants}
    near = np.array([origins[id] in _NEAR for id in ids], dtype=np.intp)
    return max(probabilities_worse(costs, ids[found], ids[baseline], near))


def _counted(told: list[float], instance: NDArray[np.intp], context: SearchContext) -> Floats:
    """The costs as they count: failures as the largest; by ranks, without outliers."""
    costs = np.array(told)
    known = np.isfinite(costs)
    costs = np.where(known, costs, costs[known].max(initial=0.0))
    objective: Objective = context.constants.objective
    if objective == "mean":
        return costs
    level = np.array([np.median(costs[instance == row]) for row in range(instance.max() + 1)])
    apart = costs - level[instance]
    most = _CLIP * float(np.median(np.abs(apart)))
    return np.asarray(level[instance] + (np.clip(apart, -most, most) if most else np.sign(apart)))
