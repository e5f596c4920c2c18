"""The best trials of a study race each other until the winner is clear."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from optuna import Study
from optuna.trial import FixedTrial, FrozenTrial, TrialState

from racing.candidate import Candidate
from racing.embed import Result, maximize, minimize
from racing.embed.arguments import BudgetLike, InstancesLike
from racing.errors import InputError
from racing.evaluate.function import Function
from racing.markup import configuration, figure, table
from racing.optuna.storage import CONFIRMED, note_confirmed, was_dropped
from racing.optuna.trials import direction_of
from racing.race.arguments import whole
from racing.report.facts import in_direction
from racing.rules.rule import Rule

Objective = Callable[[FixedTrial, Any, int], float]
"""A function of a trial, an instance and a seed: the trial's value on that instance alone."""


@dataclass(frozen=True, kw_only=True)
class Confirmation:
    """What a race between the best trials of a study came to.

    Attributes
    ----------
    trials
        Those that raced, the best of the study first.
    result
        The race; its candidates are called `trial <number>`.
    """

    trials: tuple[FrozenTrial, ...]
    result: Result

    @property
    def trial(self) -> FrozenTrial | None:
        """The trial that won, or that is ahead if the race was interrupted; None if none is."""
        winner = self.result.winner
        return None if winner is None else self._by_number[int(winner.values["trial"])]

    @property
    def params(self) -> dict[str, Any] | None:
        """The parameters of the trial that won."""
        return None if self.trial is None else dict(self.trial.params)

    @property
    def value(self) -> float:
        """The mean value of the trial that won, over the instances of the race; NaN without one.

        The others were dropped because of these instances, so it is a little too good.
        """
        return self.result.score

    @property
    def ranking(self) -> tuple[FrozenTrial, ...]:
        """The trials that were not told apart from the best, best first."""
        standing = self.result.ranking
        return tuple(self._by_number[int(one.candidate.values["trial"])] for one in standing)

    @property
    def _by_number(self) -> dict[int, FrozenTrial]:
        return {trial.number: trial for trial in self.trials}

    def _repr_html_(self) -> str:
        rows = (
            [
                one.candidate,
                configuration(trial.params.items()),
                figure(in_direction(one.mean_cost, self.result.direction)),
                one.instances,
            ]
            for one, trial in zip(self.result.ranking, self.ranking, strict=True)
        )
        left = f"{len(self.ranking)} of {len(self.trials)} trials are left, best first"
        return table(left, ["", "parameters", "mean value", "instances"], rows)


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

    The best value of a study is the luckiest of many, the more so the fewer instances a trial has
    seen. So the best trials are evaluated side by side on instances that the study has not seen,
    those that fall behind are dropped, and what that saves goes to the others.

    The study keeps its trials and values as they are: values on other instances cannot be compared
    with them, and `study.best_trial` would mix both. What the race came to is in the study's user
    attribute `racing:confirmed`, in whatever storage, and `confirmed(study)` finds the winner.

    Parameters
    ----------
    study
        With one direction.
    objective
        A function of (trial, instance, seed) that returns the value on that instance alone. The
        trial has the parameters that were suggested; `suggest_float` and so on return them.
    instances
        As in `racing.minimize`. They should be others than those of the study; a list is met once,
        `{"list": [...], "repeat": True}` again and again with new seeds.
    top
        How many trials race: completed ones that were not dropped, with different parameters.
    rule, budget
        As in `racing.minimize`.
    options
        Further arguments of `racing.minimize`: `jobs`, `seed`, `log`, `callbacks`, `progress`, ….
        The objective is `mean` if they do not say.

    Returns
    -------
    Confirmation
        Nothing is written into the study if the race was interrupted; `result.log`, given as `log`,
        goes on.

    Raises
    ------
    InputError
        If the study has several objectives, or fewer than two trials to choose from.
    TargetError, TargetFailed
        As `racing.minimize` raises them.
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
        note_confirmed(study, _as_data(confirmation))
    return confirmation


def confirmed(study: Study) -> FrozenTrial | None:
    """The trial that won the latest `confirm` of a study; None if there was none."""
    number = study.user_attrs.get(CONFIRMED, {}).get("winner")
    return None if number is None else study.get_trials()[number]


@dataclass(frozen=True)
class _ByNumber:
    """The objective as a function of values: the number of a trial stands for its parameters.

    Parameters of Optuna may be what no scenario can hold, None for example.
    """

    objective: Objective
    params: Mapping[int, Mapping[str, Any]]

    def __call__(self, values: Mapping[str, Any], instance: Any, seed: int) -> float:
        number = values["trial"]
        return self.objective(FixedTrial(dict(self.params[number]), number=number), instance, seed)


def _best(study: Study, top: int) -> tuple[FrozenTrial, ...]:
    """The best completed trials with different parameters, best first; of equals the earlier."""
    sign = -1.0 if direction_of(study) == "maximize" else 1.0
    done = study.get_trials(states=(TrialState.COMPLETE,))
    ranked = sorted(
        (trial for trial in done if not was_dropped(trial) and not math.isnan(_value(trial))),
        key=lambda trial: (sign * _value(trial), trial.number),
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


def _as_data(found: Confirmation) -> dict[str, Any]:
    """What is written into the study: what JSON can hold."""
    result = found.result
    ranked = {str(t.number): one for t, one in zip(found.ranking, result.ranking, strict=True)}
    dropped = {str(one.candidate.values["trial"]): one for one in result.eliminations}
    trials: dict[str, Any] = {
        number: {
            "mean": _finite(in_direction(one.mean_cost, result.direction)),
            "instances": one.instances,
        }
        for number, one in ranked.items()
    }
    for number, out in dropped.items():
        trials[number] = {
            "dropped_after": out.after,
            "against": out.against.values["trial"],
            "reason": str(out.elimination.reason),
            "measure": out.elimination.measure,
            "value": _finite(out.elimination.value),
            "threshold": _finite(out.elimination.threshold),
        }
    return {
        "winner": None if found.trial is None else found.trial.number,
        "stopped": str(result.stopped),
        "evaluations": result.spent.evaluations,
        "trials": trials,
    }


def _finite(value: float) -> float | None:
    """A number that every storage can hold."""
    return float(value) if math.isfinite(value) else None
