"""What every kind of parameter can do, and the checks that the kinds share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from racing.errors import show
from racing.space.expressions.nodes import Node
from racing.space.scale import Axis
from racing.space.values import Value, Values, identity, is_number, same

__all__ = [
    "Bound", "Clause", "Configuration", "Numeric", "Parameter", "Value", "Values", "identity",
    "is_clause", "is_number", "option_faults", "same",
]  # fmt: skip

Configuration = Mapping[str, Value]
Clause = str | Node  # an expression, as text or as the tree that another front end built
Bound = float | Clause


@runtime_checkable
class Parameter(Protocol):
    """One setting of the algorithm: its domain, its default, and how it is passed on.

    Kinds are frozen dataclasses, one per file. There are two sorts: those with `levels`, and
    `Numeric` ones with two bounds.
    """

    @property
    def default(self) -> Value | None:
        """The value where none is given; None if it must be given."""

    @property
    def switch(self) -> str | None:
        """What a command line puts before the value; None for `--name=`."""

    @property
    def when(self) -> Clause | None:
        """The condition under which the parameter is active; None for always."""

    @property
    def allowed(self) -> str:
        """The domain in words, for messages."""

    @property
    def size(self) -> float:
        """How many values there are; inf for a continuum, NaN if it depends on others."""

    @property
    def levels(self) -> tuple[Value, ...] | None:
        """The values in their order; None for an interval."""

    @property
    def ordered(self) -> bool:
        """Whether neighbours among the values are closer to each other than the rest."""

    def admit(self, value: object) -> Value | None:
        """The value in the parameter's own type; None if it is outside the domain."""

    def sample(self, rng: np.random.Generator, n: int) -> list[Any]:
        """`n` independent draws, as plain Python values."""


class Numeric(Parameter, Protocol):
    """A parameter with two bounds, each a number or an expression over other parameters."""

    @property
    def low(self) -> Bound:
        """The lower end of the interval."""

    @property
    def high(self) -> Bound:
        """The upper end of the interval."""

    def between(self, low: float, high: float) -> Numeric:
        """The parameter with these bounds in place of its expressions."""

    def ends(self, low: Any, high: Any) -> tuple[Any, Any]:
        """The least and the largest value within the bounds; arrays of one shape, or numbers."""

    def axis(self, low: Any, high: Any) -> Axis:
        """The way between values within the bounds and [0, 1]; arrays of one shape, or numbers."""

    def count(self, low: Any, high: Any) -> Any:
        """How many values there are within the bounds; 0 if there are none."""


def is_clause(value: object) -> bool:
    """Whether this can be an expression; a number in quotes is none."""
    if not isinstance(value, str) or not value.strip():
        return isinstance(value, Node)
    try:
        float(value)
    except ValueError:
        return True
    return False


def option_faults(parameter: Parameter) -> Iterator[str]:
    """What is wrong with the options of a parameter whose domain is sound."""
    if parameter.default is not None and parameter.admit(parameter.default) is None:
        yield f"the default {show(parameter.default)} is not {parameter.allowed}"
    if parameter.switch is not None and not isinstance(parameter.switch, str):
        yield f"the switch must be text, not {show(parameter.switch)}"
    if parameter.when is not None and not is_clause(parameter.when):
        yield f"when must be a condition such as 'algorithm == ils', not {show(parameter.when)}"
