"""What is written into a study. The only place that uses what Optuna keeps private.

`Trial.set_user_attr` is public, but a pruner is given the study and a frozen copy of its trial. So
it writes through the study's storage, as Optuna's own pruners do.
"""

from __future__ import annotations

from typing import Any

from optuna import Study
from optuna.trial import FrozenTrial

from racing.rules.verdict import Elimination

DROPPED = "racing:dropped"
"""The user attribute of a trial that was dropped: why, and by which number."""

CONFIRMED = "racing:confirmed"
"""The user attribute of a study: what the latest `confirm` came to."""


def note_dropped(study: Study, trial: FrozenTrial, out: Elimination, *, after: int) -> None:
    """Write into a trial why it is dropped."""
    told = {
        "after": after,
        "against": out.against,
        "reason": str(out.reason),
        "measure": out.measure,
        "value": out.value,
        "threshold": out.threshold,
    }
    study._storage.set_trial_user_attr(trial._trial_id, DROPPED, told)


def was_dropped(trial: FrozenTrial) -> bool:
    """Whether a pruner of racing has dropped a trial, whatever its objective made of it."""
    return DROPPED in trial.user_attrs


def note_confirmed(study: Study, told: dict[str, Any]) -> None:
    """Write into a study what a race between its best trials came to."""
    study.set_user_attr(CONFIRMED, told)
