"""Whether the best found is truly worse than the default, by all outcomes of a race or search."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from racing.base.special import load_scipy
from racing.core.aims import Order
from racing.core.goal import Goal
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.core.results import Results
from racing.stats.intervals import numbered

Floats = NDArray[np.float64]

_CLIP = 3.0
"""By ranks, a cost counts at most so many median distances from the median of its instance."""
_ERROR = 1.36
"""The variance of the logarithm of the median distance of n normal costs, times n for odd n, and
n − 1 for even n."""
_ALIKE = 0.1
"""Added to that error where the units are averaged, so that none has all the weight."""
_ROUNDING = 1e-12
"""A smaller distance, in the largest cost, is none: else rounding would be the median distance."""


def probability_worse(
    results: Results,
    instances: Instances,
    seed: int,
    found: int,
    baseline: int,
    *,
    objective: Objective,
    near: Collection[int] = (),
) -> float:
    """P(`found` is truly worse than the baseline, on average over all problems).

    By the outcomes of all candidates, also of those that were dropped: see `racing.stats.additive`.
    Failures are judged first; where one of the two has some that count as worse than any cost, and
    the other has none, these decide. Then the cost does, or of several metrics what decides between
    the two on the instances that both have met: the constraint that one of them misses most, or
    else the cost; the first metric of an order by which they differ. It does not say whether one
    that meets a constraint by its mean truly does. Of a front it is the probability of being better
    in none of its K metrics: K times the least probability of being worse in one (Bonferroni).

    Parameters
    ----------
    results
        Row i is the instance at step i.
    instances
        Several seeds of one problem are one observation of it, unless there is but one. After one
        instance of several nothing is known, 0.5. The only instance shows no probability: it is 0,
        0.5 or 1 as the cost there is lower, equal or higher.
    seed
        Of the race, for the order of the instances.
    found, baseline
        Ids of candidates; without an outcome of both it is 0.5.
    near
        Ids of the candidates that were drawn near the best so far; the others were given, or drawn
        from the whole space. If there are any, `found` counts as the luckiest of all candidates.
    Examples
    --------
    >>> import racing
    >>> from racing.core.evidence import probability_worse
    >>> days = racing.Instances(range(9))
    >>> race = racing.Race([{"x": x} for x in range(4)], days, rule="none")
    >>> for one in race:
    ...     race.tell(one, one.candidate.values["x"] + one.instance.seed % 7 / 10)
    >>> probability_worse(race.results, days, 0, 1, 4, objective="mean") < 0.001
    True
    """
    known = {found, baseline} <= set(results.candidates)
    if not known or (len(results.costs) == 1 and instances.limit != 1):
        return 0.5
    judged = _where_one_succeeded(results).judged
    pair = [results.candidates.index(id) for id in (found, baseline)]
    own, other = (bool(np.isinf(judged.costs[:, place]).any()) for place in pair)
    if own != other:
        return float(own)
    drawn = np.array([id in near for id in results.candidates])
    problem, correlation = _problems(instances, seed, len(judged.costs)), instances.shared
    chances = [
        _chance(values, pair, problem, drawn, correlation, clipped=objective == "rank")
        for values in _deciding(judged, pair)
    ]
    return min(len(chances) * min(chances), 1.0)


def _deciding(results: Results, pair: Sequence[int]) -> list[Floats]:
    """(n, m) the costs by which one of two columns is better; of a front, those of each metric."""
    goal, metrics = results.goal, results.metrics
    if goal is None or metrics is None or goal.kind == "single":
        return [results.costs]
    if goal.front:
        return [metrics[:, :, goal.names.index(name)] for name in goal.front]
    two = replace(results, survivors=np.array(pair, dtype=np.intp))
    if isinstance(goal.aim, Order):
        return [metrics[:, :, _first_apart(goal, goal.aim, two)]]
    missed = np.nan_to_num(goal.violations(two)).max(axis=1)
    if missed.any():
        return [goal.excesses(metrics)[int(missed.argmax())]]
    return [results.costs]


def _chance(
    values: Floats,
    pair: Sequence[int],
    problem: NDArray[np.intp],
    near: NDArray[np.bool_],
    correlation: float,
    *,
    clipped: bool,
) -> float:
    """P(the first of two columns is truly worse) by one cost a run, if that is finite.

    Parameters
    ----------
    values : (n, m)
    problem : (n,)
        Of each row.
    near : (m,)
        Which columns were drawn near the best.
    """
    load_scipy()
    from racing.stats.additive import Costs, probability_worse  # which needs it

    two = values[:, list(pair)]
    if len(two) == 1 and np.isfinite(two).all():
        return float(np.sign(two[0, 0] - two[0, 1]) + 1) / 2
    values = _clipped(values) if clipped else values
    row, column = np.nonzero(np.isfinite(values))
    left = np.unique(column)
    if not set(pair) <= set(left.tolist()):
        return 0.5
    problem = problem[row]
    costs = Costs(
        candidate=np.searchsorted(left, column),
        instance=np.unique(row, return_inverse=True)[1],
        problem=np.unique(problem, return_inverse=True)[1],
        cost=values[row, column],
    )
    found, baseline = (int(np.searchsorted(left, place)) for place in pair)
    return probability_worse(costs, found, baseline, near[left], correlation)


def _problems(instances: Instances, seed: int, n: int) -> NDArray[np.intp]:
    """The number of the problem of each of n rows; the only one counts anew with every seed."""
    units = instances.units()
    numbers = numbered(units[instances.number_at(step, seed) - 1] for step in range(n))
    return np.arange(n) if not numbers.any() else numbers


def _where_one_succeeded(results: Results) -> Results:
    """Where failures count by their rate, the results without rows in which every run failed.

    One of the two may have met an instance alone: its failure there is compared with no other.
    """
    if results.failures.policy != "rate":
        return results
    told: NDArray[np.bool_] = np.asarray(np.isfinite(results.costs).any(axis=1))[:, None]
    metrics = results.metrics
    return replace(
        results,
        costs=np.where(told, results.costs, np.nan),
        metrics=None if metrics is None else np.where(told[:, :, None], metrics, np.nan),
    )


def _first_apart(goal: Goal, aim: Order, two: Results) -> int:
    """The place of the first metric of an order by which two survivors differ, or of the last."""
    found, baseline = goal.means(two)
    apart = dict(zip(goal.names, np.abs(found - baseline).tolist(), strict=True))
    steps = aim.order
    first = next((one for one in steps if apart[one.metric] > one.tolerance), steps[-1])
    return goal.names.index(first.metric)


def _clipped(matrix: Floats) -> Floats:
    """Distances from the median of each instance, in units of its own, without outliers.

    Ranks do not know that the costs of one instance are a hundred times those of another. The unit
    is the median distance that is not 0; its logarithm has an error, see `_ERROR`. Units are drawn
    together by this error and by how much they differ beyond it (empirical Bayes).
    """
    rows = np.isfinite(matrix).any(axis=1)
    finite = np.where(np.isfinite(matrix), matrix, np.nan)[rows]
    apart = finite - np.nanmedian(finite, axis=1, keepdims=True)
    rounding = np.abs(apart) < _ROUNDING * np.nanmax(np.abs(finite), axis=1, keepdims=True)
    apart[rounding] = 0.0
    sizes = np.where(apart == 0.0, np.nan, np.abs(apart))
    unit, differ = np.full(len(sizes), np.inf), np.isfinite(sizes).any(axis=1)
    if differ.any():
        many = np.isfinite(apart[differ]).sum(axis=1)
        log, error = np.log(np.nanmedian(sizes[differ], axis=1)), _ERROR / (many - 1 + many % 2)
        middle = np.average(log, weights=1 / (error + _ALIKE))
        spread = max(float(((log - middle) ** 2 - error).mean()), 0.0)
        unit[differ] = np.exp(middle + spread / (spread + error) * (log - middle))
    found = np.full(matrix.shape, np.nan)
    found[rows] = np.clip(apart / unit[:, None], -_CLIP, _CLIP)
    return found
