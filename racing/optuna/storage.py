"""Writes attributes of a study. The only module that uses private parts of Optuna.

`Trial.set_user_attr` is public, but a pruner gets the study and a frozen copy of its trial. So it
writes to the study's storage, as Optuna's pruners do.
"""

from __future__ import annotations

from typing import Any

from optuna import Study
from optuna.trial import FrozenTrial

from racing.core.verdict import Elimination

DROPPED = "racing:dropped"
"""The user attribute of a dropped trial: the reason and the evidence."""

STEP = "racing:step:"
"""The user attributes of a trial's values on a step of several objectives, before its number."""

CONFIRMED = "racing:confirmed"
"""The user attribute of a study: the result of the latest `confirm`."""


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


def note_confirmed(study: Study, told: dict[str, Any]) -> None:
    """Write the result of a race between the best trials into a study."""
    study.set_user_attr(CONFIRMED, told)
