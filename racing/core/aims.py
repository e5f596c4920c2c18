"""Objectives over several metrics; `racing.core.goal` makes an ordering of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

from racing.base.errors import InputError, did_you_mean
from racing.base.quantities import Count
from racing.base.records import INVALID, Checked, Errors, KeyDoc, Kind, Record, Schema, argument
from racing.base.records.collections import Several
from racing.base.records.leaves import TEXT
from racing.base.records.unions import OneOf

Scores = Literal["mean", "rank"]


class Step(NamedTuple):
    """A metric of an order, and how far its mean may lie behind the best one and count as equal.

    Examples
    --------
    >>> from racing.core.aims import Order, Step
    >>> Order([Step("success", 0.01), Step("time")]) == Order([{"success": 0.01}, "time"])
    True
    """

    metric: str
    tolerance: float = 0.0


@dataclass(frozen=True)
class StepKind(Kind):
    """The name of a metric, or a mapping from it to its tolerance."""

    allowed: str = "the name of a metric, or the name with its tolerance, such as {success: 0.01}"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if value is INVALID or isinstance(value, Step):
            return value
        if isinstance(value, str):
            return Step(value)
        if not isinstance(value, Mapping) or len(value) != 1:
            return self.refuse(value, at, errors)
        [(name, tolerance)] = value.items()
        number = isinstance(tolerance, int | float) and not isinstance(tolerance, bool)
        if not isinstance(name, str) or not number or not 0 <= tolerance < float("inf"):
            errors.add(at, f"the tolerance of {name} must be a number, 0 or more")
            return INVALID
        return Step(name, float(tolerance))

    def write(self, value: Step) -> Any:
        return {value.metric: value.tolerance} if value.tolerance else value.metric

    def schema(self) -> Schema:
        tolerance = {"type": "number", "minimum": 0}
        one = {"type": "object", "minProperties": 1, "maxProperties": 1}
        return {"anyOf": [{"type": "string"}, {**one, "additionalProperties": tolerance}]}


class _OfFormula(Checked):
    """An objective that is a formula: the value of the first key, which is the direction."""

    subject_to: tuple[str, ...]
    scores: Scores | None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.subject_to and self.scores == "rank":
            raise InputError("scores: rank has no meaning with subject_to, which is about means")

    @property
    def formula(self) -> str:
        """The expression whose value judges an experiment."""
        return str(next(iter(vars(self).values())))


@dataclass(frozen=True, kw_only=True)
class Minimize(_OfFormula):
    """The lowest value of a formula of metrics, perhaps under constraints on their means.

    Attributes
    ----------
    minimize
        A metric, or an expression of metrics such as `time + 10 * (1 - success)`; its value for an
        experiment is the cost.
    subject_to
        Constraints on the mean over instances, such as `success >= 0.95`: a comparison by `<=` or
        `>=` of an expression of metrics with a number. A candidate that meets all of them is better
        than one that does not; among the others, a smaller violation, as a share of the number, is
        better.
    scores
        What is averaged over instances: the `mean` of the value, or its `rank` among all.
        Default: rank, for a search and with constraints mean.

    Examples
    --------
    >>> import racing
    >>> from racing.core.aims import Minimize
    >>> from racing.core.goal import Goal
    >>> metrics = {"time": racing.Metric(), "success": racing.Metric(direction="maximize")}
    >>> goal = Goal(metrics, Minimize("time + 10 * (1 - success)", subject_to=("success >= 0.5",)))
    >>> goal.cost(goal.costs({"time": 2, "success": 0.75}))
    4.5
    """

    minimize: str = field(kw_only=False)
    subject_to: tuple[str, ...] = ()
    scores: Scores | None = None


@dataclass(frozen=True, kw_only=True)
class Maximize(_OfFormula):
    """The highest value of a formula of metrics, perhaps under constraints on their means.

    Attributes
    ----------
    maximize
        As `minimize`; higher is better.
    subject_to, scores
        As beside `minimize`.

    Examples
    --------
    >>> import racing
    >>> from racing.core.aims import Maximize
    >>> from racing.core.goal import Goal
    >>> metrics = {"quality": racing.Metric(direction="maximize"), "time": racing.Metric()}
    >>> goal = Goal(metrics, Maximize("quality - time / 60"))
    >>> goal.cost(goal.costs({"quality": 8, "time": 120}))
    -6.0
    """

    maximize: str = field(kw_only=False)
    subject_to: tuple[str, ...] = ()
    scores: Scores | None = None


@dataclass(frozen=True, kw_only=True)
class Order(Checked):
    """A lexicographic order: the best in the first metric; among equals, in the second; and so on.

    Attributes
    ----------
    order
        Metrics, the first deciding. `{success: 0.01}` counts as equal all whose mean lies within
        .01 of the best one, in the unit of the metric.

    Examples
    --------
    >>> from racing.core.aims import Order
    >>> [tuple(step) for step in Order([{"success": 0.01}, "time"]).order]
    [('success', 0.01), ('time', 0.0)]
    """

    order: Annotated[tuple[Step, ...], Several(StepKind())] = field(kw_only=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_number("order", self.order)
        names = [step.metric for step in self.order]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"order names {name} twice")


@dataclass(frozen=True, kw_only=True)
class Front(Checked):
    """The Pareto front: the candidates that no other beats in all metrics.

    Attributes
    ----------
    front
        The metrics, two or more.
    scores
        What is averaged over instances: the `mean` of the values, or their `rank` among all
        candidates.
    show
        How many of the front are shown, from end to end, with the best compromise; the others are
        in `export`.

    Examples
    --------
    >>> import racing
    >>> from racing.core.aims import Front
    >>> from racing.core.goal import Goal
    >>> metrics = {"quality": racing.Metric(direction="maximize"), "time": racing.Metric()}
    >>> goal = Goal(metrics, Front(("quality", "time"), show=5))
    >>> goal.kind, goal.front, goal.aim.show
    ('front', ('quality', 'time'), 5)
    """

    front: Annotated[tuple[str, ...], Several(TEXT, distinct=True)] = field(kw_only=False)
    scores: Scores = "mean"
    show: Count = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_number("front", self.front)


def _check_number(key: str, metrics: Sequence[object]) -> None:
    if len(metrics) < 2:
        raise InputError(f"{key} must name two or more metrics; got {len(metrics)}")


Aim: TypeAlias = Minimize | Maximize | Order | Front

_AIMS = OneOf((Record(Minimize), Record(Maximize), Record(Order), Record(Front)))


@dataclass(frozen=True)
class ObjectiveKind(Kind):
    """`rank` or `mean` of one cost, or an objective over several metrics."""

    allowed: str = f"rank, mean, or {_AIMS.allowed}"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if isinstance(value, Mapping | Minimize | Maximize | Order | Front):
            return _AIMS.read(value, at, errors)
        if isinstance(value, str) and value in get_args(Scores):
            return value
        hint = did_you_mean(value, get_args(Scores)) if isinstance(value, str) else ""
        return self.refuse(value, at, errors, hint.strip("; ?") + "?" if hint else "")

    def write(self, value: Any) -> Any:
        return value if isinstance(value, str) else _AIMS.write(value)

    def schema(self) -> Schema:
        return {"anyOf": [{"enum": list(get_args(Scores))}, _AIMS.schema()]}

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        yield from _AIMS.key_docs(path)


def unasked(metrics: Sequence[str]) -> str:
    """The message for metrics without an objective; empty for a single one."""
    if len(metrics) < 2:
        return ""
    first, names = metrics[0], ", ".join(metrics)
    return (
        f"{names}: no objective says what is asked of them; write objective: "
        f"{{minimize: {first}}}, with a formula or subject_to; {{order: [{names}]}}; or "
        f"{{front: [{names}]}}"
    )


def aim_of(objective: object) -> Aim | Scores:
    """An objective as Python code gives it: a word, an aim, or a mapping as in a file.

    Raises
    ------
    FieldErrors
        If it is something else.
    """
    return argument(ObjectiveKind(), objective, "objective")  # type: ignore[no-any-return]
