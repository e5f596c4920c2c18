"""The trials of a study as candidates, and what is written into them.

Intermediate values by step become costs by instance. `note_dropped` alone uses private parts of
Optuna: `Trial.set_user_attr` is public, but a pruner gets the study and a frozen copy of its trial.
So it writes to the study's storage, as Optuna's pruners do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np
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


def steps_of(attributes: Mapping[str, Any]) -> set[int]:
    """The steps that a trial of several objectives has reported, by its user attributes."""
    return {int(key.removeprefix(STEP)) for key in attributes if key.startswith(STEP)}


def rivals_of(study: Study, number: int, steps: Set[int]) -> list[FrozenTrial]:
    """The other trials that have reported all these steps, and were not dropped."""
    states = (TrialState.COMPLETE, TrialState.RUNNING)
    return [
        other
        for other in study.get_trials(deepcopy=False, states=states)
        if other.number != number
        and steps <= (other.intermediate_values.keys() or steps_of(other.user_attrs))
        and not was_dropped(other)
    ]


def results_of(costs: Mapping[int, Sequence[float]]) -> Results:
    """Results from the costs of trials on the same steps, by number; all are in the race.

    Columns are in order of the numbers, which are the candidates' ids.
    """
    numbers = sorted(costs)
    matrix = np.array([costs[number] for number in numbers], dtype=np.float64).T
    alive, survivors = np.ones(matrix.shape, dtype=bool), np.arange(len(numbers))
    for array in (matrix, alive):
        array.flags.writeable = False
    return Results(matrix, alive, tuple(numbers), survivors)


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
