"""What evaluations take, and how many of them the budget still covers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from racing.base.errors import TargetError
from racing.core.budget import PAID, Budget, Left, Spent
from racing.core.experiment import Outcome, Status
from racing.core.stop import Stop


def refusal(runs: int, spent: Spent, budget: Budget) -> Stop | None:
    """The limit that this many further runs would break; None if they fit.

    Their time is predicted by the mean of those that are complete.
    """
    left = budget.left(spent)
    if runs > left.evaluations:
        return Stop.EVALUATIONS
    share = runs / max(spent.made, 1)
    if left.target_time == 0 or spent.target_time * share > left.target_time:
        return Stop.TARGET_TIME
    if left.wall_time == 0 or spent.wall_time * share > left.wall_time:
        return Stop.WALL_TIME
    return None


def hopeless(row: Iterable[Outcome], *, tested: bool) -> Stop | None:
    """The reason to stop after a row if every run failed; None to continue.

    Crashes stop a race at once; time-outs alone stop it when the first test is due.
    """
    slow = all(outcome.status is Status.TIMEOUT for outcome in row)
    return None if slow and not tested else Stop.ALL_FAILED


def add(spent: Spent, outcomes: Sequence[Outcome], step: int) -> Spent:
    """The spending after a complete row."""
    return Spent(
        evaluations=spent.evaluations + len(outcomes),
        wall_time=max(spent.wall_time, *(o.elapsed for o in outcomes)),
        target_time=spent.target_time + math.fsum(o.seconds for o in outcomes),
        instances=max(spent.instances, step + 1),
        reused=spent.reused + reused(outcomes),
        **paid(spent, outcomes),
    )


def paid(spent: Spent, outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The payments with these outcomes added, by limit."""
    return {
        unit: getattr(spent, unit) + math.fsum(o.spent.get(unit, 0.0) for o in outcomes)
        for unit in PAID
    }


def reused(outcomes: Sequence[Outcome]) -> int:
    """How many of these were taken from earlier logs."""
    return sum(outcome.reused is not None for outcome in outcomes)


SILENT, FREE = 10, 100
"""Evaluations after which a run ends if they have not told what its budget limits, and after which
one without another end does if all of them were free."""


def silent(unit: str, evaluations: int) -> TargetError:
    """The error of a limit of payments that the target never tells, so it is never reached."""
    first = "evaluation does" if evaluations == 1 else f"{evaluations} evaluations do"
    return TargetError(
        f"budget.{unit} is limited, but the target's first {first} not tell what was paid, so the "
        f'run would not end by it: let the target answer {{"cost": …, "spent": {{"{unit}": …}}}}, '
        f"with 0 for what is free, or limit evaluations or time in place of {unit}"
    )


def unpaid(unit: str) -> TargetError:
    """The error of a run that ends by payments alone, where nothing is paid for."""
    return TargetError(
        f"budget.{unit} is the only limit, but the target's first {FREE} evaluations tell that "
        f"they cost 0 {unit}, so the run would not end: limit evaluations or time too, and run it "
        "again; it can take outcomes from the log of this one (`reuse`)"
    )


class Prices:
    """What evaluations took, by candidate: their durations and charges.

    A long prompt costs more than a short one, and the survivors can be slower than the dropped
    candidates, so a row is priced by the survivors' own means.
    """

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._paid = {unit: dict[int, float]() for unit in PAID}
        self._runs: dict[int, int] = {}

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Note the durations and charges of these outcomes."""
        for outcome in outcomes:
            one = outcome.candidate
            self._runs[one] = self._runs.get(one, 0) + 1
            self._seconds[one] = self._seconds.get(one, 0.0) + outcome.duration
            for unit, paid in self._paid.items():
                paid[one] = paid.get(one, 0.0) + outcome.price.get(unit, 0.0)

    def expected(self, candidates: Iterable[int], unit: str) -> float:
        """The expected charge of one evaluation of each.

        A candidate without evaluations gets the mean of all evaluations.
        """
        paid, runs = self._paid[unit], self._runs
        mean = math.fsum(paid.values()) / max(sum(runs.values()), 1)
        return math.fsum(paid[one] / runs[one] if one in runs else mean for one in candidates)

    def refusal(self, candidates: Iterable[int], spent: Spent, budget: Budget) -> Stop | None:
        """The limit that evaluations of these would break; None if they fit."""
        left, candidates = budget.left(spent), list(candidates)
        for unit in budget.paid:
            rest = getattr(left, unit)
            if rest == 0 or self.expected(candidates, unit) > rest:
                return Stop(unit)
        return None

    def evaluations_left(self, survivors: Iterable[int], budget: Budget, spent: Spent) -> float:
        """The number of evaluations of the survivors that fit; inf without a limit."""
        survivors, left = list(survivors), budget.left(spent)
        found = self._by_time(survivors, left, spent)
        for unit in budget.paid:
            each = self.expected(survivors, unit) / max(len(survivors), 1)
            if each > 0:
                found = min(found, getattr(left, unit) / each)
        return found

    def _by_time(self, survivors: Iterable[int], left: Left, spent: Spent) -> float:
        """The number of them that fit into the limits of time; inf before the first measurement.

        Wall-clock time is assumed proportional to target time, as so far.
        """
        overall = self._mean_seconds(self._runs)
        if math.isinf(min(left.target_time, left.wall_time)) or overall == 0:
            return math.inf
        each = self._mean_seconds(survivors) or overall
        on_the_clock = each * spent.wall_time / max(spent.target_time, 1e-9)
        by_clock = left.wall_time / on_the_clock if on_the_clock > 0 else math.inf
        return min(left.target_time / each, by_clock)

    def _mean_seconds(self, candidates: Iterable[int]) -> float:
        known = [one for one in candidates if one in self._runs]
        runs = sum(self._runs[one] for one in known)
        return math.fsum(self._seconds[one] for one in known) / runs if runs else 0.0
