"""What a race that has begun refuses: outcomes that it cannot place, newcomers it cannot run."""

from __future__ import annotations

from racing.ask_tell import stranger, told_twice
from racing.candidate import Candidate
from racing.errors import InputError, RaceError
from racing.experiment import Outcome
from racing.instances import Instances
from racing.race.limits import refusal
from racing.race.state import RaceState
from racing.stop import Stop


def check_outcome(outcome: Outcome, state: RaceState, instances: Instances) -> None:
    """Refuse an outcome of nobody, of nothing, or of what was told before.

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


def check_open(candidate: Candidate, state: RaceState) -> None:
    """Refuse a newcomer that a race that is over could not evaluate.

    Raises
    ------
    RaceError
        If it is over, and not since few were left, or the budget does not cover the newcomer.
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
            "begin a new race with the winner and the newcomer"
        )
