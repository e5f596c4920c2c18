"""An integer parameter."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np

from racing.base.errors import InputError, must_be
from racing.space.interval import SLACK, bound_text, interval_faults, is_fixed, step_faults
from racing.space.parameter import Bound, Clause, is_number, option_faults
from racing.space.scale import Axis, Scale, UnitCells

LARGEST = 2**53  # beyond it, floats cannot represent all whole numbers


@dataclass(frozen=True)
class Integer:
    """A whole number from a closed interval.

    Attributes
    ----------
    low, high
        The ends of the interval; both are allowed, at most 2⁵³ in size. Text is an expression over
        other parameters; a lower end is rounded up to a whole number, an upper one down. What it
        comes to has the same limit.
    log
        Whether the scale is logarithmic: i has the share of [i, i + 1) on it, as in irace. Needs
        `low` > 0.
    step
        Distance between the allowed values, counted from `low`.
    default
        The value if none is given.
    switch
        The text before the value on a command line; `--name=` by default. With a space at its end,
        switch and value are two arguments.
    when
        The condition under which the parameter is active, such as `algorithm == ils`.

    Examples
    --------
    >>> from racing.space import Integer
    >>> Integer(1, 100, log=True, default=10).size
    100
    >>> Integer(1, 9).admit(3.0), Integer(1, 9).admit(12)
    (3, None)
    """

    low: Bound
    high: Bound
    _: KW_ONLY
    log: bool = False
    step: int | None = None
    default: int | None = None
    switch: str | None = None
    when: Clause | None = None

    levels = None
    ordered = True

    def __post_init__(self) -> None:
        for error in self._faults():
            raise InputError(error)
        for end in ("low", "high", "default", "step"):
            if is_number(getattr(self, end)):
                object.__setattr__(self, end, int(getattr(self, end)))

    def _faults(self) -> Iterator[str]:
        yield from interval_faults(self.low, self.high, self.log)
        for end in (self.low, self.high):
            if is_number(end) and (end != int(end) or abs(end) > LARGEST):  # type: ignore[arg-type]
                yield f"the ends must be whole numbers of at most 2^53 in size; got {end!r}"
        if self.step is not None and (not is_number(self.step) or self.step != int(self.step)):
            yield must_be("the step", "a whole number", self.step)
        yield from step_faults(self.step, self.low, self.high)
        yield from option_faults(self)

    @property
    def scale(self) -> Scale:
        """The scale by its name."""
        return "log" if self.log else "linear"

    @property
    def allowed(self) -> str:
        """The domain as text."""
        steps = f" in steps of {self.step}" if self.step is not None else ""
        return f"a whole number from {_end(self.low)} to {_end(self.high)}{steps}"

    @property
    def size(self) -> float:
        """The number of values."""
        if not is_fixed(self.low, self.high):
            return math.nan
        return (self.high - self.low) // (self.step or 1) + 1  # type: ignore[operator]

    def between(self, low: float, high: float) -> Integer:
        """The parameter with these bounds in place of its expressions."""
        whole = replace(self, low=1, high=2, step=None, default=None)
        least, most = self.ends(low, high)
        for name, number in (("low", int(least)), ("high", int(most)), ("step", self.step)):
            object.__setattr__(whole, name, number)
        return whole

    def admit(self, value: object) -> int | None:
        """The value as an int (10.0 is 10); None if it is not in the domain or not whole."""
        if not is_number(value) or value != int(value):  # type: ignore[call-overload]
            return None
        number = int(value)  # type: ignore[call-overload]
        if is_fixed(self.low, self.high):
            if not self.low <= number <= self.high:
                return None
            if self.step is not None and (number - self.low) % self.step:
                return None
        return int(number)

    def sample(self, rng: np.random.Generator, n: int) -> list[int]:
        """`n` independent draws, uniform on the scale."""
        drawn = self.axis(self.low, self.high).value(rng.random(n))
        values: list[int] = drawn.astype(np.int64).tolist()
        return values

    def ends(self, low: Any, high: Any) -> tuple[Any, Any]:
        """The least and the largest value within the bounds; see `Numeric`."""
        least = np.ceil(low - SLACK)
        return least, least + (self.count(low, high) - 1) * (self.step or 1)

    def axis(self, low: Any, high: Any) -> Axis:
        """The mapping between whole numbers, as floats, and [0, 1]; see `Numeric`."""
        least = np.ceil(low - SLACK)
        return UnitCells(least, self.count(low, high), self.step or 1, self.scale, whole=True)

    def count(self, low: Any, high: Any) -> Any:
        """The number of values within the bounds; see `Numeric`."""
        width = np.floor(high + SLACK) - np.ceil(low - SLACK)
        return np.maximum(np.floor(width / (self.step or 1)) + 1, 0)


def _end(bound: Bound) -> str:
    return str(int(bound)) if isinstance(bound, float) else bound_text(bound)
