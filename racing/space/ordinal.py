"""An ordinal parameter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass

from racing.errors import InputError, show
from racing.space.levels import Levels, value_faults
from racing.space.parameter import Clause, Value, option_faults


@dataclass(frozen=True)
class Ordinal(Levels):
    """One of a list of values that has an order, such as low, mid, high; or 1, 2, 4, 8.

    Expressions compare them by their order: `effort >= mid`. Values that are all numbers are
    numbers in expressions too: `2 * size`.

    Attributes
    ----------
    values
        Text, numbers or booleans, each once, from one end of the order to the other.
    default
        The value where none is given.
    switch
        What a command line puts before the value; `--name=` by default. One that ends in a space
        makes two arguments.
    when
        The condition under which the parameter is active, such as `algorithm == ils`.
    """

    values: Sequence[Value]
    _: KW_ONLY
    default: Value | None = None
    switch: str | None = None
    when: Clause | None = None

    ordered = True

    def __post_init__(self) -> None:
        if isinstance(self.values, str) or not isinstance(self.values, Sequence):
            raise InputError(f"the values must be a list, not {show(self.values)}")
        object.__setattr__(self, "values", tuple(self.values))
        for error in self._faults():
            raise InputError(error)

    def _faults(self) -> Iterator[str]:
        yield from value_faults(self.levels)
        yield from option_faults(self)

    @property
    def levels(self) -> tuple[Value, ...]:
        """The values in their order."""
        return tuple(self.values)
