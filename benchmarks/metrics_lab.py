"""Races under a constraint and by an order, replayed where the truth is known.

    python -m benchmarks.metrics_lab                  all, 300 races a cell
    python -m benchmarks.metrics_lab --races 100
    python -m benchmarks.metrics_lab front            races for a front: benchmarks.front_lab
    python -m benchmarks.metrics_lab search           searches for one: benchmarks.front_search
    python -m benchmarks.metrics_lab chances          probabilities of being on a front, and truth

Forty candidates have a mean time and a chance of success; the more reliable are slower. A race has
so many evaluations for each candidate. Told are, with standard errors,

- infeasible: the share of races whose winner misses the constraint, by its true chance;
- regret: by how much the winner is slower than the fastest candidate that meets it, in standard
  deviations of the candidates' times, over the races whose winner meets it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import front_search
from benchmarks.front_lab import chances, measured, rows
from racing import Race

CANDIDATES, INSTANCES = 40, 100
BUDGETS = (5, 10, 20)
LIMIT, TOLERANCE = 0.9, 0.02

METRICS = {"time": {}, "success": {"direction": "maximize"}}
CONSTRAINT = {"minimize": "time", "subject_to": [f"success >= {LIMIT}"]}
PENALTY = {"minimize": "time + 10 * (1 - success)", "scores": "mean"}
CONTENDERS: Mapping[str, dict[str, Any]] = {
    "uniform": {"objective": CONSTRAINT, "rule": "none"},
    "auto": {"objective": CONSTRAINT, "rule": "auto"},
    "successive-halving": {"objective": CONSTRAINT, "rule": "successive-halving"},
    "auto, a penalty of 10": {"objective": PENALTY, "rule": "auto"},
}
ORDERS: Mapping[str, dict[str, Any]] = {
    name: {"objective": {"order": [{"success": TOLERANCE}, "time"]}, "rule": rule}
    for name, rule in (("uniform", "none"), ("auto", "auto"))
}

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class World:
    """Candidates with what is true of them, and what each instance shows.

    Attributes
    ----------
    time, success : (m,)
        The mean time, and the chance of success.
    seen : (n, m, 2)
        Time and success on each instance.
    """

    time: Floats
    success: Floats
    seen: Floats

    @classmethod
    def drawn(cls, seed: int) -> World:
        """A world; instances are harder and easier for all candidates alike."""
        rng = np.random.default_rng((2024, seed))
        success = 0.7 + 0.3 * rng.random(CANDIDATES)
        time = rng.random(CANDIDATES) + 1.5 * (success - 0.7)
        shared, own = rng.normal(size=(INSTANCES, 1)), rng.normal(size=(INSTANCES, CANDIDATES))
        times = time + 0.5 * shared + 0.5 * own
        solved = rng.random((INSTANCES, CANDIDATES)) < success
        return cls(time, success, np.stack([times, solved.astype(np.float64)], axis=2))

    @property
    def feasible(self) -> NDArray[np.bool_]:
        """(m,) who meets the constraint."""
        return self.success >= LIMIT

    def raced(self, each: int, **options: Any) -> int:
        """The place of the winner of a race with so many evaluations for each candidate."""
        race = Race(
            [{"c": c} for c in range(CANDIDATES)], range(INSTANCES),
            budget=each * CANDIDATES, metrics=METRICS, **options,
        )  # fmt: skip
        while not race.done:
            for experiment in race.ask():
                time, solved = self.seen[experiment.instance.step, experiment.candidate.id - 1]
                race.tell(experiment, {"time": time, "success": solved})
        assert race.winner is not None
        return race.winner.id - 1


@dataclass(frozen=True)
class Cell:
    """What the winners of some races came to; regret is None where the winner is infeasible."""

    regrets: tuple[float | None, ...]

    def __str__(self) -> str:
        bad = np.array([one is None for one in self.regrets])
        good = np.array([one for one in self.regrets if one is not None])
        share, n = float(bad.mean()), len(bad)
        spread = np.sqrt(share * (1 - share) / n)
        if len(good) < 2:
            return f"{share:.3f} ({spread:.3f}) · –"
        error = good.std(ddof=1) / np.sqrt(len(good))
        return f"{share:.3f} ({spread:.3f}) · {good.mean():.3f} ({error:.3f})"


def constrained(world: World, winner: int) -> float | None:
    """The regret of a winner under the constraint; None if it misses it."""
    if not world.feasible[winner]:
        return None
    best = world.time[world.feasible].min()
    return float((world.time[winner] - best) / world.time.std())


def ordered(world: World, winner: int) -> float | None:
    """The same of an order, by the most reliable candidates up to the tolerance."""
    good = world.success >= world.success.max() - TOLERANCE
    if not good[winner]:
        return None
    return float((world.time[winner] - world.time[good].min()) / world.time.std())


def table(contenders: Mapping[str, dict[str, Any]], races: int, regret: Any) -> Iterator[str]:
    """A row for each contender: infeasible · regret at each budget."""
    yield "| rule | " + " | ".join(f"{each} a candidate" for each in BUDGETS) + " |"
    yield "|---" * (len(BUDGETS) + 1) + "|"
    worlds = [World.drawn(seed) for seed in range(races)]
    for name, options in contenders.items():
        cells = (
            Cell(tuple(
                regret(world, world.raced(each, seed=seed, **options))
                for seed, world in enumerate(worlds)
            ))
            for each in BUDGETS
        )  # fmt: skip
        yield f"| {name} | " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=["limits", "front", "search", "chances"],
                        default="limits")  # fmt: skip
    parser.add_argument("--races", type=int, default=300)
    parser.add_argument("--kept", type=Path, help="finished races or searches for fronts")
    parser.add_argument("--first", type=int, default=0, help="the first seed, of fronts")
    parser.add_argument("--contender", action="append", help="of the searches; default: all")
    arguments = parser.parse_args()
    races = arguments.races
    kept = arguments.kept or Path(f"build/metrics_{arguments.what}.jsonl")
    seeds = range(arguments.first, arguments.first + races)
    if arguments.what == "chances":
        for row in chances(seeds, (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)):
            print(row, flush=True)
        return
    if arguments.what == "search":
        print(f"{races} searches a cell: regret of the hypervolume (error)\n")
        contenders = arguments.contender or front_search.CONTENDERS
        for row in front_search.rows(front_search.measured(seeds, kept, contenders)):
            print(row, flush=True)
        return
    if arguments.what == "front":
        print(f"{races} races a cell: regret of the hypervolume (error), uniform → auto\n")
        for row in rows(measured(seeds, kept)):
            print(row, flush=True)
        return
    print(f"success >= {LIMIT}, {races} races a cell: infeasible (error) · regret (error)\n")
    for row in table(CONTENDERS, races, constrained):
        print(row, flush=True)
    print(f"\nsuccess up to {TOLERANCE}, then time: not among the best · regret\n")
    for row in table(ORDERS, races, ordered):
        print(row, flush=True)


if __name__ == "__main__":
    main()
