"""Kinds of numbers that users give, each with its range and unit.

They annotate the fields of all records of a scenario; the reader takes ranges and units from them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Direction: TypeAlias = Literal["minimize", "maximize"]
"""Whether scores are minimized or maximized."""

Number = TypeVar("Number", float, "NDArray[np.float64]")
MaybeNumber = TypeVar("MaybeNumber", float, "float | None", "NDArray[np.float64]")


def cost_of(score: Number, direction: Direction) -> Number:
    """A score of the user's target as a cost: lower is better."""
    return score if direction == "minimize" else 0.0 - score  # 0.0 - 0.0 is not -0.0


def score_of(cost: MaybeNumber, direction: Direction) -> MaybeNumber:
    """A cost as the score of the user's target; None stays None."""
    return cost if cost is None else cost_of(cost, direction)


MOST_COST = 1e75
"""The largest size of a cost: a million fourth powers of differences then have a finite sum."""


def unusable(score: float, direction: Direction = "minimize") -> str:
    """Why a score cannot be a cost, but counts as a failure; empty if it can be one."""
    if abs(score) <= MOST_COST:
        return ""
    if math.isnan(score):
        return f"{score} is not a cost"
    if math.isfinite(score):
        return f"{score} is beyond {MOST_COST:g}, the largest cost, and so counts as a failure"
    if cost_of(score, direction) > 0:
        return f"{score} is worse than any cost, and so counts as a failure"
    return f"{score} is better than any answer can be"


def limited(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores, with infinities of the same sign for those beyond the largest cost."""
    import numpy as np

    return np.where(np.abs(scores) > MOST_COST, np.copysign(np.inf, scores), scores)


@dataclass(frozen=True)
class Quantity:
    """A kind of number: its range, and the unit of text such as `30m`.

    `special` is a number outside the range with a special meaning.
    """

    allowed: str
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    unit: Literal["", "time", "memory", "rate"] = ""
    special: float | None = None

    def admits(self, value: float) -> bool:
        """Whether a number is in the range or the special one; False for NaN."""
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
Risk = Annotated[
    float, Quantity("a number above 0, and 0.5 at most", low=0, high=0.5, open_low=True)
]
RISK = 0.05
"""With a larger probability of being worse than the default, nothing wins over it, by default."""
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
Rate = Annotated[
    float,
    Quantity("a rate above 0, such as 50/s, 3000/min or 900/h", low=0, open_low=True, unit="rate"),
]
