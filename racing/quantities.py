"""Kinds of numbers that a user gives: what each allows is said once, beside its name.

The annotations below stand on the fields of every record that a scenario can hold; its reader
takes the ranges and the units from them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

Direction: TypeAlias = Literal["minimize", "maximize"]
"""Whether lower or higher scores are better."""


@dataclass(frozen=True)
class Quantity:
    """A kind of number: its range, and the unit that text such as `30m` is read in.

    `special` is a number outside the range that has a meaning of its own.
    """

    allowed: str
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    unit: Literal["", "time", "memory"] = ""
    special: float | None = None

    def admits(self, value: float) -> bool:
        """Whether a number is in the range, or the special one; NaN never is."""
        if value == self.special:
            return True
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        return above and below


Count = Annotated[int, Quantity("a whole number, 1 or more", low=1)]
RunSeed = Annotated[int, Quantity("a whole number from 0 to 2^63 - 1", low=0, high=2**63 - 1)]
Natural = Annotated[int, Quantity("a whole number, 0 or more", low=0)]
Jobs = Annotated[
    int, Quantity("a whole number, 1 or more, or -1 for one per processor", low=1, special=-1)
]
ExitStatus = Annotated[int, Quantity("a whole number from 0 to 255", low=0, high=255)]
Factor = Annotated[float, Quantity("a number, 1 or more", low=1)]
Level = Annotated[
    float, Quantity("a number above 0 and below 1", low=0, high=1, open_low=True, open_high=True)
]
HalfLevel = Annotated[
    float,
    Quantity("a number above 0 and below 0.5", low=0, high=0.5, open_low=True, open_high=True),
]
Correlation = Annotated[
    float, Quantity("a number from 0 to below 1", low=0, high=1, open_high=True)
]
Share = Annotated[float, Quantity("a share from 0 to 1", low=0, high=1)]
Positive = Annotated[float, Quantity("a number above 0", low=0, open_low=True)]
NonNegative = Annotated[float, Quantity("a number, 0 or more", low=0)]
Seconds = Annotated[
    float, Quantity("a time above 0, such as 90s, 30m, 2h or 1d", low=0, open_low=True, unit="time")
]
Bytes = Annotated[
    int, Quantity("an amount of memory, such as 512MiB or 2GiB", low=1, unit="memory")
]
