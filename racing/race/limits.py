"""When a race may not go on: what a row is expected to take, and rows in which all failed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from racing.budget import Budget, Spent
from racing.experiment import Outcome, Status
from racing.stop import Stop


def refusal(runs: int, spent: Spent, budget: Budget) -> Stop | None:
    """Why this many further runs do not fit into what is left of a budget; None if they do.

    The time that they will take is predicted by the mean of those that are complete.
    """
    left = budget.left(spent)
    if runs > left.evaluations:
        return Stop.EVALUATIONS
    share = runs / max(spent.evaluations, 1)
    if left.target_time == 0 or spent.target_time * share > left.target_time:
        return Stop.TARGET_TIME
    if left.wall_time == 0 or spent.wall_time * share > left.wall_time:
        return Stop.WALL_TIME
    return None


def hopeless(row: Iterable[Outcome], *, tested: bool) -> Stop | None:
    """Why to stop after a row when nothing ever worked; None if it may go on.

    Crashes stop a race at once, time-outs alone when the first test is due.
    """
    slow = all(outcome.status is Status.TIMEOUT for outcome in row)
    return None if slow and not tested else Stop.ALL_FAILED


def add(spent: Spent, outcomes: Sequence[Outcome], step: int) -> Spent:
    """What has been spent once a row is complete."""
    return Spent(
        evaluations=spent.evaluations + len(outcomes),
        wall_time=max(spent.wall_time, *(o.elapsed for o in outcomes)),
        target_time=spent.target_time + math.fsum(o.seconds for o in outcomes),
        instances=max(spent.instances, step + 1),
    )
