"""Rules with a schedule, which drop a set number of candidates at set times.

Successive halving, and successive rejects.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.base.quantities import Level
from racing.core.goal import Kind
from racing.core.objective import merits
from racing.core.results import Results
from racing.core.verdict import Elimination, Reason, eliminations
from racing.rules.plan import LAST
from racing.rules.rule import ORDERED, Outlook, Places, RuleBase

Floats = NDArray[np.float64]


class Timetable(RuleBase):
    """A rule that keeps `places` candidates after each number of instances."""

    name: ClassVar[str]
    serves: ClassVar[tuple[Kind, ...]] = ORDERED

    @abstractmethod
    def places(self, candidates: int, *, n: int, evaluations: float, instances: float) -> int:
        """The number of initial candidates that stay after n instances with this budget."""

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Drop all but the best, as many as the schedule keeps; the worst last.

        The last two stay while the budget covers another instance for both: they get the rest from
        rounding. The statistic is that of the objective, the mean rank or the mean cost.
        """
        self.check(outlook)
        number = self._places(results, outlook, len(results.costs))
        if number < LAST and LAST <= outlook.evaluations < math.inf and outlook.instances >= 1:
            number = LAST
        by_rank = outlook.objective == "rank"
        merit = merits(results, "rank")[:, 0] if by_rank else results.judged.mean_costs
        kept, place = max(number, 1), np.argsort(order) + 1
        against = order[min(kept, len(order)) - 1]
        return eliminations(
            results, order[kept:], against, "place", place, kept, merit, Reason.SCHEDULE
        )

    def _places(self, results: Results, outlook: Outlook, n: int) -> int:
        """The same with the budget of this race."""
        evaluations, instances = whole(results, outlook)
        many = len(results.candidates)
        return self.places(many, n=n, evaluations=evaluations, instances=instances)

    def next_drop(self, results: Results, outlook: Outlook) -> float:
        """The number of instances at which the schedule keeps fewer than there are."""
        n, k = len(results.costs), len(results.survivors)

        def fewer(seen: int) -> bool:
            return self._places(results, outlook, seen) < k

        end = int(min(outlook.instances, outlook.evaluations // k)) + 1
        return n + 1 + bisect_left(range(n + 1, n + end), True, key=fewer)

    def first_look(self, outlook: Outlook) -> int:
        """1: a small budget has early eliminations."""
        return 1

    def check(self, outlook: Outlook) -> None:
        """Refuse a race without a budget to divide, or that ends before the first test.

        Raises
        ------
        InputError
            If neither evaluations nor instances have an end, or the evaluations end before the
            first test, although they do not suffice for every candidate on every instance.
        """
        if math.isinf(outlook.instances) and math.isinf(outlook.evaluations):
            raise InputError(
                f"{self.name} divides a budget, and this race has no limit of evaluations or "
                "instances; set budget.evaluations or budget.instances"
            )
        k, first, budget = outlook.candidates, outlook.first_test, outlook.evaluations
        if first > 1 and k * first > budget and k * outlook.instances > budget:
            raise InputError(
                f"{self.name} cannot divide {budget:.0f} evaluations among {k} candidates: that is "
                f"{budget / k:.3g} for each, and none can be dropped before race.first_test: "
                f"{first}; leave race.first_test out, or set budget.evaluations to {k * first} or "
                "more"
            )


def whole(results: Results, outlook: Outlook) -> tuple[float, float]:
    """(evaluations, instances) of the whole race: used and left."""
    used = int(np.count_nonzero(~np.isnan(results.costs)))
    return used + outlook.evaluations, len(results.costs) + outlook.instances


def drawn_out(
    evaluations: float,
    instances: float,
    sizes: Sequence[int],
    ends: Callable[[float], Floats],
) -> float:
    """The budget whose schedule spends these evaluations within these instances.

    It is `evaluations`, unless that schedule needs more instances than there are. Then it is the
    largest budget with a schedule that spends at most `evaluations` within the instances: all
    phases are extended in proportion, and phases that the instances cut short drop no candidate.

    Parameters
    ----------
    sizes
        How many candidates begin each phase.
    ends
        For a budget, after how many instances each phase ends.
    """
    if (ends(evaluations) <= instances).all():
        return evaluations
    # a phase is the last one of its dropped candidates; the last phase, of all in it
    lasts = -np.diff([*sizes, 0])
    # there are fewer phases than candidates, so with the last of these budgets none is dropped
    budgets = range(int(evaluations), int(evaluations + sizes[0] ** 2 * (instances + 1)))

    def spends(budget: int) -> float:
        return float(lasts @ np.minimum(ends(budget), instances))

    return budgets[max(bisect_right(budgets, evaluations, key=spends), 1) - 1]


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
        passed = int((n >= _halving_ends(tuple(sizes), evaluations, instances)).sum())
        return sizes[min(passed, len(sizes) - 1)]


def _sizes(candidates: int, keep: float) -> list[int]:
    """The number of candidates in each part, and 1 at the end."""
    sizes = [candidates]
    while sizes[-1] > 1:
        sizes.append(min(math.ceil(keep * sizes[-1]), sizes[-1] - 1))
    return sizes


@lru_cache(maxsize=64)  # the same at every test of a race
def _halving_ends(sizes: tuple[int, ...], evaluations: float, instances: float) -> Floats:
    """The numbers of instances at which the parts end, with this budget of the whole race."""
    parts = sizes[:-1] or sizes
    lengths = 1 / np.array(parts)

    def ends(budget: float) -> Floats:
        # Karnin et al. (2013), algorithm 1: every part takes the same share of the evaluations
        return np.maximum(np.floor(budget / len(parts) * np.cumsum(lengths) + 1e-9), 1)

    if math.isinf(evaluations):
        return ends(instances / float(lengths.mean()))
    return ends(drawn_out(evaluations, instances, parts, ends))


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
        return candidates - int((n >= _rejects_ends(candidates, evaluations, instances)).sum())


@lru_cache(maxsize=64)  # the same at every test of a race
def _rejects_ends(m: int, evaluations: float, instances: float) -> Floats:
    """The numbers of instances at the m − 1 eliminations, with this budget of the whole race."""
    sizes = np.arange(m, 1, -1)
    share = 0.5 + float((1 / sizes).sum())  # Audibert et al. (2010), figure 1

    def ends(budget: float) -> Floats:
        due: Floats = np.ceil((budget - m) / (share * sizes) - 1e-9)
        return np.maximum(due, 1)

    if math.isinf(evaluations):
        return ends(m + 2 * share * instances)
    return ends(drawn_out(evaluations, instances, sizes.tolist(), ends))
