"""Checks what the budget still covers; `racing.race.prices` predicts what evaluations take."""

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
