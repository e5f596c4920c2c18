"""Parameters with a list of values: categorical, ordinal, boolean, and flags."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from racing.base.errors import InputError, must_be, show
from racing.base.records.collections import Several
from racing.base.records.leaves import VALUE, Leaf, Refused
from racing.space.parameter import Parameter, When
from racing.space.scale import Axis, UnitCells
from racing.space.values import Value, identity, is_number

_SHOWN = 8


def _switch(value: Any) -> str | None:
    if isinstance(value, str) or value is True:
        return None if value is True else value
    raise Refused


SWITCH = Leaf(
    "its switch, such as --fast, or true for --<name>",
    _switch,
    {"anyOf": [{"const": True}, {"type": "string", "pattern": r"\S"}]},
    lambda switch: True if switch is None else switch,
)


class Levels(Parameter):
    """The base of parameters with `levels`."""

    @property
    @abstractmethod
    def levels(self) -> tuple[Value, ...]:
        """The values in their order."""

    @property
    def allowed(self) -> str:
        """The domain in words."""
        shown = [_text(value) for value in self.levels[:_SHOWN]]
        many = len(self.levels)
        more = f", … ({many} values)" if many > len(shown) else ""
        return f"one of {', '.join(shown)}{more}"

    @property
    def size(self) -> float:
        """The number of values."""
        return len(self.levels)

    @cached_property
    def _places(self) -> dict[tuple[bool, object], int]:
        return {identity(level): place for place, level in enumerate(self.levels)}

    def place(self, value: object) -> int | None:
        """The index of a value in the levels; None if it is not a level."""
        try:
            return self._places.get(identity(value))
        except TypeError:  # a list, which has no hash
            return None

    def admit(self, value: object) -> Value | None:
        """The value in the list that equals this; None if there is none."""
        place = self.place(value)
        return None if place is None else self.levels[place]

    def count(self, low: Any, high: Any) -> Any:
        """The number of values, in an array of the shape of the bounds, which are NaN."""
        return np.full(np.shape(low), float(len(self.levels)))

    def axis(self, low: Any, high: Any) -> Axis:
        """The mapping between the index of a level and [0, 1]."""
        return UnitCells(0, len(self.levels), 1, "linear", whole=True)

    def sample(self, rng: np.random.Generator, n: int) -> list[Value]:
        """`n` independent uniform draws."""
        return [self.levels[i] for i in rng.integers(len(self.levels), size=n)]


@dataclass(frozen=True)
class _Listed(Levels):
    values: Annotated[Sequence[Value], Several(VALUE, least=1)]
    _: KW_ONLY
    default: Value | None = None
    switch: str | None = None
    when: When = None

    def __post_init__(self) -> None:
        if isinstance(self.values, str) or not isinstance(self.values, Sequence):
            raise InputError(must_be("values", "a list", self.values))
        object.__setattr__(self, "values", tuple(self.values))
        super().__post_init__()

    def _faults(self) -> Iterator[str]:
        if not self.values:
            yield "there must be one value or more; got none"
        seen: set[tuple[bool, object]] = set()
        for value in self.values:
            if not isinstance(value, str | bool) and not is_number(value):
                yield must_be("a value", "text, a finite number, true or false", value)
            elif identity(value) in seen:
                yield f"the values must differ; got {show(value)} twice"
            else:
                seen.add(identity(value))
        yield from super()._faults()

    @property
    def levels(self) -> tuple[Value, ...]:
        """The values in their order."""
        return tuple(self.values)


@dataclass(frozen=True)
class Categorical(_Listed):
    """One of a list of values; a single value is a fixed parameter.

    Attributes
    ----------
    values
        Text, numbers or booleans, each once; their order is kept.
    default
        The value if none is given.
    switch
        The text before the value on a command line; `--name=` by default. With a space at its
        end, switch and value are two arguments.
    when
        The condition under which the parameter is active, such as `algorithm == ils`.

    Examples
    --------
    >>> from racing.space import Categorical
    >>> Categorical(("greedy", "random"), default="greedy").levels
    ('greedy', 'random')
    """


@dataclass(frozen=True)
class Ordinal(_Listed):
    """One of a list of values that has an order, such as low, mid, high; or 1, 2, 4, 8.

    Expressions compare them by their order: `effort >= mid`. If all values are numbers, they are
    numbers in expressions too: `2 * size`.

    Attributes
    ----------
    values
        Text, numbers or booleans, each once, from one end of the order to the other.
    default
        The value if none is given.
    switch
        The text before the value on a command line; `--name=` by default. With a space at its
        end, switch and value are two arguments.
    when
        The condition under which the parameter is active, such as `algorithm == ils`.

    Examples
    --------
    >>> from racing.space import Ordinal
    >>> size = Ordinal(("small", "medium", "large"))
    >>> size.ordered, size.levels
    (True, ('small', 'medium', 'large'))
    """

    ordered = True


class _Truth(Levels):
    """The base of parameters that are true or false."""

    @property
    def levels(self) -> tuple[Value, ...]:
        """False, then true."""
        return (False, True)


@dataclass(frozen=True)
class Boolean(_Truth):
    """True or false; on a command line `--name=true` or `--name=false`.

    In expressions the name alone is a condition: `restarts and not fast`.

    Attributes
    ----------
    default
        The value if none is given.
    switch
        The text before the value on a command line; `--name=` by default. With a space at its
        end, switch and value are two arguments.
    when
        The condition under which the parameter is active, such as `algorithm == ils`.

    Examples
    --------
    >>> from racing.space import Boolean
    >>> Boolean(default=True).levels
    (False, True)
    """

    _: KW_ONLY
    default: bool | None = None
    switch: str | None = None
    when: When = None


@dataclass(frozen=True, kw_only=True)
class Flag(_Truth):
    """A switch that is present (true) or absent (false): `--fast`, without a value.

    In expressions the name alone is a condition: `fast and depth > 3`.

    Attributes
    ----------
    switch
        The text on the command line if the flag is true; `--name` by default. Spaces separate
        arguments.
    default
        The value if none is given.
    when
        The condition under which the parameter is active, such as `algorithm == ils`.

    Examples
    --------
    >>> from racing.space import Flag
    >>> Flag(switch="--fast").levels
    (False, True)
    """

    switch: Annotated[str | None, SWITCH] = None
    default: bool | None = None
    when: When = None

    def _faults(self) -> Iterator[str]:
        yield from super()._faults()
        if self.switch is not None and not self.switch.strip():
            yield must_be("the switch of a flag", "text, not empty", self.switch)


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
