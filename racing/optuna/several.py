"""Prunes trials of several objectives by dominance, where Optuna has no report.

Optuna refuses `trial.report` and `trial.should_prune` in such a study. So the values are kept in
user attributes of the trial, one for each step, which every storage has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from optuna import Study, Trial
from optuna.trial import FixedTrial, FrozenTrial, TrialState

from racing.base.errors import InputError, show
from racing.base.quantities import MOST_COST, Direction, cost_of
from racing.core.results import Results
from racing.core.verdict import Elimination, Reason
from racing.optuna.pruner import RacingPruner
from racing.optuna.storage import DROPPED, STEP, elimination_data, was_dropped
from racing.optuna.trials import directions_of, results_with
from racing.race.arguments import whole

Costs = Mapping[int, tuple[float, ...]]
"""Step → costs in the order of the objectives; +inf is a failure."""


def report(trial: Trial | FixedTrial, values: Sequence[float], step: int) -> None:
    """Report the values of a trial on one instance, in a study of several objectives.

    In place of `trial.report`, which Optuna refuses there. A trial failed on the instance if a
    value is NaN or infinitely bad; then all of its values there count as worst. With a
    `FixedTrial` it does nothing, as in Optuna.

    Parameters
    ----------
    trial
        The running trial.
    values
        One for each objective, in the order of the study's directions: on this instance alone, not
        running means.
    step
        The number of the instance; each is reported once.

    Raises
    ------
    InputError
        If the study has one objective, the number of values differs from its objectives', a value
        is infinitely good, or the step was reported before.

    Examples
    --------
    >>> import optuna
    >>> from racing.optuna import RacingPruner, report, should_prune
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> def objective(trial):
    ...     x = trial.suggest_float("x", 0, 2)
    ...     for step in range(20):
    ...         report(trial, (x**2 + step % 3, (x - 1) ** 2 + step % 3), step)
    ...         if should_prune(trial):
    ...             raise optuna.TrialPruned
    ...     return x**2, (x - 1) ** 2
    >>> study = optuna.create_study(
    ...     directions=["minimize", "minimize"],
    ...     sampler=optuna.samplers.RandomSampler(seed=1),
    ...     pruner=RacingPruner(instances=20),
    ... )
    >>> study.optimize(objective, n_trials=10)
    >>> all(trial.params["x"] < 1.1 for trial in study.best_trials)
    True
    >>> any(trial.state.name == "PRUNED" for trial in study.trials)
    True
    """
    if isinstance(trial, FixedTrial):
        return
    directions = directions_of(trial.study)
    key = f"{STEP}{whole('step', step, least=0)}"
    if key in trial.user_attrs:
        raise InputError(
            f"trial {trial.number} has reported step {step} already; report each step once"
        )
    costs = _checked(trial.number, values, step, directions)
    told = list(map(float, values)) if all(abs(one) <= MOST_COST for one in costs) else None
    trial.set_user_attr(key, told)


def should_prune(trial: Trial | FixedTrial) -> bool:
    """Whether another trial dominates this one by the rule of the study's `RacingPruner`.

    In place of `trial.should_prune`, which Optuna refuses for several objectives. The trial is
    compared with each completed or running trial that has reported all of its steps and was not
    dropped. It is dropped if one of them alone is better in every objective: if the rule, asked
    about the two for each objective, drops this trial each time. So a trial that is best in one
    objective stays, and so does one that ties there.

    No correction over objectives is needed, as all tests must reject. There is none over the rivals
    either: as beside `RacingPruner`, no error rate holds for a study.

    The user attribute `racing:dropped` has the dominating trial and the numbers of each objective.
    With a `FixedTrial` the answer is False, as in Optuna.

    Raises
    ------
    InputError
        If the study has one objective, or another pruner.

    Examples
    --------
    See `report`.
    """
    if isinstance(trial, FixedTrial):
        return False
    directions = directions_of(trial.study)
    pruner = _pruner_of(trial.study)
    if DROPPED in trial.user_attrs:
        return True
    own = _reported(trial.user_attrs, directions)
    if not pruner.due(len(own)):
        return False
    for rival in _rivals(trial.study, trial, own):
        theirs = _reported(rival.user_attrs, directions)
        outs = _eliminations(pruner, (trial.number, own), (rival.number, theirs))
        if outs is not None:
            told = {
                "after": len(own),
                "against": rival.number,
                "reason": str(Reason.DOMINATED),
                "objectives": [elimination_data(out) for out in outs],
            }
            trial.set_user_attr(DROPPED, told)
            return True
    return False


def _checked(
    number: int, values: Any, step: int, directions: Sequence[Direction]
) -> tuple[float, ...]:
    """The values as costs.

    Raises
    ------
    InputError
        If they are not one for each direction, or one is infinitely good.
    """
    try:
        costs = tuple(cost_of(float(v), d) for v, d in zip(values, directions, strict=True))
    except (TypeError, ValueError):
        raise InputError(
            f"a report of trial {number} at step {step} must be {len(directions)} numbers, one for "
            f"each objective of the study; got {show(values)}"
        ) from None
    if any(one < -MOST_COST for one in costs):
        raise InputError(
            f"trial {number} reported {show(values)} at step {step}, and no value can beat an "
            "infinitely good one; report finite numbers, or NaN for a failure"
        )
    return costs


def _pruner_of(study: Study) -> RacingPruner:
    if not isinstance(study.pruner, RacingPruner):
        raise InputError(
            f"the study {study.study_name} has a {type(study.pruner).__name__}; should_prune takes "
            "its rule from a RacingPruner: optuna.create_study(..., pruner=RacingPruner())"
        )
    return study.pruner


def _reported(attributes: Mapping[str, Any], directions: Sequence[Direction]) -> Costs:
    """The costs that a trial has reported, by step."""
    failed = (math.inf,) * len(directions)
    told = {key: value for key, value in attributes.items() if key.startswith(STEP)}
    return {
        int(key.removeprefix(STEP)): tuple(map(cost_of, values, directions)) if values else failed
        for key, values in told.items()
    }


def _rivals(study: Study, trial: Trial, own: Costs) -> Iterator[FrozenTrial]:
    """The other trials that have reported all steps of this one, and were not dropped."""
    needed = {f"{STEP}{step}" for step in own}
    states = (TrialState.COMPLETE, TrialState.RUNNING)
    for other in study.get_trials(deepcopy=False, states=states):
        seen = needed <= other.user_attrs.keys()
        if other.number != trial.number and seen and not was_dropped(other):
            yield other


def _eliminations(
    pruner: RacingPruner, trial: tuple[int, Costs], rival: tuple[int, Costs]
) -> list[Elimination] | None:
    """Why the rule drops the trial in each objective; None if it keeps it in one."""
    steps, outs = sorted(trial[1]), []
    for place in range(len(trial[1][steps[0]])):
        results = _results(steps, place, sorted([trial, rival]))
        out = pruner.elimination(results, trial[0], rival[0], place)
        if out is None:
            return None
        outs.append(out)
    return outs


def _results(steps: Sequence[int], place: int, pair: Sequence[tuple[int, Costs]]) -> Results:
    """The results of two trials in one objective."""
    costs = np.array([[told[step][place] for _, told in pair] for step in steps])
    return results_with(costs, [number for number, _ in pair])
