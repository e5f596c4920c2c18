"""How busy workers are, and what speculation wastes: races whose evaluations take uneven times.

    python -m benchmarks.utilisation [--workers 2 8 32] [--candidates 30 200] [--races 5]
                                     [--speculate 0 0.05 0.1 1] [--each 1 25%] [--live]
                                     [--figure FILE]

Evaluations take log-normal times with σ = 1. Simulated, the figures do not depend on the machine: a
worker that is free takes what the race hands out, under the bound of `racing.runner.loop`, and time
passes in between. With `--live`, the real loop drives a thread for each worker, and the target
sleeps .2 s on average.

`used` is the share of all workers' time that went into evaluations that decided something; `wasted`
is the share of evaluations begun that did not, and `wasted time` the share of the time of all.
`took` is the time of the race, in mean evaluations (live: in seconds), and `looks` how often the
rule was asked, at the distances of `--each`.

`foresight` is what could be used at best if it were known beforehand which evaluations will decide:
the first free worker takes the next of them, in the order of the rows; `times too` is the same with
the longest first. `--figure` draws use against waste over the shares of `--speculate`, for each
number of workers and candidates.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import math
import statistics
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from racing import Budget, Race
from racing.core.experiment import Experiment, Outcome
from racing.evaluate.pool import open_pool
from racing.log import MemoryLog, header_of
from racing.race.speculation import allowance
from racing.runner.loop import drive
from racing.scenario.settings import Execution

INSTANCES = 100
MEAN = 0.2  # seconds that the target sleeps on average
DEFAULT = Execution().speculate


@dataclass(frozen=True)
class World:
    """Costs and times of every evaluation of a race, by instance and candidate."""

    costs: NDArray[np.float64]
    seconds: NDArray[np.float64]
    seed: int
    each: int | str | None = None

    @classmethod
    def of(
        cls,
        candidates: int,
        seed: int,
        *,
        mean: float = math.exp(0.5),
        each: int | str | None = None,
    ) -> World:
        """Means spread over [0, 1] under normal noise, so that the field shrinks gradually."""
        rng = np.random.default_rng(seed)
        shape = (INSTANCES, candidates)
        costs = rng.uniform(size=candidates) + rng.normal(size=shape)
        times = mean / math.exp(0.5) * rng.lognormal(sigma=1.0, size=shape)
        return cls(costs, times, seed, each)

    def race(self) -> Race:
        """The race, with a budget for half of all evaluations."""
        n, k = self.costs.shape
        columns = [{"column": j} for j in range(k)]
        budget = Budget(evaluations=n * k // 2)
        return Race(columns, range(n), budget=budget, seed=self.seed, each_test=self.each)

    def cell(self, experiment: Experiment) -> tuple[int, int]:
        """Where an experiment stands."""
        return experiment.instance.step, int(experiment.candidate.values["column"])


@dataclass(frozen=True)
class Figures:
    """What one race came to; see the module."""

    used: float
    wasted: float
    wasted_time: float
    took: float
    looks: float


class Simulation:
    """A race on simulated workers; time passes from one end of an evaluation to the next."""

    def __init__(self, world: World, workers: int, share: float) -> None:
        self.world, self.workers, self.share = world, workers, share
        self.race = world.race()
        self.clock = self.busy = 0.0
        self.begun = self.ended = 0
        self.running: list[tuple[float, int, float, Experiment]] = []

    def run(self) -> Figures:
        """Drive the race to its end."""
        race, verdicts = self.race, 0
        while not race.done:
            self._feed()
            self._listen()
            if len(race.verdicts) > verdicts and not race.done:
                verdicts = len(race.verdicts)
                self._drop({one.key for one in race.unwanted})
        self._drop({one[3].key for one in self.running})
        spent = race.spent
        return Figures(
            used=spent.target_time / (self.workers * self.clock),
            wasted=1 - spent.evaluations / self.begun,
            wasted_time=1 - spent.target_time / self.busy,
            took=self.clock / math.exp(0.5),
            looks=len(race.verdicts),
        )

    def _feed(self) -> None:
        race, free = self.race, self.workers - len(self.running)
        allowed = allowance(self.share, race.budget, race.spent.evaluations)
        extra = max(allowed - race.speculative - race.wasted - self.ended, 0)
        for one in race.ask(free, speculate=min(extra, free)):
            end = self.clock + self.world.seconds[self.world.cell(one)]
            heapq.heappush(self.running, (end, self.begun, self.clock, one))
            self.begun += 1

    def _listen(self) -> None:
        self.clock, _, start, one = heapq.heappop(self.running)
        self.busy += self.clock - start
        cell = self.world.cell(one)
        self.race.tell(one.outcome(self.world.costs[cell], seconds=self.world.seconds[cell]))

    def _drop(self, keys: set[tuple[int, int]]) -> None:
        for _, _, start, one in self.running:
            if one.key in keys:
                self.ended += 1
                self.busy += self.clock - start
                self.race.lost(one)
        self.running = [one for one in self.running if one[3].key not in keys]
        heapq.heapify(self.running)


def foresight(world: World, workers: int) -> tuple[float, float]:
    """What could be used at best, in the order of the rows, and with the longest first."""
    race, needed = world.race(), []
    while not race.done:
        for one in race.ask():
            cell = world.cell(one)
            needed.append(float(world.seconds[cell]))
            race.tell(one.outcome(world.costs[cell], seconds=world.seconds[cell]))
    return _packed(needed, workers), _packed(sorted(needed, reverse=True), workers)


def _packed(seconds: list[float], workers: int) -> float:
    """The share of all workers' time, where each that is free takes the next."""
    ends = [0.0] * workers
    for one in seconds:
        heapq.heapreplace(ends, ends[0] + one)
    return math.fsum(seconds) / (workers * max(ends))


