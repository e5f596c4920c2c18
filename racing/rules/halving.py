"""Successive halving: equal shares of the budget for ever fewer candidates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from racing.quantities import Level
from racing.rules.schedule import Timetable, drawn_out


@dataclass(frozen=True, kw_only=True)
class SuccessiveHalving(Timetable):
    """Sequential halving (Karnin et al., 2013), known in tuning as successive halving.

    The budget is cut into as many equal parts as it takes to come down to one candidate by halves.
    A part is spent on all who are left, on as many instances as it pays for, and then the better
    half stays. All instances seen so far count, not only those of the last part.

    The budget is that of evaluations. Where the instances would end first, all parts are drawn out
    in their proportions until they spend it within the instances; a part that is cut short by these
    lets nobody go. Without a budget of evaluations the same proportions are fitted to the
    instances; a race with neither is refused. It promises no error rate, and spends all that it is
    given: what rounding leaves goes to the last two. A `first_test` of the scenario that no half
    can reach is refused.

    Attributes
    ----------
    keep
        Share of the candidates that stays each time.
    """

    name: ClassVar[str] = "successive-halving"

    keep: Level = 0.5

    def places(self, candidates: int, *, n: int, evaluations: float, instances: float) -> int:
        """How many of the candidates at the start stay after n instances, if this is the budget."""
        sizes = _sizes(candidates, self.keep)
        passed = int((n >= _ends(tuple(sizes), evaluations, instances)).sum())
        return sizes[min(passed, len(sizes) - 1)]


def _sizes(candidates: int, keep: float) -> list[int]:
    """How many there are in each part, and one in the end."""
    sizes = [candidates]
    while sizes[-1] > 1:
        sizes.append(min(math.ceil(keep * sizes[-1]), sizes[-1] - 1))
    return sizes


@lru_cache(maxsize=64)  # the same at every look of a race
def _ends(sizes: tuple[int, ...], evaluations: float, instances: float) -> NDArray[np.float64]:
    """After how many instances each part ends, if this is what the whole race may use."""
    parts = sizes[:-1] or sizes
    lengths = 1 / np.array(parts)

    def ends(budget: float) -> NDArray[np.float64]:
        # Karnin et al. (2013), algorithm 1: every part takes the same share of the evaluations
        return np.maximum(np.floor(budget / len(parts) * np.cumsum(lengths) + 1e-9), 1)

    if math.isinf(evaluations):
        return ends(instances / float(lengths.mean()))
    return ends(drawn_out(evaluations, instances, parts, ends))
