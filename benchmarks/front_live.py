"""Searches for a Pareto front of quality and effort on two solvers, beside Optuna's samplers.

    python -m benchmarks.front_live run FRONTS.jsonl [--seeds 5]     # goes on where it was stopped
    python -m benchmarks.front_live table FRONTS.jsonl

- SciPy's differential evolution: the base 10 logarithms of what is left to the optimum, and of the
  function values it takes, on test functions of 4 to 8 dimensions.
- HGS: the excess over the best routes known, in per cent, and the base 10 logarithm of its seconds
  on the processor; a parameter is after how many iterations without a better solution it stops.

Each contender has 300 evaluations of one configuration on one instance. Optuna's samplers and
random search run every configuration on the same first 1 or 3 instances. All returned fronts run on
held-out instances. The regret is the share of the volume of the front of all these results together
that those of one front lack, up to a tenth of the range beyond its worst values.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.front_search import Values, regret, searched
from benchmarks.search_live.functions import BOUND, function
from benchmarks.search_live.targets import EXAMPLES
from examples.hgs.instances import read
from examples.hgs.solve import cost
from racing.core.instances import Instances

Floats = NDArray[np.float64]

BUDGET, HELD_OUT = 300, 15
CONTENDERS = ("racing", "random, 3", "NSGA-II, 1", "NSGA-II, 3", "TPE, 1", "TPE, 3")


@dataclass(frozen=True)
class Live:
    """A solver with quality and effort."""

    space: Mapping[str, Any]
    train: Sequence[Any]
    test: Sequence[Any]
    solve: Callable[[Values, Any, int], tuple[float, float]]
    metrics: int = 2

    @property
    def instances(self) -> Instances:
        """The places of those to search on."""
        return Instances(range(len(self.train)), repeat=True)

    def evaluate(self, values: Values, instance: int, rng: np.random.Generator) -> Floats:
        """(K,) metrics of one evaluation."""
        return np.array(self.solve(values, self.train[instance], int(rng.integers(2**31))))

    def held_out(self, values: Values) -> list[float]:
        """(K,) means on held-out instances."""
        seen = [self.solve(values, one, 7919 + i) for i, one in enumerate(self.test)]
        return np.mean(seen, axis=0).tolist()  # type: ignore[no-any-return]


def _evolution(values: Values, number: int, seed: int) -> tuple[float, float]:
    """What differential evolution leaves, and what it takes."""
    from scipy.optimize import differential_evolution

    aim = function(number)
    generations = max(values["evaluations"] // (values["popsize"] * aim.dimension) - 1, 1)
    found = differential_evolution(
        aim,
        [(-BOUND, BOUND)] * aim.dimension,
        strategy=values["strategy"],
        popsize=values["popsize"],
        mutation=(values["mutation"], min(values["mutation"] + values["dither"], 1.99) + 1e-9),
        recombination=values["recombination"],
        init=values["init"],
        maxiter=generations,
        tol=0,
        polish=False,
        updating="deferred",
        vectorized=True,
        rng=seed,
    )
    taken = values["popsize"] * aim.dimension * (generations + 1)
    return math.log10(max(float(found.fun), 0.0) + 1e-8), math.log10(taken)


def _routes(values: Values, file: str, seed: int) -> tuple[float, float]:
    """The excess in per cent, and the processor time."""
    problem = read(file)
    assert problem.best_known is not None
    own = {**values, "useSwapStar": bool(values["useSwapStar"])}
    iterations = own.pop("iterations")
    begun = time.process_time()
    found = cost(problem, own, seed, iterations=iterations)
    taken = time.process_time() - begun
    return 100 * (found / problem.best_known - 1), math.log10(taken)


STRATEGIES = [
    f"{base}{n}{cross}"
    for base, n in (("best", 1), ("rand", 1), ("best", 2), ("rand", 2), ("currenttobest", 1))
    for cross in ("bin", "exp")
]
STARTS = ["latinhypercube", "sobol", "halton", "random"]
SOLVERS: Mapping[str, Live] = {
    "differential evolution": Live(
        {
            "evaluations": {"integer": [100, 5000], "log": True, "default": 1500},
            "strategy": {"categorical": STRATEGIES, "default": "best1bin"},
            "popsize": {"integer": [3, 20], "log": True, "default": 15},
            "mutation": {"real": [0.0, 1.0], "default": 0.5},
            "dither": {"real": [0.0, 0.9], "default": 0.5},
            "recombination": {"real": [0.0, 1.0], "default": 0.7},
            "init": {"categorical": STARTS, "default": "latinhypercube"},
        },
        range(30),
        range(1000, 1000 + HELD_OUT),
        _evolution,
    ),
    "HGS": Live(
        {
            "iterations": {"integer": [10, 200], "log": True, "default": 100},
            "nbGranular": {"integer": [5, 50], "log": True, "default": 20},
            "mu": {"integer": [5, 80], "log": True, "default": 25},
            "lambda_": {"integer": [5, 120], "log": True, "default": 40},
            "nbElite": {"integer": [1, 10], "default": 4},
            "nbClose": {"integer": [1, 10], "default": 5},
            "targetFeasible": {"real": [0.05, 0.8], "default": 0.2},
            "penaltyDecrease": {"real": [0.6, 0.98], "default": 0.85},
            "penaltyIncrease": {"real": [1.02, 2.0], "default": 1.2},
            "useSwapStar": {"integer": [0, 1], "default": 1},
        },
        sorted(map(str, EXAMPLES.glob("hgs/train/*.vrp"))),
        sorted(map(str, EXAMPLES.glob("hgs/test/*.vrp")))[:HELD_OUT],
        _routes,
    ),
}


def run(file: Path, seeds: int) -> None:
    """Write a line for each front that the file lacks: its means on held-out instances."""
    there = {tuple(key) for *key, _ in _kept(file)}
    with file.open("a") as kept:
        for seed in range(seeds):
            for name, solver in SOLVERS.items():
                for contender in CONTENDERS:
                    if (name, contender, seed) not in there:
                        found = searched(solver, contender, BUDGET, seed)
                        means = [solver.held_out(values) for values in found]
                        print(json.dumps([name, contender, seed, means]), file=kept, flush=True)


def _kept(file: Path) -> list[list[Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(file: Path) -> Iterator[str]:
    """The mean regret of each contender on each solver, with its error."""
    yield "| solver | searches | " + " | ".join(CONTENDERS) + " |"
    yield "|---" * (len(CONTENDERS) + 2) + "|"
    rows = _kept(file)
    for name in SOLVERS:
        own = [(contender, np.array(means)) for n, contender, _, means in rows if n == name]
        known = np.concatenate([means for _, means in own])
        regrets = {
            one: [regret(means, known) for contender, means in own if contender == one]
            for one in CONTENDERS
        }
        many = len(regrets["racing"])
        yield f"| {name} | {many} | " + " | ".join(map(_mean, regrets.values())) + " |"


def _mean(values: Sequence[float]) -> str:
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{np.mean(values):.3f} ({error:.3f})"


def main() -> None:
    """Run what is missing, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["run", "table"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    if given.what == "run":
        run(given.file, given.seeds)
    else:
        print("\n".join(table(given.file)))


if __name__ == "__main__":
    main()
