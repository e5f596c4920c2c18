"""A study of Optuna: its sampler proposes, racing prunes, and a race confirms the best trials.

python -m examples.embed.optuna_study
"""

from __future__ import annotations

import numpy as np
import optuna

from examples.embed.holt import error, true_error
from racing.optuna import Confirmation, RacingPruner, confirm

SERIES = 20


def on_series(trial: optuna.trial.BaseTrial, instance: int, seed: int = 0) -> float:
    """The error of a trial on one series."""
    values = {
        "level": trial.suggest_float("level", 0.01, 1),
        "trend": trial.suggest_float("trend", 0.001, 1, log=True),
    }
    return error(values, instance)


def objective(trial: optuna.Trial) -> float:
    """The mean error over the series; each of them is a step."""
    errors = []
    for step in range(SERIES):
        errors.append(on_series(trial, step))
        trial.report(errors[-1], step)
        if trial.should_prune():
            raise optuna.TrialPruned
    return float(np.mean(errors))


def study(*, trials: int = 40, seed: int = 1) -> optuna.Study:
    """A study with the pruner."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    found = optuna.create_study(
        sampler=optuna.samplers.TPESampler(seed=seed),
        pruner=RacingPruner(instances=SERIES),
    )
    found.optimize(objective, n_trials=trials)
    return found


def confirmation(found: optuna.Study, *, budget: int = 400) -> Confirmation:
    """Race the ten best trials on series that the study has not seen."""
    return confirm(found, on_series, instances=range(1000, 1100), budget=budget)


def main() -> None:
    """Search, confirm, and say what it came to."""
    found = study()
    steps = sum(len(trial.intermediate_values) for trial in found.trials)
    print(f"{len(found.trials)} trials took {steps} evaluations instead of {40 * SERIES}")
    print(f"best of the study: {found.best_params}, {true_error(found.best_params):.3f} held out")
    best = confirmation(found)
    assert best.params is not None
    print(f"confirmed: {best.params}, {true_error(best.params):.3f} held out")
    print(f"{best.result.spent.evaluations} further evaluations; {best.result.stopped}")


if __name__ == "__main__":
    main()
