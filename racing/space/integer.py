"""An integer parameter."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass

import numpy as np

from racing.errors import InputError
from racing.space.parameter import interval_faults, is_number, option_faults

_LARGEST = 2**53  # beyond it a float, and so a logarithm, cannot tell neighbours apart


@dataclass(frozen=True)
class Integer:
    """A whole number from a closed interval.

    Attributes
    ----------
    low, high
        The ends of the interval; both are allowed, at most 2⁵³ in size.
    log
        Whether the scale is logarithmic: i has the share of [i − ½, i + ½] on it. Needs `low` > 0.
    default
        The value where none is given.
    switch
        What a command line puts before the value; `--name=` by default. One that ends in a space
        makes two arguments.
    """

    low: int
    high: int
    _: KW_ONLY
    log: bool = False
    default: int | None = None
    switch: str | None = None

    def __post_init__(self) -> None:
        for fault in self._faults():
            raise InputError(fault)
        for end in ("low", "high", "default"):
            if getattr(self, end) is not None:
                object.__setattr__(self, end, int(getattr(self, end)))

    def _faults(self) -> Iterator[str]:
        yield from interval_faults(self.low, self.high, self.log)
        for end in (self.low, self.high):
            if end != int(end) or abs(end) > _LARGEST:
                yield f"the ends must be whole numbers of at most 2^53 in size, not {end!r}"
        yield from option_faults(self)

    @property
    def allowed(self) -> str:
        """The domain in words."""
        return f"a whole number from {int(self.low)} to {int(self.high)}"

    @property
    def size(self) -> float:
        """How many values there are."""
        return self.high - self.low + 1

    def admit(self, value: object) -> int | None:
        """The value as an int (10.0 is 10); None if it is outside the interval or not whole."""
        if not is_number(value) or not self.low <= value <= self.high:  # type: ignore[operator]
            return None
        return int(value) if value == int(value) else None  # type: ignore[call-overload]

    def sample(self, rng: np.random.Generator, n: int) -> list[int]:
        """`n` independent draws, uniform on the scale."""
        if not self.log:
            drawn = rng.integers(self.low, self.high, n, endpoint=True)
        else:
            ends = math.log(self.low - 0.5), math.log(self.high + 0.5)
            rounded = np.floor(np.exp(rng.uniform(*ends, n)) + 0.5)
            drawn = np.clip(rounded, self.low, self.high).astype(np.int64)
        values: list[int] = drawn.tolist()
        return values
