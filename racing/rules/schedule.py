"""Rules with a schedule: they drop a set number of candidates at set times."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.base.records import Checked
from racing.core.goal import Kind
from racing.core.objective import merits, standing
from racing.core.results import Results
from racing.core.verdict import Reason, Verdict, eliminations, verdict_on
from racing.rules.plan import LAST
from racing.rules.rule import ORDERED, Outlook


class Timetable(Checked, ABC):
    """A rule that keeps `places` candidates after each number of instances."""

    name: ClassVar[str]
    serves: ClassVar[tuple[Kind, ...]] = ORDERED

    @abstractmethod
    def places(self, candidates: int, *, n: int, evaluations: float, instances: float) -> int:
        """The number of initial candidates that stay after n instances with this budget."""

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Drop all but the best, as many as the schedule keeps; `rng` is not used."""
        self.check(outlook)
        evaluations, instances = whole(results, outlook)
        places = self.places(
            len(results.candidates),
            n=len(results.costs),
            evaluations=evaluations,
            instances=instances,
        )
        return keep_best(results, outlook, places)

    def next_drop(self, results: Results, outlook: Outlook) -> float:
        """The number of instances at which the schedule keeps fewer than there are."""
        evaluations, instances = whole(results, outlook)
        n, k = len(results.costs), len(results.survivors)

        def fewer(seen: int) -> bool:
            left = self.places(
                len(results.candidates), n=seen, evaluations=evaluations, instances=instances
            )
            return left < k

        end = int(min(outlook.instances, outlook.evaluations // k)) + 1
        return n + 1 + bisect_left(range(n + 1, n + end), True, key=fewer)

    def first_look(self, outlook: Outlook) -> int:
        """1: a small budget has early eliminations."""
        return 1

    def check(self, outlook: Outlook) -> None:
        """Refuse a race that only time limits, or that ends before the first test."""
        check_end(outlook, self.name)


def check_end(outlook: Outlook, rule: str) -> None:
    """Refuse a race without a budget to divide, or that ends before the first test.

    Raises
    ------
    InputError
        If neither evaluations nor instances have an end, or the evaluations end before the first
        test, although they do not suffice for every candidate on every instance.
    """
    if math.isinf(outlook.instances) and math.isinf(outlook.evaluations):
        raise InputError(
            f"{rule} divides a budget, and this race has no limit of evaluations or "
            "instances; set budget.evaluations or budget.instances"
        )
    k, first, budget = outlook.candidates, outlook.first_test, outlook.evaluations
    if first > 1 and k * first > budget and k * outlook.instances > budget:
        raise InputError(
            f"{rule} cannot divide {budget:.0f} evaluations among {k} candidates: that is "
            f"{budget / k:.3g} for each, and none can be dropped before race.first_test: {first}; "
            f"leave race.first_test out, or set budget.evaluations to {k * first} or more"
        )


def whole(results: Results, outlook: Outlook) -> tuple[float, float]:
    """(evaluations, instances) of the whole race: used and left."""
    used = int(np.count_nonzero(~np.isnan(results.costs)))
    return used + outlook.evaluations, len(results.costs) + outlook.instances


def drawn_out(
    evaluations: float,
    instances: float,
    sizes: Sequence[int],
    ends: Callable[[float], NDArray[np.float64]],
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


def keep_best(results: Results, outlook: Outlook, number: int) -> Verdict:
    """Drop all but this many of the best.

    The last two stay while the budget covers another instance for both: they get the rest from
    rounding. The statistic is that of the objective, the mean rank or the mean cost.
    """
    if number < LAST and outlook.evaluations >= LAST and outlook.instances >= 1:
        number = LAST if math.isfinite(outlook.evaluations) else number
    by_rank = outlook.objective == "rank"
    merit = merits(results, "rank")[:, 0] if by_rank else results.judged.mean_costs
    order = standing(results, outlook.objective)
    kept = max(number, 1)
    return verdict_on(
        results,
        order[0],
        eliminations(
            results,
            order[kept:],
            against=order[min(kept, len(order)) - 1],
            reason=Reason.SCHEDULE,
            measure="place",
            value=np.argsort(order) + 1,
            threshold=kept,
            statistic=merit,
        ),
    )
