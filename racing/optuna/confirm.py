"""Races the best trials of a study against each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from optuna import Study
from optuna.trial import FixedTrial, FrozenTrial, TrialState

from racing.base.errors import InputError
from racing.base.quantities import cost_of
from racing.core.candidate import Candidate
from racing.embed import maximize, minimize
from racing.embed.arguments import BudgetLike, InstancesLike
from racing.evaluate.function import Function
from racing.optuna.confirmation import Confirmation, as_data
from racing.optuna.storage import CONFIRMED, note_confirmed, was_dropped
from racing.optuna.trials import direction_of
from racing.race.arguments import whole
from racing.rules.rule import Rule

Objective = Callable[[FixedTrial, Any, int], float]
"""A function of a trial, an instance and a seed: the trial's value on that instance alone."""


def confirm(
    study: Study,
    objective: Objective,
    *,
    instances: InstancesLike,
    top: int = 10,
    rule: Rule | str | Mapping[str, Any] | None = None,
    budget: BudgetLike | None = None,
    **options: Any,
) -> Confirmation:
    """Race the best trials of a study against each other, until the winner is clear.

    The best value of a study is biased by selection, especially with few instances per trial. So
    the best trials are evaluated on instances that the study has not seen; inferior ones are
    dropped, and the others get more evaluations.

    The study keeps its trials and values unchanged, because values on other instances are not
    comparable. The result of the race is in the study's user attribute `racing:confirmed`, in any
    storage, and `confirmed(study)` returns the winner.

    Parameters
    ----------
    study
        With one direction.
    objective
        A function of (trial, instance, seed) that returns the value on that instance alone. The
        trial has its parameters; `suggest_float` and so on return them.
    instances
        As in `racing.minimize`. They should differ from those of the study; a list is used once,
        `{"list": [...], "repeat": True}` repeatedly with new seeds.
    top
        The number of trials in the race: completed, not dropped, with different parameters.
    rule, budget
        As in `racing.minimize`.
    options
        Further arguments of `racing.minimize`: `jobs`, `seed`, `log`, `callbacks`, `progress`, ….
        The default objective is `mean`.

    Returns
    -------
    Confirmation
        Nothing is written into the study if the race was interrupted; `result.log`, given as `log`,
        continues it.

    Raises
    ------
    InputError
        If the study has several objectives, or fewer than two trials to choose from.
    TargetError, TargetFailed
        As `racing.minimize` raises them.

    Examples
    --------
    >>> import optuna
    >>> from racing.optuna import confirm
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> def value(trial, instance, seed):
    ...     return (trial.suggest_float("x", 0, 1) - 0.3) ** 2 + seed % 7 / 100
    >>> study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    >>> study.optimize(lambda trial: value(trial, 0, 1), n_trials=20)
    >>> found = confirm(study, value, instances=range(1, 30), top=5)
    >>> found.trial.number == study.best_trial.number
    True
    """
    optimize = maximize if direction_of(study) == "maximize" else minimize
    Function(python=objective).check()
    trials = _best(study, whole("top", top, least=2))
    result = optimize(
        _ByNumber(objective, {trial.number: trial.params for trial in trials}),
        [Candidate(i, {"trial": t.number}, f"trial {t.number}") for i, t in enumerate(trials, 1)],
        instances,
        rule=rule,
        budget=budget,
        **{"objective": "mean", **options},
    )
    confirmation = Confirmation(trials=trials, result=result)
    if result.done:
        note_confirmed(study, as_data(confirmation))
    return confirmation


def confirmed(study: Study) -> FrozenTrial | None:
    """The winner of the latest `confirm` of a study; None before.

    Examples
    --------
    >>> import optuna
    >>> from racing.optuna import confirm, confirmed
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> def value(trial, instance, seed):
    ...     return (trial.suggest_float("x", 0, 1) - 0.3) ** 2 + seed % 7 / 100
    >>> study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    >>> study.optimize(lambda trial: value(trial, 0, 1), n_trials=20)
    >>> print(confirmed(study))
    None
    >>> _ = confirm(study, value, instances=range(1, 30), top=5)
    >>> confirmed(study).params.keys()
    dict_keys(['x'])
    """
    number = study.user_attrs.get(CONFIRMED, {}).get("winner")
    return None if number is None else study.get_trials()[number]


@dataclass(frozen=True)
class _ByNumber:
    """The objective as a function of values, which are the number of a trial.

    Parameters of Optuna may have values that a scenario does not allow, such as None.
    """

    objective: Objective
    params: Mapping[int, Mapping[str, Any]]

    def __call__(self, values: Mapping[str, Any], instance: Any, seed: int) -> float:
        number = values["trial"]
        return self.objective(FixedTrial(dict(self.params[number]), number=number), instance, seed)


def _best(study: Study, top: int) -> tuple[FrozenTrial, ...]:
    """The best completed trials with different parameters, best first; ties go to the earlier."""
    direction = direction_of(study)
    done = study.get_trials(states=(TrialState.COMPLETE,))
    ranked = sorted(
        (trial for trial in done if not was_dropped(trial) and not math.isnan(_value(trial))),
        key=lambda trial: (cost_of(_value(trial), direction), trial.number),
    )
    distinct: list[FrozenTrial] = []
    for trial in ranked:
        if len(distinct) < top and all(trial.params != other.params for other in distinct):
            distinct.append(trial)
    if len(distinct) < 2:
        raise InputError(
            f"the study {study.study_name} has {len(distinct)} completed trials with different "
            "parameters that were not dropped; a race needs two or more: run more trials first"
        )
    return tuple(distinct)


def _value(trial: FrozenTrial) -> float:
    return math.nan if trial.value is None else trial.value
