"""A real parameter."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass

import numpy as np

from racing.errors import InputError
from racing.space.parameter import interval_faults, is_number, option_faults


@dataclass(frozen=True)
class Real:
    """A number from a closed interval.

    Attributes
    ----------
    low, high
        The ends of the interval; both are allowed.
    log
        Whether the scale is logarithmic: equal ratios are equally likely. Needs `low` > 0.
    default
        The value where none is given.
    switch
        What a command line puts before the value; `--name=` by default. One that ends in a space
        makes two arguments.
    """

    low: float
    high: float
    _: KW_ONLY
    log: bool = False
    default: float | None = None
    switch: str | None = None

    def __post_init__(self) -> None:
        for fault in self._faults():
            raise InputError(fault)
        for end in ("low", "high", "default"):
            if getattr(self, end) is not None:
                object.__setattr__(self, end, float(getattr(self, end)))

    def _faults(self) -> Iterator[str]:
        yield from interval_faults(self.low, self.high, self.log)
        if not math.isfinite(float(self.high) - float(self.low)):
            yield f"the interval from {self.low} to {self.high} is wider than a number can say"
        yield from option_faults(self)

    @property
    def allowed(self) -> str:
        """The domain in words."""
        return f"a number from {self.low} to {self.high}"

    @property
    def size(self) -> float:
        """How many values there are: no end of them."""
        return math.inf

    def admit(self, value: object) -> float | None:
        """The value as a float; None if it is outside the interval."""
        if not is_number(value) or not self.low <= value <= self.high:  # type: ignore[operator]
            return None
        return float(value)  # type: ignore[arg-type]

    def sample(self, rng: np.random.Generator, n: int) -> list[float]:
        """`n` independent draws, uniform on the scale."""
        if not self.log:
            drawn = rng.uniform(self.low, self.high, n)
        else:
            drawn = np.exp(rng.uniform(math.log(self.low), math.log(self.high), n))
        # rounding in exp and log may leave the interval by one unit in the last place
        values: list[float] = np.clip(drawn, self.low, self.high).tolist()
        return values
