"""The trials of a study as candidates, and what is written into them.

Intermediate values by step become costs by instance. `note_dropped` alone uses private parts of
Optuna: `Trial.set_user_attr` is public, but a pruner gets the study and a frozen copy of its trial.
So it writes to the study's storage, as Optuna's pruners do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from optuna import Study
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, TrialState

from racing.base.errors import InputError
from racing.base.quantities import MOST_COST, Direction, cost_of
from racing.core.results import Results
from racing.core.verdict import Elimination

DROPPED = "racing:dropped"
"""The user attribute of a dropped trial: the reason and the evidence."""

STEP = "racing:step:"
"""The user attributes of a trial's values on a step of several objectives, before its number."""

CONFIRMED = "racing:confirmed"
"""The user attribute of a study: the result of the latest `confirm`."""


def direction_of(study: Study) -> Direction:
    """The direction of a study.

    Raises
    ------
    InputError
        If the study has several objectives.
    """
    if len(study.directions) > 1:
        raise InputError(
            f"the study {study.study_name} has {len(study.directions)} objectives; a race needs "
            "one: create a study with one direction, or prune by racing.optuna.should_prune"
        )
    return _plain(study.direction)


def directions_of(study: Study) -> tuple[Direction, ...]:
    """The directions of a study of several objectives.

    Raises
    ------
    InputError
        If it has one.
    """
    if len(study.directions) == 1:
        raise InputError(
            f"the study {study.study_name} has one objective; call trial.report(value, step) and "
            "trial.should_prune(), which a RacingPruner answers"
        )
    return tuple(map(_plain, study.directions))


def rivals_of(study: Study, trial: FrozenTrial) -> list[FrozenTrial]:
    """The other trials that have seen all steps that this one has, and were not dropped."""
    steps = trial.intermediate_values.keys()
    states = (TrialState.COMPLETE, TrialState.RUNNING)
    return [
        other
        for other in study.get_trials(deepcopy=False, states=states)
        if other.number != trial.number
        and steps <= other.intermediate_values.keys()
        and not was_dropped(other)
    ]


def results_of(trials: Sequence[FrozenTrial], steps: Sequence[int], sign: Direction) -> Results:
    """The costs of trials on steps that all of them have seen; all are in the race.

    Columns are in order of the trials' numbers, which are the candidates' ids.
    """
    ordered = sorted(trials, key=lambda trial: trial.number)
    costs = np.array([[cost(t, step, sign) for t in ordered] for step in steps], dtype=np.float64)
    return results_with(costs, [trial.number for trial in ordered])


def results_with(costs: NDArray[np.float64], numbers: Sequence[int]) -> Results:
    """Results from (n, m) costs of trials with these numbers, in order; all are in the race."""
    alive = np.ones(costs.shape, dtype=bool)
    for array in (costs, alive):
        array.flags.writeable = False
    survivors: NDArray[np.intp] = np.arange(len(numbers))
    return Results(costs, alive, tuple(numbers), survivors)


def cost(trial: FrozenTrial, step: int, direction: Direction) -> float:
    """The value of a trial at a step as a cost: NaN, and what is beyond 1e75, is a failure.

    Raises
    ------
    InputError
        If it is infinitely good.
    """
    value = trial.intermediate_values[step]
    found = cost_of(value, direction)
    if found < -MOST_COST:
        raise InputError(
            f"trial {trial.number} reported {value} at step {step}, which no value can beat; "
            "report a finite number, or NaN for a failure"
        )
    return found if found <= MOST_COST else math.inf  # so is NaN


def _plain(direction: StudyDirection) -> Direction:
    return "maximize" if direction == StudyDirection.MAXIMIZE else "minimize"


# --- what is written ----------------------------------------------------------------------------


def note_dropped(study: Study, trial: FrozenTrial, out: Elimination, *, after: int) -> None:
    """Write the reason for dropping a trial into it."""
    told = {"after": after, "against": out.against, **elimination_data(out)}
    study._storage.set_trial_user_attr(trial._trial_id, DROPPED, told)


def elimination_data(out: Elimination) -> dict[str, Any]:
    """The reason of an elimination and its numbers, for JSON."""
    return {
        "reason": str(out.reason),
        "measure": out.measure,
        "value": out.value,
        "threshold": out.threshold,
    }


def was_dropped(trial: FrozenTrial) -> bool:
    """Whether a pruner of racing has dropped a trial, even if its objective continued."""
    return DROPPED in trial.user_attrs
