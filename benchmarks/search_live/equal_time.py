"""Eight workers, by the clock: what share of irace's time reaches irace's final quality.

The target sleeps, so that eight runs need no eight processors: its cost is that of a landscape of
`benchmarks.search_lab`, whose truth is known, and its run time log-normal (σ = 1) by configuration,
instance and seed. irace runs with eight parallel processes and a budget of evaluations. Then the
continuous search gets shares of the time that irace took, as a limit of wall-clock time.
"""

from __future__ import annotations

import csv
import math
import time
import zlib
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.search_lab.families import family
from benchmarks.search_lab.figures import scale
from benchmarks.search_lab.landscapes import Landscape
from benchmarks.search_lab.spaces import configuration, row, space_of
from benchmarks.search_live import irace_r
from benchmarks.search_live.tables import figure
from racing.core.budget import Budget
from racing.core.experiment import Experiment
from racing.core.instances import Instances
from racing.core.stop import Stop
from racing.search import Search
from racing.space import Configuration, Space

WORKERS = 8
SHARES = (0.2, 0.33, 0.5)
FAMILIES: tuple[str, ...] = ("S5", "S15")
EVALUATIONS = 600
MEAN_SECONDS = 0.2


class Sleeping:
    """A landscape whose runs take time."""

    def __init__(self, name: str, number: int, mean_seconds: float) -> None:
        self.name, self.number, self._mean = name, number, mean_seconds
        self.land = Landscape(name, number)
        self.space: Space = space_of(family(name))
        self.default = configuration(self.land.family, self.land.default)

    def __call__(self, values: Configuration, place: int, seed: int) -> float:
        """The cost on a training instance by its place, after a while."""
        x = row(self.land.family, values)
        key = zlib.crc32(np.nan_to_num(x).tobytes())
        z = np.random.default_rng([key, place, seed]).normal()
        time.sleep(self._mean * math.exp(z - 0.5))
        return float(self.land.costs(x[None], self.land.instances[place], seed)[0])

    def regret(self, values: Configuration) -> float:
        """Of a configuration's true cost."""
        return scale(self.name, self.number).regret(self.land.truth(row(self.land.family, values)))


def race(target: Sleeping, seconds: float, seed: int) -> float:
    """The regret of the continuous search after these seconds on eight workers."""
    search = Search(
        target.space,
        Instances(range(len(target.land.instances)), repeat=True),
        budget=Budget(wall_time=seconds),
        window=4 * WORKERS,
        known=[target.default],
        seed=seed,
    )
    begun = time.perf_counter()
    running: dict[Future[tuple[float, float]], Experiment] = {}
    with ThreadPoolExecutor(WORKERS) as pool:
        while not search.done:
            for one in search.ask(WORKERS - len(running)):
                running[pool.submit(_run, target, one)] = one
            left = seconds - (time.perf_counter() - begun)
            done = wait(running, timeout=max(left, 0), return_when=FIRST_COMPLETED).done
            if left <= 0:
                search.end(Stop.WALL_TIME)
            for future in done:
                one, (cost, took) = running.pop(future), future.result()
                elapsed = time.perf_counter() - begun
                if not search.done:
                    search.tell(replace(one.outcome(cost, seconds=took), elapsed=elapsed))
    return target.regret(search.winner.values) if search.winner else target.regret(target.default)


def _run(target: Sleeping, one: Experiment) -> tuple[float, float]:
    begun = time.perf_counter()
    cost = target(one.candidate.values, one.instance.number - 1, one.instance.seed)
    return cost, time.perf_counter() - begun


def measure(name: str, number: int, seed: int, evaluations: int, mean: float) -> dict[str, object]:
    """irace's time and regret, and the regrets of the search after shares of that time."""
    target = Sleeping(name, number, mean)
    begun = time.perf_counter()
    found = irace_r.search(
        target.space,
        target,
        instances=len(target.land.instances),
        budget=evaluations,
        seed=seed + 1,
        workers=WORKERS,
        first=target.default,
    )
    took = time.perf_counter() - begun
    shares = {f"after_{share}": race(target, share * took, seed) for share in SHARES}
    regret = target.regret(found.values)
    return {
        "family": name, "landscape": number, "seed": seed, "evaluations": evaluations,
        "mean_seconds": mean, "irace_seconds": round(took, 2), "irace": regret, **shares,
    }  # fmt: skip


def main(seeds: Iterable[int], file: Path, *, small: bool = False) -> None:
    """Measure, store and print."""
    file.parent.mkdir(parents=True, exist_ok=True)
    names, evaluations, mean = FAMILIES, EVALUATIONS, MEAN_SECONDS
    if small:
        names, evaluations, mean = ("S5",), 200, 0.002
    for seed in seeds:
        for name in names:
            found = measure(name, seed % 10, seed, evaluations, mean)
            anew = not file.exists()
            with file.open("a", newline="") as out:
                writer = csv.DictWriter(out, list(found), lineterminator="\n")
                if anew:
                    writer.writeheader()
                writer.writerow(found)
    print("\n".join(lines(file)))


def lines(file: Path) -> list[str]:
    """Mean regrets after shares of irace's time, as Markdown."""
    columns: dict[str, list[float]] = defaultdict(list)
    with file.open(newline="") as told:
        for one in csv.DictReader(told):
            for name in one:
                if name.startswith("after_") or name == "irace":
                    columns[name].append(float(one[name]))
    theirs = np.array(columns.pop("irace"))
    found = [
        "| share of irace's time | regret | less irace's, paired |",
        "| ---: | ---: | ---: |",
        f"| 1, irace 3.5 itself | {figure(theirs)} | – |",
    ]
    for name, values in columns.items():
        ours = np.array(values)
        share = name.removeprefix("after_")
        found.append(f"| {share} | {figure(ours)} | {figure(ours - theirs, '+')} |")
    return found
