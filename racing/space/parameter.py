"""The base of all parameters, their names, and what they share."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypeAlias

import numpy as np

from racing.base.errors import InputError, must_be
from racing.base.records.leaves import Leaf, Refused
from racing.space.expressions.nodes import Node
from racing.space.expressions.render import render
from racing.space.scale import Axis
from racing.space.values import Value, Values, is_number

__all__ = [
    "CLAUSE", "Clause", "Configuration", "Parameter", "Value", "Values", "When", "is_clause",
    "is_number", "name_error",
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


def _clause(value: Any) -> Any:
    if isinstance(value, Node) or (isinstance(value, str) and value.strip()):
        return value
    raise Refused


CLAUSE = Leaf(
    "an expression, such as algorithm == ils",
    _clause,
    {"type": "string", "pattern": r"\S"},
    lambda clause: render(clause) if isinstance(clause, Node) else clause,
)

Configuration: TypeAlias = Mapping[str, Value]
Clause: TypeAlias = str | Node
"""An expression, as text or as a tree."""
When: TypeAlias = Annotated[Clause | None, CLAUSE]


class Parameter(ABC):
    """A parameter of the algorithm: its domain, default, and switch.

    Kinds are frozen dataclasses. There are two sorts: those with `levels`, and `Numeric` ones with
    two bounds.

    Attributes
    ----------
    default
        The value if none is given; None if it must be given.
    switch
        The text before the value on a command line; None for `--name=`.
    when
        The condition under which the parameter is active; None for always.
    ordered
        Whether the values have an order.

    Examples
    --------
    >>> from racing.space import Categorical, Parameter, Real
    >>> parameters = [Real(0, 1), Categorical(["ils", "aco"])]
    >>> [(each.allowed, each.size, each.admit("aco")) for each in parameters]
    [('a number from 0.0 to 1.0', inf, None), ('one of ils, aco', 2, 'aco')]
    >>> isinstance(parameters[0], Parameter)
    True
    """

    default: Value | None
    switch: str | None
    when: Clause | None
    ordered: bool = False

    @property
    def levels(self) -> tuple[Value, ...] | None:
        """The values in their order; None for an interval."""
        return None

    @property
    @abstractmethod
    def allowed(self) -> str:
        """The domain as text, for messages."""

    @property
    @abstractmethod
    def size(self) -> float:
        """The number of values; inf for a continuum, NaN if it depends on others."""

    @abstractmethod
    def count(self, low: Any, high: Any) -> Any:
        """The number of values within bounds: arrays of one shape, or numbers."""

    @abstractmethod
    def axis(self, low: Any, high: Any) -> Axis:
        """The mapping between values as expressions see them, within bounds, and [0, 1]."""

    @abstractmethod
    def admit(self, value: object) -> Value | None:
        """The value in the parameter's own type; None if it is outside the domain."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, n: int) -> list[Any]:
        """`n` independent draws, as plain Python values."""

    def __post_init__(self) -> None:
        for error in self._faults():
            raise InputError(error)

    def _faults(self) -> Iterator[str]:
        """The errors of the options; a kind yields those of its domain before."""
        if self.default is not None and self.admit(self.default) is None:
            yield must_be("the default", self.allowed, self.default)
        if self.switch is not None and not isinstance(self.switch, str):
            yield must_be("the switch", "text", self.switch)
        if self.when is not None and not is_clause(self.when):
            yield must_be("when", "a condition such as 'algorithm == ils'", self.when)


def is_clause(value: object) -> bool:
    """Whether this can be an expression; a number in quotes cannot."""
    if not isinstance(value, str) or not value.strip():
        return isinstance(value, Node)
    try:
        float(value)
    except ValueError:
        return True
    return False
