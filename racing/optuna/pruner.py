"""A pruner that lets the trials of a study race over instances."""

from __future__ import annotations

import math
from collections.abc import Mapping

from optuna import Study
from optuna.pruners import BasePruner
from optuna.trial import FrozenTrial

from racing.errors import InputError
from racing.objective import Objective
from racing.optuna.storage import note_dropped, was_dropped
from racing.optuna.trials import direction_of, results_of, rivals_of
from racing.race.arguments import rule_of, whole
from racing.rules.equals import judged
from racing.rules.rule import Outlook, Rule, check_outlook, first_look
from racing.rules.verdict import Verdict
from racing.seeds import Purpose, stream


class RacingPruner(BasePruner):
    """Prunes a trial that a rule of racing drops, against the trials that saw the same instances.

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

    Do not return the mean of what a pruned trial has seen: on easy instances that can be better
    than the mean of the best trial over all, and the study would take it for the best.

    A trial is compared with completed and running trials that have seen all the steps that it has
    seen, in whatever order. Those that were dropped are not among them. Why a trial was dropped is
    in its user attribute `racing:dropped`.

    It judges one trial at a time, when it reports. So it can neither give the evaluations that it
    saves to other trials, nor go on with a trial once that has ended: `confirm` can. Error rates
    of a rule hold for the candidates of one race; over a study, whose sampler brings one trial
    after the other, they do not.

    Parameters
    ----------
    rule
        The name of a rule, `{"name": "sign", "alpha": 0.01}`, a rule of `racing.rules`, or any
        callable of that form. Rules that follow a schedule need `instances`, which they divide.
    instances
        How many instances a trial sees in all: rules that weigh what may still come need it. None
        if it is not known.
    first_test, each_test
        A trial is judged once it has seen `first_test` instances, and after every `each_test`
        further ones. Without `first_test` the rule says.
    objective
        What is best: `mean`, the best mean value, as the study itself has it; or `rank`.
    seed
        Keys what the rule draws.

    Raises
    ------
    InputError
        If an argument cannot be used.
    """

    def __init__(
        self,
        rule: Rule | str | Mapping[str, object] = "auto",
        *,
        instances: int | None = None,
        first_test: int | None = None,
        each_test: int = 1,
        objective: Objective = "mean",
        seed: int = 1,
    ) -> None:
        self._rule = rule_of(rule)
        self._instances = math.inf if instances is None else whole("instances", instances)
        if objective not in ("mean", "rank"):
            raise InputError(f"objective must be rank or mean; got {objective!r:.60}")
        self._objective: Objective = objective
        self._seed = whole("seed", seed, least=0)
        self._each = whole("each_test", each_test)
        check_outlook(self._rule, self._outlook(0))
        look = first_look(self._rule, self._outlook(0))
        self._first = look if first_test is None else whole("first_test", first_test)
        if self._first > self._instances:
            raise InputError(
                f"first_test is {self._first}, but a trial sees {instances} instances; set it to "
                f"{instances} or less"
            )

    def prune(self, study: Study, trial: FrozenTrial) -> bool:
        """Whether the rule drops the trial; Optuna calls it from `trial.should_prune()`.

        Raises
        ------
        InputError
            If a value is better than any can be, or the study has several objectives.
        """
        if was_dropped(trial):
            return True
        seen = len(trial.intermediate_values)
        if seen < self._first or (seen - self._first) % self._each:
            return False
        rivals = rivals_of(study, trial)
        if not rivals:
            return False
        verdict = self._verdict(study, trial, rivals)
        out = next((one for one in verdict.eliminated if one.candidate == trial.number), None)
        if out is not None:
            note_dropped(study, trial, out, after=seen)
        return out is not None

    def _verdict(self, study: Study, trial: FrozenTrial, rivals: list[FrozenTrial]) -> Verdict:
        steps = sorted(trial.intermediate_values)
        results = results_of([*rivals, trial], steps, direction_of(study))
        rng = stream(self._seed, Purpose.VERDICT, trial.number, len(steps))
        return judged(self._rule, results, self._outlook(len(steps)), rng)

    def _outlook(self, seen: int) -> Outlook:
        left = max(self._instances - seen, 0)
        return Outlook(objective=self._objective, instances=left)
