"""How far off the time is that a run is said to take still.

    python -m benchmarks.time_left [--races 20] [--small]

Races on a simulated clock (`benchmarks.utilisation`) and searches on another
(`racing.search.search_plan`), with log-normal run times. When 10, 25, 50 and 75 % of their time has
passed, what progress says is held to what they still take. `ratio` is said / true: the median over
the races, and the range that has the middle 80 % of them. `bound` is the share of races that took
no longer than was said to be the most.
"""

from __future__ import annotations

import argparse
import heapq
from collections.abc import Iterator

import numpy as np

from benchmarks.utilisation import Simulation, World
from racing.core.budget import Budget
from racing.core.experiment import Outcome
from racing.runner.progress.state import TimeLeft, time_left
from racing.search.search_plan import MadeUp, a_search

SHARES = (0.1, 0.25, 0.5, 0.75)
RACES = ((30, 2), (30, 8), (200, 8))
SEARCHES = ((500, 2), (3000, 8))

Told = list[tuple[float, TimeLeft]]
"""The clock, and what was said of the time left."""


class Watched(Simulation):
    """A race on simulated workers, and what was said of the time left after each outcome."""

    def __init__(self, world: World, workers: int) -> None:
        super().__init__(world, workers, share=0.1)
        self.told: Told = []

    def _listen(self) -> None:
        super()._listen()
        self.told.append((self.clock, time_left(self.race, self.clock)))


def race(candidates: int, workers: int, seed: int) -> Told:
    """What was said during a race."""
    watched = Watched(World.of(candidates, seed), workers)
    watched.run()
    return watched.told


def search(evaluations: int, workers: int, seed: int) -> Told:
    """What was said during a search."""
    found = a_search(Budget(evaluations=evaluations), window=4 * workers, seed=seed)
    target, told = MadeUp(len(found.space.parameters), 1.0, seed), Told()
    running: list[tuple[float, int, Outcome]] = []
    now, begun = 0.0, 0
    while not found.done:
        for experiment in found.ask(workers - len(running)):
            begun += 1
            outcome = target(experiment)
            heapq.heappush(running, (now + outcome.seconds, begun, outcome))
        now, _, outcome = heapq.heappop(running)
        found.tell(outcome)
        told.append((now, time_left(found, now)))
    return told


def errors(all_told: list[Told]) -> Iterator[str]:
    """For each share of the time: the ratio, its range, and how often the bound held."""
    for share in SHARES:
        ratios, held = [], []
        for told in all_told:
            end = told[-1][0]
            at, said = next(one for one in told if one[0] >= share * end)
            ratios.append(said.expected / (end - at))
            held.append(said.most >= end - at)
        low, middle, high = np.quantile(ratios, (0.1, 0.5, 0.9))
        yield f"{share:6.2f}  {middle:6.2f}  {low:5.2f} – {high:5.2f}  {np.mean(held):5.2f}"


def main() -> None:
    """Print a line for every setting and share of the time."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--races", type=int, default=20)
    parser.add_argument("--small", action="store_true")
    args = parser.parse_args()
    races, searches = (RACES[:1], SEARCHES[:1]) if args.small else (RACES, SEARCHES)
    seeds = range(1, 1 + (3 if args.small else args.races))
    print("                                  passed   ratio  80 %           bound")
    for candidates, workers in races:
        for line in errors([race(candidates, workers, seed) for seed in seeds]):
            print(f"race, {candidates} candidates, {workers} workers".ljust(33), line, flush=True)
    for evaluations, workers in searches:
        for line in errors([search(evaluations, workers, seed) for seed in seeds]):
            print(f"search, {evaluations}, {workers} workers".ljust(33), line, flush=True)


if __name__ == "__main__":
    main()
