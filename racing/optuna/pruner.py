"""A pruner that races the trials of a study over instances."""

from __future__ import annotations

import math
from collections.abc import Mapping

from optuna import Study
from optuna.pruners import BasePruner
from optuna.trial import FrozenTrial

from racing.base.errors import InputError, must_be
from racing.base.seeds import Purpose, stream
from racing.core.objective import Objective
from racing.core.results import Results
from racing.core.verdict import Elimination
from racing.optuna.storage import note_dropped, was_dropped
from racing.optuna.trials import direction_of, results_of, rivals_of
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
        seen = len(trial.intermediate_values)
        if not self.due(seen):
            return False
        rivals = rivals_of(study, trial)
        if not rivals:
            return False
        steps = sorted(trial.intermediate_values)
        results = results_of([*rivals, trial], steps, direction_of(study))
        out = self.elimination(results, trial.number)
        if out is not None:
            note_dropped(study, trial, out, after=seen)
        return out is not None

    def due(self, seen: int) -> bool:
        """Whether a trial is judged after so many instances."""
        return self._schedule.due(seen)

    def elimination(self, results: Results, trial: int, *key: int) -> Elimination | None:
        """Why the rule drops a trial of these results; None if it keeps it.

        Parameters
        ----------
        trial
            Its number.
        key
            What tells this look from others at as many instances, for random draws.
        """
        seen = len(results.costs)
        rng = stream(self._seed, Purpose.VERDICT, trial, seen, *key)
        outlook = self._outlook(seen, since=self._schedule.since(seen))
        verdict = judged(self._rule, results, outlook, rng)
        return next((one for one in verdict.eliminated if one.candidate == trial), None)

    def _outlook(self, seen: int, *, since: int = 1) -> Outlook:
        left = max(self._instances - seen, 0)
        return Outlook(objective=self._objective, instances=left, since=since)
