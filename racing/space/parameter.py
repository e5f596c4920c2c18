"""The protocols of parameters, their names, and checks that all kinds share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from racing.base.errors import must_be
from racing.space.expressions.nodes import Node
from racing.space.scale import Axis
from racing.space.values import Value, Values, identity, is_number, same

__all__ = [
    "Bound", "Clause", "Configuration", "Numeric", "Parameter", "Value", "Values", "identity",
    "is_clause", "is_number", "option_faults", "same",
]  # fmt: skip

RESERVED = ("name", "values")  # reserved words in a list of candidates
PATTERN = r"(?!\d[\d.]*([eE][+-]?\d+)?$)[\w@][\w.:@-]*"
"""A name; text that is a number is not allowed. Expressions quote some names: see `render`."""

_ALLOWED = (
    "start with a letter, a digit, _ or @, then letters, digits, _, ., -, : and @; "
    "a number is not a name"
)


def name_error(name: object) -> str | None:
    """The error of a parameter's name, if any."""
    if not isinstance(name, str):
        return must_be("the name of a parameter", "text", name)
    if not re.fullmatch(PATTERN, name):
        return f"{name!r:.80} cannot name a parameter: {_ALLOWED}"
    if name in RESERVED:
        return f"{name!r} cannot name a parameter: lists of candidates use it; choose another word"
    return None


Configuration = Mapping[str, Value]
Clause = str | Node  # an expression, as text or as a tree
Bound = float | Clause


@runtime_checkable
class Parameter(Protocol):
    """A parameter of the algorithm: its domain, default, and switch.

    Kinds are frozen dataclasses, one per file. There are two sorts: those with `levels`, and
    `Numeric` ones with two bounds.

    Examples
    --------
    >>> from racing.space import Categorical, Parameter, Real
    >>> parameters = [Real(0, 1), Categorical(["ils", "aco"])]
    >>> [(each.allowed, each.size, each.admit("aco")) for each in parameters]
    [('a number from 0.0 to 1.0', inf, None), ('one of ils, aco', 2, 'aco')]
    >>> isinstance(parameters[0], Parameter)
    True
    """

    @property
    def default(self) -> Value | None:
        """The value if none is given; None if it must be given."""

    @property
    def switch(self) -> str | None:
        """The text before the value on a command line; None for `--name=`."""

    @property
    def when(self) -> Clause | None:
        """The condition under which the parameter is active; None for always."""

    @property
    def allowed(self) -> str:
        """The domain as text, for messages."""

    @property
    def size(self) -> float:
        """The number of values; inf for a continuum, NaN if it depends on others."""

    @property
    def levels(self) -> tuple[Value, ...] | None:
        """The values in their order; None for an interval."""

    @property
    def ordered(self) -> bool:
        """Whether the values have an order."""

    def admit(self, value: object) -> Value | None:
        """The value in the parameter's own type; None if it is outside the domain."""

    def sample(self, rng: np.random.Generator, n: int) -> list[Any]:
        """`n` independent draws, as plain Python values."""


class Numeric(Parameter, Protocol):
    """A parameter with two bounds, each a number or an expression over other parameters.

    Examples
    --------
    >>> from racing.space import Integer
    >>> parameter = Integer(1, "ants / 2")
    >>> parameter.low, parameter.high
    (1, 'ants / 2')
    >>> parameter.between(1, 10).allowed
    'a whole number from 1 to 10'
    """

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
        """The mapping between values and [0, 1]; bounds are arrays of one shape, or numbers."""

    def count(self, low: Any, high: Any) -> Any:
        """The number of values within the bounds; 0 if there are none."""


def is_clause(value: object) -> bool:
    """Whether this can be an expression; a number in quotes cannot."""
    if not isinstance(value, str) or not value.strip():
        return isinstance(value, Node)
    try:
        float(value)
    except ValueError:
        return True
    return False


def option_faults(parameter: Parameter) -> Iterator[str]:
    """The errors of the options of a parameter with a valid domain."""
    if parameter.default is not None and parameter.admit(parameter.default) is None:
        yield must_be("the default", parameter.allowed, parameter.default)
    if parameter.switch is not None and not isinstance(parameter.switch, str):
        yield must_be("the switch", "text", parameter.switch)
    if parameter.when is not None and not is_clause(parameter.when):
        yield must_be("when", "a condition such as 'algorithm == ils'", parameter.when)
