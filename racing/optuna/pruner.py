"""Prunes the trials of a study over instances: by a rule, of several objectives by dominance.

Optuna refuses `trial.report` and `trial.should_prune` in a study of several objectives. So the
values are kept in user attributes of the trial, one for each step, which every storage has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from optuna import Study, Trial
from optuna.pruners import BasePruner
from optuna.trial import FixedTrial, FrozenTrial

from racing.base.errors import InputError, must_be, show
from racing.base.quantities import MOST_COST, Direction, cost_of
from racing.base.seeds import Purpose, stream
from racing.core.objective import Objective
from racing.core.verdict import Elimination, Reason
from racing.optuna.trials import (
    DROPPED,
    STEP,
    cost,
    direction_of,
    directions_of,
    elimination_data,
    note_dropped,
    results_of,
    rivals_of,
    steps_of,
    was_dropped,
)  # fmt: skip
from racing.race.arguments import distance, rule_of, whole
from racing.race.judging import Schedule
from racing.rules.equals import judged
from racing.rules.rule import Outlook, Rule, check_outlook, first_look


class RacingPruner(BasePruner):
    """Prunes trials by a rule of racing, against trials with the same instances.

    The steps of a trial are instances: folds, data sets, problems, seeds. Each value that is
    reported is the trial's value on that instance alone, and not a running mean::

        def objective(trial):
            values = []
            for step, instance in enumerate(instances):
                values.append(evaluate(trial, instance))
                trial.report(values[-1], step)
                if trial.should_prune():
                    raise optuna.TrialPruned
            return mean(values)

        study = optuna.create_study(pruner=RacingPruner(instances=len(instances)))

    Do not return the mean of a pruned trial: on easy instances it can be better than the mean of
    the best trial over all, and the study would call it the best.

    A trial is compared with completed and running trials that have all its steps, in any order, and
    were not dropped. The user attribute `racing:dropped` has the reason for dropping a trial.

    In a study of several objectives, `report` and `should_prune` of `racing.optuna` take the place
    of the trial's own, and use this pruner of the study.

    It tests one trial at a time, when it reports. So it can neither give the saved evaluations to
    other trials, nor continue a trial that has ended: `confirm` can. Error rates of a rule hold for
    the candidates of one race, not for a study, whose sampler adds trials one after the other.

    Parameters
    ----------
    rule
        The name of a rule, `{"name": "sign", "alpha": 0.01}`, a rule of `racing.rules`, or any
        callable of that form. Rules that follow a schedule need `instances`, which they divide.
    instances
        The number of instances of a trial, for rules that use the number of further ones. None if
        unknown.
    first_test, each_test
        A trial is judged once it has seen `first_test` instances, and after every `each_test`
        further ones, or each time that their number has grown by a share such as "25%". Without
        `first_test` the rule says.
    objective
        `mean`, the best mean value, as in the study; or `rank`.
    seed
        The seed of the rule's random draws.

    Raises
    ------
    InputError
        If an argument cannot be used.

    Examples
    --------
    >>> import optuna
    >>> from racing.optuna import RacingPruner
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> def objective(trial):
    ...     x = trial.suggest_float("x", 0, 1)
    ...     for step in range(20):
    ...         trial.report(x + step % 3, step)
    ...         if trial.should_prune():
    ...             raise optuna.TrialPruned
    ...     return x
    >>> study = optuna.create_study(
    ...     sampler=optuna.samplers.RandomSampler(seed=1), pruner=RacingPruner(instances=20)
    ... )
    >>> study.optimize(objective, n_trials=10)
    >>> any(trial.state.name == "PRUNED" for trial in study.trials)
    True
    """

    def __init__(
        self,
        rule: Rule | str | Mapping[str, object] = "auto",
        *,
        instances: int | None = None,
        first_test: int | None = None,
        each_test: int | str = 1,
        objective: Objective = "mean",
        seed: int = 1,
    ) -> None:
        self._rule = rule_of(rule)
        self._instances = math.inf if instances is None else whole("instances", instances)
        if objective not in ("mean", "rank"):
            raise InputError(must_be("objective", "rank or mean", objective))
        self._objective: Objective = objective
        self._seed = whole("seed", seed, least=0)
        each = distance("each_test", each_test)
        check_outlook(self._rule, self._outlook(0))
        look = first_look(self._rule, self._outlook(0))
        first = look if first_test is None else whole("first_test", first_test)
        if first > self._instances:
            raise InputError(
                f"first_test must be at most {instances}, the instances of a trial; got {first}"
            )
        self._schedule = Schedule(first, each)

    def prune(self, study: Study, trial: FrozenTrial) -> bool:
        """Whether the rule drops the trial; Optuna calls it from `trial.should_prune()`.

        Raises
        ------
        InputError
            If a value is infinitely good, or the study has several objectives.
        """
        if was_dropped(trial):
            return True
        steps = sorted(trial.intermediate_values)
        if not self.due(len(steps)):
            return False
        rivals = rivals_of(study, trial.number, trial.intermediate_values.keys())
        if not rivals:
            return False
        sign = direction_of(study)
        costs = {one.number: [cost(one, step, sign) for step in steps] for one in (*rivals, trial)}
        out = self.elimination(costs, trial.number)
        if out is not None:
            note_dropped(study, trial, out, after=len(steps))
        return out is not None

    def due(self, seen: int) -> bool:
        """Whether a trial is judged after so many instances; not after the last one."""
        return seen < self._instances and self._schedule.due(seen)

    def elimination(
        self, costs: Mapping[int, Sequence[float]], trial: int, *key: int
    ) -> Elimination | None:
        """Why the rule drops one of several trials; None if it keeps it.

        Parameters
        ----------
        costs
            Of each trial on the same steps, by number.
        trial
            Its number.
        key
            What tells this look from others at as many instances, for random draws.
        """
        seen = len(costs[trial])
        rng = stream(self._seed, Purpose.VERDICT, trial, seen, *key)
        outlook = self._outlook(seen, since=self._schedule.since(seen))
        verdict = judged(self._rule, results_of(costs), outlook, rng)
        return next((one for one in verdict.eliminated if one.candidate == trial), None)

    def _outlook(self, seen: int, *, since: int = 1) -> Outlook:
        left = max(self._instances - seen, 0)
        return Outlook(objective=self._objective, instances=left, since=since)


# --- several objectives -------------------------------------------------------------------------


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
    told = trial.user_attrs
    steps = sorted(steps_of(told))
    if not pruner.due(len(steps)):
        return False
    own = _reported(told, steps, directions)
    for rival in rivals_of(trial.study, trial.number, {*steps}):
        theirs = _reported(rival.user_attrs, steps, directions)
        outs = _eliminations(pruner, (trial.number, own), (rival.number, theirs))
        if outs is not None:
            why = {
                "after": len(steps),
                "against": rival.number,
                "reason": str(Reason.DOMINATED),
                "objectives": [elimination_data(out) for out in outs],
            }
            trial.set_user_attr(DROPPED, why)
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


def _reported(
    attributes: Mapping[str, Any], steps: Sequence[int], directions: Sequence[Direction]
) -> list[list[float]]:
    """The costs that a trial has reported on these steps, for each objective; +inf = failed."""
    told = [attributes[f"{STEP}{step}"] for step in steps]
    return [
        [cost_of(values[place], direction) if values else math.inf for values in told]
        for place, direction in enumerate(directions)
    ]


def _eliminations(
    pruner: RacingPruner,
    trial: tuple[int, list[list[float]]],
    rival: tuple[int, list[list[float]]],
) -> list[Elimination] | None:
    """Why the rule drops the trial in each objective; None if it keeps it in one."""
    outs = []
    for place, both in enumerate(zip(trial[1], rival[1], strict=True)):
        costs = dict(zip((trial[0], rival[0]), both, strict=True))
        out = pruner.elimination(costs, trial[0], rival[0], place)
        if out is None:
            return None
        outs.append(out)
    return outs
