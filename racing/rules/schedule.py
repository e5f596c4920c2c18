"""Schedules: rules that drop a set number of candidates at set times, whatever the evidence."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from racing.errors import InputError
from racing.objective import merits, standing
from racing.records import Checked
from racing.results import Results
from racing.rules.plan import LAST
from racing.rules.rule import Outlook
from racing.rules.verdict import Reason, Verdict, elimination


class Timetable(Checked, ABC):
    """A rule that keeps so many of the candidates after so many instances, by its `places`."""

    name: ClassVar[str]

    @abstractmethod
    def places(self, candidates: int, *, n: int, evaluations: float, instances: float) -> int:
        """How many of the candidates at the start stay after n instances, if this is the budget."""

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Drop whom the schedule no longer has room for; `rng` is not used."""
        self.check(outlook)
        evaluations, instances = whole(results, outlook)
        places = self.places(
            len(results.candidates),
            n=len(results.costs),
            evaluations=evaluations,
            instances=instances,
        )
        return keep_best(results, outlook, places)

    def first_look(self, outlook: Outlook) -> int:
        """After the first instance: a small budget is soon divided."""
        return 1

    def check(self, outlook: Outlook) -> None:
        """Refuse a race that ends by the clock alone, or before the first test."""
        check_end(outlook, self.name)


def check_end(outlook: Outlook, rule: str) -> None:
    """See whether there is something to divide, and whether anybody can leave in time.

    Raises
    ------
    InputError
        If neither evaluations nor instances have an end, or the evaluations end before the first
        test, although they do not suffice for everybody on every instance.
    """
    if math.isinf(outlook.instances) and math.isinf(outlook.evaluations):
        raise InputError(
            f"{rule} divides what may be spent, and this race has no limit of evaluations or "
            "instances; set budget.evaluations or budget.instances"
        )
    k, first, budget = outlook.candidates, outlook.first_test, outlook.evaluations
    if first > 1 and k * first > budget and k * outlook.instances > budget:
        raise InputError(
            f"{rule} cannot divide {budget:.0f} evaluations among {k} candidates: that is "
            f"{budget / k:.3g} for each, and nobody may leave before race.first_test: {first}; "
            f"leave race.first_test out, or set budget.evaluations to {k * first} or more"
        )


def whole(results: Results, outlook: Outlook) -> tuple[float, float]:
    """(evaluations, instances) that the whole race may use: what it has used, and what is left."""
    used = int(np.count_nonzero(~np.isnan(results.costs)))
    return used + outlook.evaluations, len(results.costs) + outlook.instances


def drawn_out(
    evaluations: float,
    instances: float,
    sizes: Sequence[int],
    ends: Callable[[float], NDArray[np.float64]],
) -> float:
    """The budget whose schedule spends these evaluations within these instances.

    It is `evaluations`, unless that schedule would go on beyond the instances. Then it is the
    largest one of which they leave no more than `evaluations` to be spent: all phases are drawn out
    in their proportions, and those that the instances cut short let nobody go.

    Parameters
    ----------
    sizes
        How many candidates begin each phase.
    ends
        For a budget, after how many instances each phase ends.
    """
    if (ends(evaluations) <= instances).all():
        return evaluations
    # a phase is the last one of those whom it drops, and the last phase of all who begin it
    lasts = -np.diff([*sizes, 0])
    # there are fewer phases than candidates, so with the last of these budgets nobody leaves
    budgets = range(int(evaluations), int(evaluations + sizes[0] ** 2 * (instances + 1)))

    def spends(budget: int) -> float:
        return float(lasts @ np.minimum(ends(budget), instances))

    return budgets[max(bisect_right(budgets, evaluations, key=spends), 1) - 1]


def keep_best(results: Results, outlook: Outlook, number: int) -> Verdict:
    """Drop all but this many of the best, and never the leader; the statistic is the mean rank.

    The last two stay for as long as another instance can be paid for both: what rounding has left
    over is theirs.
    """
    if number < LAST and outlook.evaluations >= LAST and outlook.instances >= 1:
        number = LAST if math.isfinite(outlook.evaluations) else number
    mean_ranks = merits(results, "rank")[:, 0]
    order = standing(results, outlook.objective)
    return Verdict(
        instances=len(results.block),
        leader=results.id(int(order[0])),
        eliminated=tuple(
            elimination(
                results,
                i,
                order[max(number, 1) - 1],
                reason=Reason.SCHEDULE,
                measure="place",
                value=place,
                threshold=max(number, 1),
                statistic=mean_ranks[i],
            )
            for place, i in enumerate(order, start=1)
            if place > max(number, 1)
        ),
    )
