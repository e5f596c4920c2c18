"""Races the best trials of a study against each other; the result of that race."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from optuna import Study
from optuna.trial import FixedTrial, FrozenTrial, TrialState

from racing.base.errors import InputError, must_be
from racing.base.markup import configuration, table
from racing.base.quantities import cost_of, score_of
from racing.base.words import count, number
from racing.core.candidate import Candidate
from racing.embed import Result, maximize, minimize
from racing.embed.arguments import BudgetLike, InstancesLike
from racing.evaluate.function import Function, is_coroutine_function
from racing.optuna.trials import CONFIRMED, direction_of, elimination_data, was_dropped
from racing.race.arguments import whole
from racing.rules.rule import Rule

Objective = Callable[[FixedTrial, Any, int], float | Awaitable[float]]
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
        A function of (trial, instance, seed) that returns the value on that instance alone; it may
        be async. The trial has its parameters; `suggest_float` and so on return them.
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
    if not hasattr(study, "trials"):
        raise InputError(must_be("study", "an optuna.Study, as of optuna.load_study", study))
    optimize: Any = maximize if direction_of(study) == "maximize" else minimize
    Function(python=objective).check()
    trials = _best(study, whole("top", top, least=2))
    called = _AsyncByNumber if is_coroutine_function(objective) else _ByNumber
    result = optimize(
        called(objective, {trial.number: trial.params for trial in trials}),
        [Candidate(i, {"trial": t.number}, f"trial {t.number}") for i, t in enumerate(trials, 1)],
        instances,
        rule=rule,
        budget=budget,
        **{"objective": "mean", **options},
    )
    confirmation = Confirmation(trials=trials, result=result)
    if result.done:
        study.set_user_attr(CONFIRMED, _as_data(confirmation))
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
    winner = study.user_attrs.get(CONFIRMED, {}).get("winner")
    return None if winner is None else study.get_trials()[winner]


@dataclass(frozen=True)
class _ByNumber:
    """The objective as a function of values, which are the number of a trial.

    Parameters of Optuna may have values that a scenario does not allow, such as None.
    """

    objective: Objective
    params: Mapping[int, Mapping[str, Any]]

    def __call__(self, values: Mapping[str, Any], instance: Any, seed: int) -> Any:
        trial = values["trial"]
        return self.objective(FixedTrial(dict(self.params[trial]), number=trial), instance, seed)


class _AsyncByNumber(_ByNumber):
    """The same of an async objective."""

    async def __call__(self, values: Mapping[str, Any], instance: Any, seed: int) -> Any:
        return await super().__call__(values, instance, seed)


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


# --- the result ---------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, repr=False)
class Confirmation:
    """The result of a race between the best trials of a study.

    Attributes
    ----------
    trials
        The trials in the race, the best of the study first.
    result
        The race; its candidates are named `trial <number>`.

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
    >>> len(found.trials), found.ranking[0] == found.trial
    (5, True)
    """

    trials: tuple[FrozenTrial, ...]
    result: Result

    @property
    def trial(self) -> FrozenTrial | None:
        """The winning trial, or the leading one if the race was interrupted; None without one."""
        winner = self.result.winner
        return None if winner is None else self._by_number[int(winner.values["trial"])]

    @property
    def params(self) -> dict[str, Any] | None:
        """The parameters of the winning trial."""
        return None if self.trial is None else dict(self.trial.params)

    @property
    def value(self) -> float | None:
        """The mean value of the winning trial over the instances of the race; None without one.

        It has a small selection bias, as the others were dropped on these instances.
        """
        return self.result.score

    @property
    def ranking(self) -> tuple[FrozenTrial, ...]:
        """The trials that were not dropped, best first."""
        standing = self.result.ranking
        return tuple(self._by_number[int(one.candidate.values["trial"])] for one in standing)

    @property
    def _by_number(self) -> dict[int, FrozenTrial]:
        return {trial.number: trial for trial in self.trials}

    def __repr__(self) -> str:
        if self.trial is None:
            best = "no winner"
        else:
            params = configuration(self.trial.params.items())
            best = f"best trial {self.trial.number} ({params}), mean value {number(self.value)}"
        return f"<Confirmation: {best}; {self._left}; {self.result.spent.evaluations} evaluations>"

    @property
    def _left(self) -> str:
        left, raced = len(self.ranking), count(len(self.trials), "trial")
        return f"{left} of {raced} {'is' if left == 1 else 'are'} left"

    def _repr_html_(self) -> str:
        rows = (
            [
                one.candidate,
                configuration(trial.params.items()),
                number(score_of(one.mean_cost, self.result.direction)),
                one.instances,
            ]
            for one, trial in zip(self.result.ranking, self.ranking, strict=True)
        )
        columns = ["", "parameters", "mean value", "instances"]
        return table(f"{self._left}, best first", columns, rows)


def _as_data(found: Confirmation) -> dict[str, Any]:
    """The data to write into a study, for JSON."""
    result = found.result
    trials: dict[str, Any] = {}
    for one in result.ranking:
        mean = _finite(score_of(one.mean_cost, result.direction))
        trials[str(one.candidate.values["trial"])] = {"mean": mean, "instances": one.instances}
    for out in result.eliminations:
        why = elimination_data(out.elimination)
        why |= {name: _finite(why[name]) for name in ("value", "threshold")}
        where = {"dropped_after": out.after, "against": out.against.values["trial"]}
        trials[str(out.candidate.values["trial"])] = where | why
    return {
        "winner": None if found.trial is None else found.trial.number,
        "stopped": str(result.stopped),
        "evaluations": result.spent.evaluations,
        "trials": trials,
    }


def _finite(value: float | None) -> float | None:
    """A number that every storage accepts."""
    return value if value is not None and math.isfinite(value) else None
