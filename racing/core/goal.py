"""Several metrics and an objective, as one cost per experiment and one order of the survivors.

    metrics + aim ── cost ──▶ Outcome.cost, what is shown and what rules of one metric judge
                  ── merits ▶ the order of the survivors, where the aim is no formula

A failure is +inf in every metric, and worse than any value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import ExpressionError, InputError, did_you_mean, show
from racing.base.quantities import Direction, cost_of, score_of, unusable
from racing.base.records import FieldError, FieldErrors
from racing.core.aims import Aim, Front, Maximize, Minimize, Order
from racing.core.formula import Formula, Limit
from racing.core.fronts import TradeOffs
from racing.core.means import plain_means
from racing.core.metric import Metrics, check_names
from racing.core.objective import Objective, failures
from racing.core.results import Results

Floats = NDArray[np.float64]
Kind = Literal["single", "constraint", "order", "front"]
"""The kinds of objectives that rules can or cannot judge."""


class Criterion(NamedTuple):
    """What decides between candidates, unless an earlier criterion does.

    Attributes
    ----------
    values : (n, k)
        Of the survivors by experiment, lower is better; NaN where it does not count.
    tolerance
        Means that differ by no more are equal.
    floor
        Means below it count as equal to it.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.core.goal import Criterion
    >>> found = Criterion(np.array([[1.0, 2.0], [3.0, np.nan]]), tolerance=0.5)
    >>> found.means.tolist(), found.filled.tolist()
    ([2.0, 2.0], [[1.0, 2.0], [3.0, 2.0]])
    """

    values: Floats
    tolerance: float = 0.0
    floor: float = -math.inf

    @property
    def means(self) -> Floats:
        """(k,) the means of what counts, without rounding errors; +inf where nothing does."""
        counts = ~np.isnan(self.values)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.where(counts, self.values, 0.0).sum(axis=0) / counts.sum(axis=0)
        return np.where(np.isnan(means), np.inf, means.round(12))

    @property
    def bounded(self) -> bool:
        """Whether it is about a limit."""
        return math.isfinite(self.floor)

    @property
    def filled(self) -> Floats:
        """(n, k) the values, with means in place of NaN, and the floor of columns below it."""
        known = np.where(np.isnan(self.values), self.means, self.values)
        return np.where(self.means <= self.floor, self.floor, known)

    def beyond(self, margin: float) -> Floats:
        """(k,) how far the means plus `margin` standard errors are beyond the floor; 0 below it."""
        more = margin * math.sqrt(self.spread / len(self.values))
        return np.maximum(self.means + more - self.floor, 0.0)

    @property
    def spread(self) -> float:
        """The variance of differences to the first column, or of distances to the floor, pooled.

        It is 0 where no column is known on two experiments or more, without a failure.
        """
        apart = self.values if self.bounded else self.values[:, 1:] - self.values[:, :1]
        known = apart[:, ~np.isnan(apart).any(axis=0)]
        return float(known.var(axis=0, ddof=1).mean()) if len(known) > 1 and known.size else 0.0


@dataclass(frozen=True)
class Goal:
    """Metrics and an objective over them.

    Attributes
    ----------
    metrics
        In the order of reported values.
    aim
        None to judge by the first metric; the others are recorded.

    Raises
    ------
    FieldErrors
        If the aim names an unknown metric or cannot be read; paths are within the aim.

    Examples
    --------
    >>> from racing import Metric
    >>> from racing.core.aims import Minimize
    >>> from racing.core.goal import Goal
    >>> metrics = {"time": Metric(unit="s"), "success": Metric(direction="maximize")}
    >>> goal = Goal(metrics, Minimize("time", subject_to=("success >= 0.8",)))
    >>> goal.kind, goal.label, goal.constraints
    ('constraint', 'time', ('success >= 0.8',))
    >>> goal.costs({"time": 2.0, "success": 0.9})
    (2.0, -0.9)
    """

    metrics: Metrics
    aim: Aim | None = None

    def __post_init__(self) -> None:
        if not self.metrics:
            raise InputError("metrics is empty; name one or more")
        check_names(self.metrics)
        if faults := tuple(_faults(self)):
            raise FieldErrors(faults)

    def __reduce__(self) -> tuple[Any, ...]:
        return Goal, (dict(self.metrics), self.aim)  # without what was compiled

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(self.metrics)

    @property
    def kind(self) -> Kind:
        """The kind of objective; `single` if only the mean or rank of one cost counts."""
        match self.aim:
            case Minimize(subject_to=limits) | Maximize(subject_to=limits):
                return "constraint" if limits else "single"
            case Order():
                return "order"
            case Front():
                return "front"
        return "single"

    @property
    def direction(self) -> Direction:
        """The direction of the score behind a cost."""
        if isinstance(self.aim, Minimize | Maximize):
            return "minimize" if isinstance(self.aim, Minimize) else "maximize"
        return self.metrics[self._first].direction

    def score(self, default: Objective) -> Objective:
        """What is averaged over instances; the default where the aim does not set it."""
        match self.aim:
            case Minimize(scores=scores) | Maximize(scores=scores):
                return scores or ("mean" if self.limits else default)
            case Front(scores=scores):
                return scores
            case Order():
                return "mean"
        return default

    @property
    def label(self) -> str:
        """The name of the metric or the formula that is the cost."""
        return self._formula.text if self._formula else self._first

    @property
    def of_one(self) -> str:
        """The label, if the objective needs more than that cost; else ''."""
        return "" if self.kind == "single" else self.label

    @property
    def front(self) -> tuple[str, ...]:
        """The metrics of the front; () for other objectives."""
        return self.aim.front if isinstance(self.aim, Front) else ()

    @cached_property
    def limits(self) -> tuple[Limit, ...]:
        """The constraints."""
        limits = self.aim.subject_to if isinstance(self.aim, Minimize | Maximize) else ()
        return tuple(Limit(text, self.names) for text in limits)

    @property
    def constraints(self) -> tuple[str, ...]:
        """The constraints as written."""
        return tuple(limit.text for limit in self.limits)

    # --- of one experiment ------------------------------------------------------------------

    def costs(self, scores: Mapping[str, float]) -> tuple[float, ...]:
        """Scores by metric as costs, in the order of the metrics; lower is better."""
        return tuple(
            cost_of(float(scores[name]), metric.direction) + 0.0
            for name, metric in self.metrics.items()
        )

    def scores(self, costs: Sequence[float]) -> dict[str, float]:
        """Costs in the order of the metrics as scores, in the direction of each."""
        pairs = zip(self.metrics.items(), costs, strict=True)
        return {name: score_of(float(cost), metric.direction) for (name, metric), cost in pairs}

    def cost(self, costs: Sequence[float]) -> float:
        """The one cost of an experiment; NaN if the formula has no value.

        Parameters
        ----------
        costs
            Of each metric, finite.
        """
        alone = self._first if self._formula is None else self._formula.alone
        if alone is not None:
            return costs[self.names.index(alone)]
        assert self._formula is not None
        return cost_of(float(self._formula(self.scores(costs))), self.direction)

    def fault(self, costs: Sequence[float]) -> str:
        """Why an experiment has no cost by the formula, but counts as a failure; else empty."""
        score = score_of(self.cost(costs), self.direction)
        if math.isnan(score):
            return f"{self.label} has no value for {self.scores(costs)}"
        why = unusable(score, self.direction)
        return why and f"{self.label} for {self.scores(costs)}: {why}"

    # --- of the survivors -------------------------------------------------------------------

    def merits(self, results: Results, *, margin: float = 0.0) -> Floats | None:
        """(k, q) sort keys of the survivors, most important first, low wins; None for `single`.

        Parameters
        ----------
        results
            With the costs of every metric.
        margin
            Standard errors by which a mean must be better than a limit to meet it.
        """
        match self.aim:
            case Minimize() | Maximize() if self.limits:
                worst = self.violations(results, margin=margin).max(axis=0)
                return np.column_stack([failures(results), worst, results.mean_costs])
            case Order(order=steps):
                places = [self.names.index(step.metric) for step in steps]
                means = np.column_stack([self.means(results)[:, place] for place in places])
                tolerances = [step.tolerance for step in steps]
                return np.column_stack([failures(results), _in_order(means, tolerances)])
            case Front():
                return self.trade_offs(results).merits
        return None

    def criteria(self, results: Results) -> list[Criterion]:
        """What decides between two survivors, the most important first; as `merits`, for pairs.

        Failures, then the constraint that a survivor misses most and the cost, or each metric of an
        order or a front.
        """
        failed = np.isinf(results.block)
        found = [Criterion(failed.astype(float))]
        if self.limits:
            excess = np.array([one.values for one in self._excesses(results)])
            worst = self.violations(results).argmax(axis=0)
            found.append(Criterion(excess[worst, :, np.arange(len(worst))].T, floor=0.0))
            found.append(Criterion(np.where(failed, np.nan, results.block)))
        elif isinstance(self.aim, Order):
            block = results.metric_block
            for step in self.aim.order:
                values = block[:, :, self.names.index(step.metric)]
                found.append(Criterion(np.where(failed, np.nan, values), step.tolerance))
        for name in self.front:
            values = results.metric_block[:, :, self.names.index(name)]
            found.append(Criterion(np.where(failed, np.nan, values), self.metrics[name].rope))
        return found

    def trade_offs(self, results: Results) -> TradeOffs:
        """The survivors by the metrics of the front.

        Raises
        ------
        InputError
            If the objective is no front.
        """
        if not isinstance(self.aim, Front):
            raise InputError("the objective is no front, so there are no trade-offs")
        results = results.judged
        ropes = np.array([self.metrics[name].rope for name in self.front])
        parts = [results.of(self.names.index(name)) for name in self.front]
        failed = np.isinf(results.block)
        if self.aim.scores == "rank":  # a failure has the worst rank in every metric
            values = np.stack([one.field_ranks for one in parts], axis=2)
            return TradeOffs(values, np.zeros_like(failed).sum(axis=0), ropes)
        values = np.stack([np.where(failed, np.nan, one.block) for one in parts], axis=2)
        return TradeOffs(values, failed.sum(axis=0), ropes)

    def means(self, results: Results) -> Floats:
        """(k, K) means of the finite costs of the survivors, by metric."""
        parts = (plain_means(results.of(place).block) for place in range(len(self.metrics)))
        return np.column_stack(list(parts))

    def violations(self, results: Results, *, margin: float = 0.0) -> Floats:
        """(limits, k) how much each survivor violates each limit, as a share of the limit.

        Parameters
        ----------
        margin
            Standard errors, by the variance pooled over the survivors, that are added to the mean.
        """
        pairs = zip(self.limits, self.limited(results), strict=True)
        found = [limit.violation(means) for limit, means in pairs]
        if margin:
            found = [one.beyond(margin) for one in self._excesses(results)]
        return np.array(found).reshape(len(found), len(results.survivors))

    def excesses(self, metrics: Floats) -> list[Floats]:
        """How far (…, K) experiments are beyond each limit, as a share of it; NaN if failed."""
        pairs = zip(self.limits, self._limited(metrics), strict=True)
        return [np.asarray(limit.excess(values)) for limit, values in pairs]

    def _excesses(self, results: Results) -> Iterator[Criterion]:
        """The same on the block of the survivors, as criteria."""
        found = self.excesses(results.metric_block)
        yield from (Criterion(values, floor=0.0) for values in found)

    def limited(self, results: Results) -> Floats:
        """(limits, k) the mean of each limited expression over the runs that did not fail."""
        values = self.limited_values(results)
        ran = ~np.isnan(values)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(ran, values, 0.0).sum(axis=1) / ran.sum(axis=1))

    def limited_values(self, results: Results) -> Floats:
        """(limits, n', k) each limited expression by experiment; NaN for failures."""
        return self._limited(results.metric_block)

    def _limited(self, costs: Floats) -> Floats:
        """(limits, …) the limited expressions of (…, K) costs of the metrics."""
        ran = np.isfinite(costs).all(axis=-1)
        columns = {
            name: np.where(ran, score_of(costs[..., place], metric.direction), np.nan)
            for place, (name, metric) in enumerate(self.metrics.items())
        }
        found = [np.where(ran, limit.value(columns), np.nan) for limit in self.limits]
        return np.array(found).reshape(len(found), *ran.shape)

    # --- inside -----------------------------------------------------------------------------

    @property
    def _first(self) -> str:
        match self.aim:
            case Order(order=steps):
                return steps[0].metric
            case Front(front=names):
                return names[0]
        return self.names[0]

    @cached_property
    def _formula(self) -> Formula | None:
        if isinstance(self.aim, Minimize | Maximize):
            return Formula(self.aim.formula, self.names)
        return None


def _in_order(means: Floats, tolerances: Sequence[float]) -> Floats:
    """(k, q) keys: 0 within the tolerance of the best, else the distance from the best mean.

    The best is taken among the survivors that tie with the best in all earlier metrics.
    """
    keys, equal = means.copy(), np.ones(len(means), dtype=bool)
    for place, tolerance in enumerate(tolerances):
        own = means[:, place]
        best = own[equal].min()
        keys[:, place] = own - best
        equal &= own <= best + tolerance
        keys[equal, place] = 0.0
    return keys


def _faults(goal: Goal) -> Iterator[FieldError]:
    """Yield the errors of an aim, by the path within it."""
    match goal.aim:
        case Minimize() | Maximize():
            yield from _formula_faults(goal, goal.aim)
        case Order(order=steps):
            for place, step in enumerate(steps):
                yield from _unknown(goal, step.metric, f"order[{place}]")
        case Front(front=names):
            for place, name in enumerate(names):
                yield from _unknown(goal, name, f"front[{place}]")


def _unknown(goal: Goal, name: str, path: str) -> Iterator[FieldError]:
    if name not in goal.metrics:
        yield FieldError(path, f"unknown metric {show(name)}{did_you_mean(name, goal.names)}")


def _formula_faults(goal: Goal, aim: Minimize | Maximize) -> Iterator[FieldError]:
    key = "minimize" if isinstance(aim, Minimize) else "maximize"
    try:
        alone = Formula(aim.formula, goal.names).alone
    except ExpressionError as error:
        yield FieldError(key, error.reason, error.offset)
        alone = None
    if alone is not None and goal.metrics[alone].direction != key:
        own = goal.metrics[alone].direction
        yield FieldError(
            key, f"{alone} has direction: {own}; write {own}: {alone}, or change its direction"
        )
    for place, text in enumerate(aim.subject_to):
        try:
            Limit(text, goal.names)
        except ExpressionError as error:
            yield FieldError(f"subject_to[{place}]", error.reason, error.offset)


def finite(costs: Sequence[float]) -> bool:
    """Whether every cost is finite."""
    return all(map(math.isfinite, costs))
