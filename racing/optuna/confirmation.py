"""The result of a race between the best trials of a study."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from optuna.trial import FrozenTrial

from racing.base.markup import configuration, table
from racing.base.quantities import score_of
from racing.base.words import number
from racing.embed import Result


@dataclass(frozen=True, kw_only=True)
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
        left = f"{len(self.ranking)} of {len(self.trials)} trials are left, best first"
        return table(left, ["", "parameters", "mean value", "instances"], rows)


def as_data(found: Confirmation) -> dict[str, Any]:
    """The data to write into a study, for JSON."""
    result = found.result
    ranked = {str(t.number): one for t, one in zip(found.ranking, result.ranking, strict=True)}
    dropped = {str(one.candidate.values["trial"]): one for one in result.eliminations}
    trials: dict[str, Any] = {
        number: {
            "mean": _finite(score_of(one.mean_cost, result.direction)),
            "instances": one.instances,
        }
        for number, one in ranked.items()
    }
    for trial, out in dropped.items():
        trials[trial] = {
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


def _finite(value: float | None) -> float | None:
    """A number that every storage accepts."""
    return value if value is not None and math.isfinite(value) else None
