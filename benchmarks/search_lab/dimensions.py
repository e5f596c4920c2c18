"""What the spaces of the targets are made of: numbers and categories, some of them conditional."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class Dimension:
    """One parameter of a target.

    Attributes
    ----------
    low, high
        Ends of the interval; of a categorical 0 and the number of its values less 1.
    choices
        How many values a categorical has; 0 for a number.
    integer, log
        Whole numbers only; uniform in the logarithm.
    parent, values
        It is active only where this categorical has one of these values.
    """

    name: str
    low: float
    high: float
    choices: int = 0
    integer: bool = False
    log: bool = False
    parent: str | None = None
    values: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.name} {self.low:g}…{self.high:g}>"

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of the scale that is drawn from; whole numbers have one more, to be cut off."""
        high = self.high + self.integer
        if self.log:
            return math.log(max(self.low, 1e-12)), math.log(max(high, 1e-12))
        return self.low, high

    def draw(self, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """(n,) uniform values."""
        if self.choices:
            return rng.integers(0, self.choices, n).astype(float)
        drawn = rng.uniform(*self.ends, n)
        values = np.exp(drawn) if self.log else drawn
        if self.integer:
            values = np.floor(values)
        return np.clip(values, self.low, self.high)


def category(name: str, choices: int, parent: str | None = None, *values: int) -> Dimension:
    """A categorical with the values 0, 1, …"""
    return Dimension(
        name=name, low=0, high=choices - 1, choices=choices, parent=parent, values=values
    )


def number(
    name: str, low: float, high: float, parent: str | None = None, *values: int, kind: str = "r"
) -> Dimension:
    """A number; `kind` has the letters `r` or `i`, real or integer, and `l` for a log scale."""
    return Dimension(
        name=name,
        low=low,
        high=high,
        integer="i" in kind,
        log="l" in kind,
        parent=parent,
        values=values,
    )
