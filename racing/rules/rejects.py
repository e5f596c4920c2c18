"""Successive rejects: the last one leaves, at intervals that grow as the field shrinks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from racing.rules.schedule import Timetable, drawn_out


@dataclass(frozen=True, kw_only=True)
class SuccessiveRejects(Timetable):
    """Successive rejects (Audibert et al., 2010).

    With m candidates and a budget of B evaluations, the k-th of m − 1 candidates to go leaves after

        ⌈(B − m) / (L · (m + 1 − k))⌉,   L = ½ + 1/2 + 1/3 + … + 1/m

    instances: whoever then stands last. Where the instances would end first, B is increased until
    the schedule spends the budget within the instances; who would leave after the last instance
    stays. Without a budget of evaluations, B is what lets the last one leave at the last instance;
    a race with neither is refused. It promises no error rate, and spends all that it is given;
    what rounding leaves goes to the last two.
    """

    name: ClassVar[str] = "successive-rejects"

    def places(self, candidates: int, *, n: int, evaluations: float, instances: float) -> int:
        """How many of the candidates at the start stay after n instances, if this is the budget."""
        return candidates - int((n >= _ends(candidates, evaluations, instances)).sum())


@lru_cache(maxsize=64)  # the same at every look of a race
def _ends(m: int, evaluations: float, instances: float) -> NDArray[np.float64]:
    """After how many instances each of the m − 1 leaves, if the whole race may use this."""
    sizes = np.arange(m, 1, -1)
    share = 0.5 + float((1 / sizes).sum())  # Audibert et al. (2010), figure 1

    def ends(budget: float) -> NDArray[np.float64]:
        due: NDArray[np.float64] = np.ceil((budget - m) / (share * sizes) - 1e-9)
        return np.maximum(due, 1)

    if math.isinf(evaluations):
        return ends(m + 2 * share * instances)
    return ends(drawn_out(evaluations, instances, sizes.tolist(), ends))
