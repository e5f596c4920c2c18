"""Successive rejects: drops the worst candidate, at growing intervals."""

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

    With m candidates and a budget of B evaluations, the k-th of m − 1 eliminations comes after

        ⌈(B − m) / (L · (m + 1 − k))⌉,   L = ½ + 1/2 + 1/3 + … + 1/m

    instances, and drops the worst candidate. If the instances would end first, B is increased until
    the schedule spends the budget within the instances; eliminations after the last instance are
    left out. Without a budget of evaluations, B is chosen so that the last elimination is at the
    last instance; a race with neither is refused. The rule guarantees no error rate and spends the
    whole budget: the last two get the rest from rounding.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import SuccessiveRejects
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=SuccessiveRejects())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 143)
    """

    name: ClassVar[str] = "successive-rejects"

    def places(self, candidates: int, *, n: int, evaluations: float, instances: float) -> int:
        """The number of initial candidates that stay after n instances with this budget."""
        return candidates - int((n >= _ends(candidates, evaluations, instances)).sum())


@lru_cache(maxsize=64)  # the same at every test of a race
def _ends(m: int, evaluations: float, instances: float) -> NDArray[np.float64]:
    """The numbers of instances at the m − 1 eliminations, with this budget of the whole race."""
    sizes = np.arange(m, 1, -1)
    share = 0.5 + float((1 / sizes).sum())  # Audibert et al. (2010), figure 1

    def ends(budget: float) -> NDArray[np.float64]:
        due: NDArray[np.float64] = np.ceil((budget - m) / (share * sizes) - 1e-9)
        return np.maximum(due, 1)

    if math.isinf(evaluations):
        return ends(m + 2 * share * instances)
    return ends(drawn_out(evaluations, instances, sizes.tolist(), ends))
