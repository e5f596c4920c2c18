"""Refuses invalid outcomes, and candidates that can no longer join."""

from __future__ import annotations

import math

from racing.base.errors import InputError, RaceError
from racing.core.ask_tell import stranger, told_twice
from racing.core.candidate import Candidate
from racing.core.experiment import Outcome
from racing.core.goal import Goal
from racing.core.instances import Instances
from racing.core.stop import Stop
from racing.race.limits import refusal
from racing.race.state import RaceState


def check_outcome(outcome: Outcome, state: RaceState, instances: Instances) -> None:
    """Refuse outcomes of unknown candidates or instances, and duplicates.

    Raises
    ------
    RaceError
        If the candidate is not in the race, or the outcome was told before.
    InputError
        If there is no such instance.
    """
    if outcome.candidate not in state.candidates:
        raise RaceError(f"{stranger(outcome, 'race')}; `join` lets others in")
    limit = instances.limit
    if outcome.step < 0 or (limit is not None and outcome.step >= limit):
        raise InputError(
            f"there is no instance {outcome.step} in this race; "
            f"its {limit} instances are counted from 0"
        )
    if state.knows(outcome.key):
        raise RaceError(told_twice(outcome))


def check_metrics(outcome: Outcome, goal: Goal) -> None:
    """Refuse an outcome that lacks the costs of the metrics; one that failed has none.

    Raises
    ------
    InputError
        If it has another number of them.
    """
    if len(outcome.metrics) != len(goal.names) and math.isfinite(outcome.cost):
        raise InputError(
            f"the outcome of candidate {outcome.candidate} on instance {outcome.step} must have "
            f"the costs of {', '.join(goal.names)}; got {len(outcome.metrics)} metrics"
        )


def check_open(candidate: Candidate, state: RaceState) -> None:
    """Refuse a new candidate that a finished race could not evaluate.

    Raises
    ------
    RaceError
        If it is over for another reason than few survivors, or the budget does not cover the
        candidate.
    """
    reason = state.stopped
    if reason is None:
        return
    if reason is Stop.SURVIVORS:
        runs = 1 if state.closed else len(state.alive) + 1
        reason = refusal(runs, state.spent, state.setup.budget)
    if reason is not None:
        raise RaceError(
            f"{candidate} cannot join: the race is over, since {reason.meaning}; "
            "start a new race with the winner and the new candidate"
        )
