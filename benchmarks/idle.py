"""How busy workers are, and what looking ahead wastes: races whose evaluations take uneven times.

    python -m benchmarks.idle [--workers 2 8 32]

Times are simulated, log-normal with σ = 1, so that the figures do not depend on the machine: a
worker that is free takes what the race hands out, and time passes in between. "useful" is the share
of all workers' time that went into evaluations that decided something; "wasted" is the share of
evaluations begun ahead for candidates that were then dropped.
"""

from __future__ import annotations

import argparse
import heapq
import statistics

import numpy as np

from racing import Budget, Race
from racing.experiment import Experiment

CANDIDATES, INSTANCES, RACES = 30, 100, 20


def simulate(workers: int, ahead: int, seed: int) -> tuple[float, float]:
    """(useful share of time, wasted share of evaluations) of one race."""
    rng = np.random.default_rng(seed)
    means = rng.uniform(size=CANDIDATES)
    costs = means + rng.normal(size=(INSTANCES, CANDIDATES))
    seconds = rng.lognormal(sigma=1.0, size=(INSTANCES, CANDIDATES))
    race = Race(
        [{"column": j} for j in range(CANDIDATES)],
        range(INSTANCES),
        budget=Budget(evaluations=1500),
        seed=seed,
    )
    clock, spent, begun = 0.0, 0.0, 0
    running: list[tuple[float, int, Experiment]] = []
    while not race.done:
        for experiment in race.ask(workers - len(running), ahead=ahead):
            cell = experiment.instance.step, experiment.candidate.id - 1
            heapq.heappush(running, (clock + seconds[cell], begun, experiment))
            begun += 1
        clock, _, experiment = heapq.heappop(running)
        cell = experiment.instance.step, experiment.candidate.id - 1
        race.tell(experiment.outcome(costs[cell], seconds=seconds[cell]))
    spent = race.spent.target_time
    return spent / (workers * clock), 1 - race.spent.evaluations / begun


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="*", default=[2, 8, 32])
    parser.add_argument("--ahead", type=int, nargs="*", default=[0, 1, 2, 4])
    args = parser.parse_args()
    print("workers  ahead  useful  wasted")
    for workers in args.workers:
        for ahead in args.ahead:
            found = [simulate(workers, ahead, seed) for seed in range(RACES)]
            useful, wasted = (statistics.mean(side) for side in zip(*found, strict=True))
            print(f"{workers:7d} {ahead:6d} {useful:7.2f} {wasted:7.2f}")


if __name__ == "__main__":
    main()
