"""A metric: one of several numbers that measure an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from racing.base.errors import ExpressionError, InputError, show
from racing.base.quantities import Direction, NonNegative
from racing.base.records import INVALID, Checked, Errors, KeyDoc, Kind, Record, Short
from racing.base.records.collections import Named

Measure = Literal["cpu_time", "wall_time", "memory"]

TAKEN = ("seconds", "spent")
"""Reserved keys of an answer, which no metric may be named."""


@dataclass(frozen=True, kw_only=True)
class Metric(Checked):
    """One of several numbers that measure an experiment.

    Attributes
    ----------
    direction
        Whether lower (`minimize`) or higher (`maximize`) values are better.
    measure
        What racing measures itself, so that the target need not report it: `cpu_time` of processors
        or `wall_time` on the clock, in seconds; `memory`, the most that one process of a command
        held, in bytes: read at least every 20 ms, which may miss the peak of a process that ends
        within milliseconds. Without it the target reports the value.
    rope
        Two means that differ by no more than this are equal, where a front is looked for; in the
        metric's own unit, or in ranks with `scores: rank`.
    unit
        Printed behind values, such as `s` or `km`.

    Examples
    --------
    >>> from racing import Metric
    >>> Metric(direction="maximize", unit="%").direction
    'maximize'
    """

    direction: Direction = "minimize"
    measure: Measure | None = None
    rope: NonNegative = 0.0
    unit: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.measure is not None and self.direction == "maximize":
            raise InputError(
                f"direction must be minimize, as {self.measure} is measured, and less of it is "
                "better; got maximize"
            )


Metrics: TypeAlias = Mapping[str, Metric]
"""Name → metric, in the order of reported values."""


@dataclass(frozen=True)
class MetricsKind(Named):
    """A mapping from names that formulas can use to metrics."""

    item: Kind = Record(Metric, Short(((str, "direction"),), "minimize or maximize"))  # noqa: RUF009
    allowed: str = "a mapping from the names of metrics to their directions, or to more"
    least: int = 1

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        found = super().read(value, at, errors)
        try:
            if found is not INVALID:
                check_names(found)
        except InputError as error:
            errors.add(at, str(error))
            return INVALID
        return found

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        yield from self.item.key_docs(f"{path}.<name>")


def check_names(metrics: Metrics) -> None:
    """Refuse names that formulas or answers cannot use.

    Raises
    ------
    InputError
        If one of them cannot.
    """
    from racing.space.expressions import Name, parse

    for name in metrics:
        try:
            usable = parse(name) == Name(name)
        except ExpressionError:
            usable = False
        if not usable or not name.isidentifier():
            raise InputError(
                f"{show(name)} cannot be the name of a metric; take letters, digits and _, and no "
                "word of expressions, such as and"
            )
        if name in TAKEN:
            raise InputError(
                f"{name} cannot be the name of a metric: in an answer it has a meaning of its own"
            )
