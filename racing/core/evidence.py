"""Whether the best found is truly worse than the default, by all outcomes of a race or search."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from racing.core.aims import Order
from racing.core.goal import Goal
from racing.core.objective import Objective
from racing.core.results import Results

Floats = NDArray[np.float64]

_CLIP = 3.0
"""By ranks, a cost counts at most so many median deviations from the median of its instance."""


def probability_worse(
    results: Results,
    problems: Sequence[Hashable],
    found: int,
    baseline: int,
    *,
    objective: Objective,
    near: Collection[int] = (),
) -> float:
    """P(`found` is truly worse than the baseline, on average over all problems).

    By the outcomes of all candidates, also of those that were dropped: see `racing.stats.additive`.
    Failures are judged first; where one of the two has some that count as worse than any cost, and
    the other has none, these decide. Then the cost does. Of several metrics it is what decides
    between the two on the instances that both have met: the constraint that one of them misses
    most, or else the cost; the first metric of an order by which they differ. Of a front it is the
    probability of being better in none of its K metrics: K times the least probability of being
    worse in one (Bonferroni).

    Parameters
    ----------
    problems : (n,)
        The problem of each row of the results; several seeds of one are one observation of it,
        unless there is but one.
    found, baseline
        Ids of candidates; without an outcome of both it is 0.5.
    near
        Ids of the candidates that were drawn near the best so far; the others were given, or drawn
        from the whole space.

    Examples
    --------
    >>> import racing
    >>> from racing.core.evidence import probability_worse
    >>> race = racing.Race([{"x": x} for x in range(4)], range(9), rule="none")
    >>> for one in race:
    ...     race.tell(one, one.candidate.values["x"] + one.instance.seed % 7 / 10)
    >>> problems = range(len(race.results.costs))
    >>> probability_worse(race.results, problems, 1, 4, objective="mean") < 0.001
    True
    """
    if not {found, baseline} <= set(results.candidates):
        return 0.5
    judged = results.judged
    pair = [results.candidates.index(id) for id in (found, baseline)]
    own, other = (bool(np.isinf(judged.costs[:, place]).any()) for place in pair)
    if own != other:
        return float(own)
    group = np.array([id in near for id in results.candidates], dtype=np.intp)
    told = [_clipped(one) if objective == "rank" else one for one in _deciding(judged, pair)]
    chances = [_worse(one, problems, pair, group) for one in told]
    return min(len(chances) * min(chances), 1.0)


def _worse(
    values: Floats, problems: Sequence[Hashable], pair: Sequence[int], group: NDArray[np.intp]
) -> float:
    """The same by one cost a run, (n, m); what is not finite is left out."""
    from racing.stats.additive import Costs, probabilities_worse  # which needs scipy

    row, column = np.nonzero(np.isfinite(values))
    left = np.unique(column)
    if not set(pair) <= set(left.tolist()):
        return 0.5
    numbers = {problem: number for number, problem in enumerate(dict.fromkeys(problems))}
    problem = np.array([numbers[one] for one in problems], dtype=np.intp)
    if len(numbers) == 1:
        problem = np.arange(len(problems))
    costs = Costs(
        candidate=np.searchsorted(left, column),
        instance=np.unique(row, return_inverse=True)[1],
        problem=np.unique(problem[row], return_inverse=True)[1],
        cost=values[row, column],
    )
    found, baseline = (int(np.searchsorted(left, place)) for place in pair)
    return max(probabilities_worse(costs, found, baseline, group[left]))


def _deciding(results: Results, pair: Sequence[int]) -> list[Floats]:
    """(n, m) arrays of what decides between two columns: one, or each metric of a front."""
    goal, metrics = results.goal, results.metrics
    if not isinstance(goal, Goal) or metrics is None or goal.kind == "single":
        return [results.costs]
    of = {name: metrics[:, :, place] for place, name in enumerate(goal.names)}
    if goal.front:
        return [of[name] for name in goal.front]
    two = replace(results, survivors=np.array(pair, dtype=np.intp))
    if isinstance(goal.aim, Order):
        found, baseline = goal.means(two)
        apart = dict(zip(goal.names, np.abs(found - baseline).tolist(), strict=True))
        steps = goal.aim.order
        first = next((one for one in steps if apart[one.metric] > one.tolerance), steps[-1])
        return [of[first.metric]]
    missed = np.nan_to_num(goal.violations(two)).max(axis=1)
    if not missed.any():
        return [results.costs]
    return [goal.excesses(metrics)[int(missed.argmax())]]


def _clipped(matrix: Floats) -> Floats:
    """Costs without outliers, around the median of each instance."""
    finite = np.where(np.isfinite(matrix), matrix, np.nan)
    known = ~np.isnan(finite).all(axis=1)
    level = np.full((len(matrix), 1), np.nan)
    level[known] = np.nanmedian(finite[known], axis=1, keepdims=True)
    apart = finite - level
    most = _CLIP * float(np.nanmedian(np.abs(apart)))
    return np.asarray(level + (np.clip(apart, -most, most) if most else np.sign(apart)))
