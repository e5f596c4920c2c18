"""Successive halving: equal parts of the budget for fewer and fewer candidates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from racing.base.quantities import Level
from racing.rules.schedule import Timetable, drawn_out


@dataclass(frozen=True, kw_only=True)
class SuccessiveHalving(Timetable):
    """Sequential halving (Karnin et al., 2013), known in tuning as successive halving.

    The budget is divided into as many equal parts as halvings lead to one candidate. Each part runs
    all remaining candidates on as many instances as it covers, and then the better half stays. All
    instances so far count, not only those of the last part.

    The budget is that of evaluations. If the instances would end first, all parts are extended in
    proportion until they spend it within the instances; a part that these cut short drops no
    candidate. Without a budget of evaluations, the same proportions are fitted to the instances; a
    race with neither is refused. The rule guarantees no error rate and spends the whole budget: the
    last two get the rest from rounding. A `first_test` of the scenario that no half can reach is
    refused.

    Attributes
    ----------
    keep
        Share of the candidates that stays after each part.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import SuccessiveHalving
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=SuccessiveHalving())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 114)
    """

    name: ClassVar[str] = "successive-halving"

    keep: Level = 0.5

    def places(self, candidates: int, *, n: int, evaluations: float, instances: float) -> int:
        """The number of initial candidates that stay after n instances with this budget."""
        sizes = _sizes(candidates, self.keep)
        passed = int((n >= _ends(tuple(sizes), evaluations, instances)).sum())
        return sizes[min(passed, len(sizes) - 1)]


def _sizes(candidates: int, keep: float) -> list[int]:
    """The number of candidates in each part, and 1 at the end."""
    sizes = [candidates]
    while sizes[-1] > 1:
        sizes.append(min(math.ceil(keep * sizes[-1]), sizes[-1] - 1))
    return sizes


@lru_cache(maxsize=64)  # the same at every test of a race
def _ends(sizes: tuple[int, ...], evaluations: float, instances: float) -> NDArray[np.float64]:
    """The numbers of instances at which the parts end, with this budget of the whole race."""
    parts = sizes[:-1] or sizes
    lengths = 1 / np.array(parts)

    def ends(budget: float) -> NDArray[np.float64]:
        # Karnin et al. (2013), algorithm 1: every part takes the same share of the evaluations
        return np.maximum(np.floor(budget / len(parts) * np.cumsum(lengths) + 1e-9), 1)

    if math.isinf(evaluations):
        return ends(instances / float(lengths.mean()))
    return ends(drawn_out(evaluations, instances, parts, ends))