class Asleep:
    """A target that sleeps; says how long all sleeps took, also those that were ended."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.begun, self.lock = 0, threading.Lock()

    def __call__(self, experiment: Experiment) -> Outcome:
        """Sleep, then answer."""
        with self.lock:
            self.begun += 1
        cell = self.world.cell(experiment)
        time.sleep(self.world.seconds[cell])
        return experiment.outcome(self.world.costs[cell], seconds=self.world.seconds[cell])


def live(world: World, workers: int, share: float) -> Figures:
    """One race by the loop itself, on threads whose target sleeps."""
    race, target = world.race(), Asleep(world)
    log = MemoryLog(header_of(race))
    begun = time.perf_counter()
    with open_pool(target, jobs=workers, engine="threading") as pool:
        drive(race, pool, log, speculate=share)
        took = time.perf_counter() - begun
    total = sum(one.seconds for one in log.outcomes()) + log.dropped.seconds
    return Figures(
        used=race.spent.target_time / (workers * took),
        wasted=1 - race.spent.evaluations / target.begun,
        wasted_time=1 - race.spent.target_time / total,
        took=took,
        looks=len(race.verdicts),
    )


def measured(
    args: argparse.Namespace, k: int, workers: int, share: float, each: int | str | None
) -> Figures:
    """Means over the races of one setting."""
    if args.live:
        found = [live(World.of(k, s, mean=MEAN, each=each), workers, share) for s in args.seeds]
    else:
        found = [Simulation(World.of(k, s, each=each), workers, share).run() for s in args.seeds]
    names = [one.name for one in fields(Figures)]
    return Figures(*(statistics.mean(getattr(one, name) for one in found) for name in names))


def lines(args: argparse.Namespace) -> Iterator[str]:
    """A line for every setting."""
    yield (
        "candidates workers   each speculate   used wasted wasted time foresight times too    took "
        "looks"
    )
    curves: dict[tuple[int, int], list[tuple[float, Figures]]] = {}
    for k in args.candidates:
        for workers, each in itertools.product(args.workers, args.each):
            bounds = [foresight(World.of(k, s, each=each), workers) for s in args.seeds]
            best = [statistics.mean(column) for column in zip(*bounds, strict=True)]
            for share in args.speculate:
                one = measured(args, k, workers, share, each)
                curves.setdefault((k, workers), []).append((share, one))
                yield (
                    f"{k:10d} {workers:7d} {each or 'rule':>6} {share:9.2f} {one.used:6.3f} "
                    f"{one.wasted:6.3f} {one.wasted_time:11.3f} {best[0]:9.3f} {best[1]:9.3f} "
                    f"{one.took:7.1f} {one.looks:5.0f}"
                )
    if args.figure:
        draw(curves, args.figure)


def draw(curves: dict[tuple[int, int], list[tuple[float, Figures]]], path: str) -> None:
    """Use against waste, a curve for each number of candidates and workers."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 4), layout="constrained")
    axes = figure.subplots()
    for (k, workers), points in curves.items():
        x, y = [one.wasted for _, one in points], [one.used for _, one in points]
        axes.plot(x, y, marker=".", label=f"{workers} workers, {k} candidates")
        default = [(one.wasted, one.used) for share, one in points if share == DEFAULT]
        axes.plot(*zip(*default, strict=True), "ko", fillstyle="none", markersize=9)
    axes.set(
        xlabel="wasted: share of the evaluations begun",
        ylabel="used: share of the workers' time",
        ylim=(0, 1.02),
    )
    axes.grid(color="0.9")
    axes.legend(frameon=False, fontsize="small")
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)


def _each(text: str) -> int | str:
    return int(text) if text.isdigit() else text


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="*", default=[2, 8, 32])
    parser.add_argument("--candidates", type=int, nargs="*", default=[30, 200])
    parser.add_argument("--speculate", type=float, nargs="*", default=[0, 0.05, 0.1, 1])
    parser.add_argument("--each", type=_each, nargs="*", default=[None], help="1, 25%%, …")
    parser.add_argument("--races", type=int, default=5)
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--figure", metavar="FILE", help="draw use against waste (PNG, SVG, PDF)")
    args = parser.parse_args()
    args.seeds = range(args.races)
    for line in lines(args):
        print(line, flush=True)


if __name__ == "__main__":
    main()
