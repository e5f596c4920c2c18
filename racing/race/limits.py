"""Checks what the budget still covers, and predicts how many evaluations time allows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from racing.core.budget import PAID, Budget, Spent
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


class Pace:
    """Measured durations by candidate: the survivors can be slower than the dropped ones."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._runs: dict[int, int] = {}

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Note the durations of these outcomes."""
        for outcome in outcomes:
            one = outcome.candidate
            self._seconds[one] = self._seconds.get(one, 0.0) + outcome.duration
            self._runs[one] = self._runs.get(one, 0) + 1

    def evaluations_left(self, survivors: Iterable[int], budget: Budget, spent: Spent) -> float:
        """The number of evaluations of the survivors that fit into the limits of time.

        Wall-clock time is assumed proportional to target time, as so far. Returns inf without such
        a limit, or before the first measurement.
        """
        left = budget.left(spent)
        overall = self._mean(self._runs)
        if math.isinf(min(left.target_time, left.wall_time)) or overall == 0:
            return math.inf
        each = self._mean(survivors) or overall
        on_the_clock = each * spent.wall_time / max(spent.target_time, 1e-9)
        by_clock = left.wall_time / on_the_clock if on_the_clock > 0 else math.inf
        return min(left.target_time / each, by_clock)

    def _mean(self, candidates: Iterable[int]) -> float:
        known = [one for one in candidates if one in self._runs]
        runs = sum(self._runs[one] for one in known)
        return math.fsum(self._seconds[one] for one in known) / runs if runs else 0.0
