"""The probability that the configuration found is truly worse than the default, by all outcomes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.core.failures import Failures
from racing.search.phase import SearchContext

Floats = NDArray[np.float64]

_NEAR = ("model", "uniform")
"""The origins of configurations that were drawn beside the best so far."""

_CLIP = 3.0
"""By ranks, a cost counts at most so many median deviations from the median of its instance."""


def probability_worse(context: SearchContext, found: int, baseline: int) -> float:
    """P(the mean cost of `found` over all problems is above that of the baseline).

    By all outcomes that are charged, of all candidates: see `racing.stats.additive`. Failures are
    judged first; where one of the two has some that count as worse than any cost, and the other has
    none, these decide. It says nothing of constraints or of several metrics.

    Parameters
    ----------
    found, baseline
        Ids of candidates; without an outcome of both it is 0.5.
    """
    from racing.stats.additive import Costs, probabilities_worse  # which needs scipy

    trials, account = context.trials, context.account
    keys = sorted(trials.recorded)
    unpaid = set(account.unpaid(keys))
    keys = [key for key in keys if key not in unpaid]
    ids = {id: place for place, id in enumerate(dict.fromkeys(id for id, _ in keys))}
    if found not in ids or baseline not in ids:
        return 0.5
    rows = {row: place for place, row in enumerate(sorted({row for _, row in keys}))}
    matrix = np.full((len(rows), len(ids)), np.nan)
    for id, row in keys:
        matrix[rows[row], ids[id]] = trials.recorded[id, row].cost
    pair = [ids[found], ids[baseline]]
    matrix = _judged(matrix, trials.failures)
    own, other = (bool(np.isinf(matrix[:, place]).any()) for place in pair)
    if own != other:
        return float(own)
    if context.constants.objective == "rank":
        matrix = _clipped(matrix)
    problems = {problem: n for n, problem in enumerate(dict.fromkeys(trials.problems(rows)))}
    numbers = np.array([problems[problem] for problem in trials.problems(rows)])
    instance, candidate = np.nonzero(np.isfinite(matrix))
    origins = {entrant.candidate.id: entrant.origin for entrant in trials.entrants}
    left = np.unique(candidate)
    if not set(pair) <= set(left.tolist()):
        return 0.5
    costs = Costs(
        candidate=np.searchsorted(left, candidate),
        instance=np.unique(instance, return_inverse=True)[1],
        problem=np.unique(numbers[instance], return_inverse=True)[1],
        cost=matrix[instance, candidate],
    )
    near = np.array([origins[id] in _NEAR for id in ids], dtype=np.intp)[left]
    first, second = (int(np.searchsorted(left, place)) for place in pair)
    return max(probabilities_worse(costs, first, second, near))


def _judged(matrix: Floats, failures: Failures) -> Floats:
    """Costs with what failures count as; by their rate, where none succeeded says nothing.

    One of the two may have met an instance alone: its failure there is compared with no other.
    """
    if failures.policy == "rate":
        told = np.isfinite(matrix).any(axis=1, keepdims=True)
        matrix = np.where(told, matrix, np.nan)
    return failures.judged(matrix)[0]


def _clipped(matrix: Floats) -> Floats:
    """Costs without outliers, around the median of each instance."""
    finite = np.where(np.isfinite(matrix), matrix, np.nan)
    known = ~np.isnan(finite).all(axis=1)
    level = np.full((len(matrix), 1), np.nan)
    level[known] = np.nanmedian(finite[known], axis=1, keepdims=True)
    apart = finite - level
    most = _CLIP * float(np.nanmedian(np.abs(apart)))
    return np.asarray(level + (np.clip(apart, -most, most) if most else np.sign(apart)))
