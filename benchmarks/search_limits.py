"""Searches under a constraint, with an order, with a formula and by time alone.

    python -m benchmarks.search_limits [--seeds 24]

Made-up solvers with four parameters, of which the faster are less reliable: the time is log-normal,
an answer is right with a chance that falls with the square of the speed. At least 90 % are to be
right, then the fastest. Printed for each budget and objective: the share of winners whose true
chance is below .9 and their mean shortfall, how much slower the others are than the best that meets
the limit, and how often the default wins, with standard errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import racing

LIMIT = 0.9
SPACE = {f"x{i}": {"real": [0, 1], "default": 0.1} for i in range(4)}
METRICS = {"time": "minimize", "success": "maximize"}
OBJECTIVES: dict[str, Any] = {
    "time alone": {"minimize": "time"},
    "constraint": {"minimize": "time", "subject_to": [f"success >= {LIMIT}"]},
    "order, within .02": {"order": [{"success": 0.02}, "time"]},
    "formula, 10 a failure": {"minimize": "time + 10 * (1 - success)"},
}
BUDGETS = (300, 1000)


@dataclass(frozen=True)
class Solver:
    """A made-up solver: the best of its last three parameters, and a seed of its noise."""

    best: NDArray[np.float64]
    seed: int

    def chance(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) chances of a right answer, of configurations (n, 4)."""
        lost = 0.55 * x[:, 0] ** 2 + 0.3 * np.abs(x[:, 1] - self.best[0])
        return np.minimum(0.99, 1.02 - lost)

    def time(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) median times."""
        return np.asarray(2.2 - 1.5 * x[:, 0] + 0.8 * ((x[:, 1:] - self.best) ** 2).sum(axis=1))

    def fastest(self) -> float:
        """The least time of those that meet the limit, of 20,000 at random."""
        x = np.random.default_rng(0).random((20_000, 4))
        return float(self.time(x)[self.chance(x) >= LIMIT].min())

    def __call__(self, values: Mapping[str, Any], instance: int, seed: int) -> dict[str, float]:
        """The metrics of a run."""
        rng, x = np.random.default_rng([self.seed, instance, seed]), row(values)
        right, noise = rng.random() < self.chance(x)[0], rng.normal()
        return {"time": float(self.time(x)[0] * np.exp(0.3 * noise)), "success": float(right)}


def row(values: Mapping[str, Any]) -> NDArray[np.float64]:
    """A configuration as (1, 4) numbers."""
    return np.array([[values[name] for name in SPACE]])


def searched(seed: int, objective: Any, budget: int) -> tuple[float, float, bool]:
    """(shortfall of the chance, excess of the time, whether the default won)."""
    solver = Solver(np.random.default_rng(seed).uniform(0.2, 0.8, 3), seed)
    found = racing.minimize(
        solver, SPACE, range(200), budget=budget, metrics=METRICS, objective=objective, seed=seed
    )
    assert found.best is not None
    x = row(found.best)
    slower = float(solver.time(x)[0]) - solver.fastest()
    return LIMIT - float(solver.chance(x)[0]), slower, found.best["x0"] == 0.1


def mean(values: NDArray[np.float64], number: Callable[[float], str] = "{:.2f}".format) -> str:
    """A mean and its standard error."""
    if len(values) < 2:
        return "–"
    return f"{number(values.mean())} ({number(values.std(ddof=1) / len(values) ** 0.5)})"


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=24)
    seeds = range(1, parser.parse_args().seeds + 1)
    print("| evaluations | objective | misses the limit | shortfall | slower | default wins |")
    print("| --- | --- | --- | --- | --- | --- |")
    for budget in BUDGETS:
        for name, objective in OBJECTIVES.items():
            short, slower, default = np.array(
                [searched(seed, objective, budget) for seed in seeds], dtype=float
            ).T
            missed = short > 0
            print(
                f"| {budget} | {name} | {mean(missed.astype(float))} | "
                f"{mean(np.maximum(short, 0), '{:.3f}'.format)} | {mean(slower[~missed])} | "
                f"{default.mean():.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
