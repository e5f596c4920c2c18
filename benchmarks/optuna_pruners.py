"""What pruners save in a study of Optuna, and what they cost.

    python -m benchmarks.optuna_pruners             10 studies for each pruner, some minutes
    python -m benchmarks.optuna_pruners --small     2 small ones

A study draws trials at random; the value of a trial on an instance is its true value, plus the
instance's own difficulty, plus noise. Every pruner sees the same trials with the same noise. Told
are the evaluations, as a share of all, and the regret: how much worse than the truly best trial the
study's best one is, in standard deviations of the noise. Standard errors are over studies.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import optuna
from numpy.typing import NDArray
from optuna.exceptions import ExperimentalWarning
from optuna.pruners import BasePruner, MedianPruner, NopPruner, WilcoxonPruner

from racing.optuna import RacingPruner

Floats = NDArray[np.float64]
INSTANCES = 30

PRUNERS: dict[str, Callable[[], BasePruner]] = {
    "none": NopPruner,
    "Optuna's median": MedianPruner,
    "Optuna's Wilcoxon": WilcoxonPruner,
    "racing, auto": lambda: RacingPruner(instances=INSTANCES),
    "racing, sign": lambda: RacingPruner("sign", instances=INSTANCES),
    "racing, wilcoxon": lambda: RacingPruner("wilcoxon", instances=INSTANCES),
    "racing, t-test": lambda: RacingPruner("t-test", instances=INSTANCES),
}


@dataclass(frozen=True)
class World:
    """The true values of the trials, and what is observed of each on each instance.

    Attributes
    ----------
    true : (m,)
        Lower is better; noise has standard deviation 1.
    values : (m, n)
        True value, difficulty of the instance, noise.
    """

    true: Floats
    values: Floats


def world(trials: int, seed: int) -> World:
    """A study's trials: the worst is three standard deviations of the noise behind the best."""
    rng = np.random.default_rng(seed)
    true = 3 * rng.uniform(0, 1, trials) ** 2
    difficulty = rng.normal(0, 2, INSTANCES)
    return World(true, true[:, None] + difficulty + rng.normal(0, 1, (trials, INSTANCES)))


def study(seen: World, pruner: BasePruner) -> tuple[float, float]:
    """(share of the evaluations, regret) of one study."""

    def objective(trial: optuna.Trial) -> float:
        values = seen.values[trial.number]
        for step, value in enumerate(values):
            trial.report(float(value), step)
            if trial.should_prune() and step + 1 < len(values):
                raise optuna.TrialPruned
        return float(values.mean())

    found = optuna.create_study(pruner=pruner)
    found.optimize(objective, n_trials=len(seen.true))
    steps = sum(len(trial.intermediate_values) for trial in found.get_trials(deepcopy=False))
    regret = seen.true[found.best_trial.number] - seen.true.min()
    return steps / seen.values.size, float(regret)


def table(trials: int, seeds: Sequence[int]) -> str:
    """The table in Markdown."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    worlds = [world(trials, seed) for seed in seeds]
    lines = ["| pruner | evaluations | regret |", "| --- | ---: | ---: |"]
    for name, pruner in PRUNERS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ExperimentalWarning)  # WilcoxonPruner, since 2024
            told = np.array([study(one, pruner()) for one in worlds])
        means, errors = told.mean(axis=0), told.std(axis=0, ddof=1) / math.sqrt(len(told))
        cells = (f"{mean:.3f} ± {error:.3f}" for mean, error in zip(means, errors, strict=True))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--small", action="store_true", help="2 studies of 10 trials")
    small = parser.parse_args(arguments).small
    print(table(10 if small else 40, range(2 if small else 10)))


if __name__ == "__main__":
    main()
