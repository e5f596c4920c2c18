"""How often a search speaks of a gain that is not there, and how often it leaves a better default.

    python -m benchmarks.unseen [--worlds none worse gain] [--kinds search irace] [--problems 8 40]
                                [--budgets 300 1000] [--runs 400] [--jobs 2] [--half choose]

In each world a configuration has its own luck on each problem, which is a smooth function of five
parameters with a standard deviation of 1, and each run has noise of .3 or 1. In the world `none`
all configurations are equally good on average over problems; in `worse` all others are worse than
the default by .2 and in `slightly` by .05; in `gain` they are better the nearer they are to one
point, by 1.5 at most. A search is extended twice, by half of its budget.

A line for each cell: the share of searches whose interval for unseen problems is above 0, that for
known problems likewise, the share with an interval for unseen problems at all, its coverage, the
share of winners that are not the default, and the share that are truly worse.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import astuple, dataclass

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from racing import Instances
from racing.search import IteratedRacing, IteratedSettings, Search, SearchBase

GAPS = {"none": 0.0, "worse": 0.2, "slightly": 0.05, "gain": -1.5}
SPACE = {f"x{place}": {"real": [0, 1], "default": 0.5} for place in range(5)}
FIRST = {"choose": 0, "report": 10_000}
"""The first seed of each half of the worlds."""


class World:
    """Costs of configurations on problems, and their mean over all problems."""

    def __init__(self, gap: float, problems: int, seed: int) -> None:
        rng = np.random.default_rng([17, problems, round(100 * gap) + 1000, seed])
        self.gap, self.noise, self.seed = gap, (0.3, 1.0)[seed % 2], seed
        self.waves = 4 * rng.normal(size=(30, len(SPACE)))
        self.phases = rng.uniform(0, 2 * np.pi, size=(problems, 30))
        self.levels, self.best = 2 * rng.normal(size=problems), rng.uniform(size=len(SPACE))

    def truth(self, values: dict[str, float]) -> float:
        """The mean over all problems; the default has 0."""
        x = np.array(list(values.values()))
        if np.abs(x - 0.5).max() < 1e-9:
            return 0.0
        if self.gap >= 0:
            return self.gap
        near = math.exp(-float(np.square(x - self.best).sum()) / 0.5)
        return self.gap * near + 0.5 * (1 - near)

    def cost(self, values: dict[str, float], problem: int, key: tuple[int, ...]) -> float:
        """Of one run."""
        x = np.array(list(values.values()))
        luck = math.sqrt(2 / 30) * np.cos(self.waves @ x + self.phases[problem]).sum()
        noise = self.noise * np.random.default_rng([*key, self.seed]).normal()
        return float(self.levels[problem] + luck + self.truth(values) + noise)


@dataclass(frozen=True)
class Told:
    """What one search said, 1 or 0; NaN where it does not apply."""

    unseen_above: float
    known_above: float
    unseen: float
    covered: float
    left: float
    worse: float


def searched(kind: str, world: str, problems: int, budget: int, seed: int) -> list[Told]:
    """What a search says at its end, and after two extensions."""
    made, stream = World(GAPS[world], problems, seed), Instances(range(problems), repeat=True)
    search: SearchBase
    if kind == "irace":
        settings = IteratedSettings(confirm=0.1)
        search = IteratedRacing(SPACE, stream, budget=budget, seed=seed, settings=settings)
    else:
        search = Search(SPACE, stream, budget=budget, seed=seed)
    found = []
    for extended in range(3):
        if extended:
            search.extend(budget + extended * budget // 2)
        while not search.done:
            for one in search.ask():
                key = (one.instance.seed, one.candidate.id)
                values = dict(one.candidate.values)
                search.tell(one.outcome(made.cost(values, int(str(one.instance.problem)), key)))
        found.append(_told(search, made))
    return found


def _told(search: SearchBase, made: World) -> Told:
    gain, ours = search.gain, search.found or search.winner
    assert ours is not None
    assert search.winner is not None
    truth, unseen = -made.truth(dict(ours.values)), gain is not None and gain.unseen
    closed = gain is not None and math.isfinite(gain.low)
    return Told(
        unseen_above=float(bool(unseen and gain is not None and gain.low > 0)),
        known_above=float(bool(not unseen and gain is not None and gain.low > 0)),
        unseen=float(unseen and closed),
        covered=float(gain.low <= truth <= gain.high) if gain and unseen and closed else math.nan,
        left=float(search.winner != search.baseline),
        worse=float(made.truth(dict(search.winner.values)) > 0),
    )


def lines(args: argparse.Namespace) -> Iterator[str]:
    """A line for each cell."""
    heads = "known above", "says unseen", "covered", "leaves default", "worse"
    yield " | ".join(("| kind | world | problems | budget | extended | runs | above 0", *heads, ""))
    yield "| " + " | ".join(["---", "---", *10 * ["---:"]]) + " |"
    for kind in args.kinds:
        for world in args.worlds:
            for problems in args.problems:
                for budget in args.budgets:
                    yield from _cell(args, kind, world, problems, budget)


def _cell(
    args: argparse.Namespace, kind: str, world: str, problems: int, budget: int
) -> Iterator[str]:
    seeds = range(FIRST[args.half], FIRST[args.half] + args.runs)
    job = delayed(searched)
    told = Parallel(n_jobs=args.jobs)(job(kind, world, problems, budget, seed) for seed in seeds)
    for extended, each in enumerate(zip(*told, strict=True)):
        shares = np.array([astuple(one) for one in each])
        said = [_share(column[~np.isnan(column)]) for column in shares.T]
        cell = [kind, world, str(problems), str(budget), str(extended), str(args.runs), *said]
        yield f"| {' | '.join(cell)} |"


def _share(told: NDArray[np.float64]) -> str:
    """The share of ones, and its standard error."""
    if not len(told):
        return "–"
    share = float(told.mean())
    return f"{share:.3f} ({math.sqrt(share * (1 - share) / len(told)):.3f})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", nargs="+", default=["none", "worse", "gain"], choices=GAPS)
    parser.add_argument("--kinds", nargs="+", default=["search"], choices=("search", "irace"))
    parser.add_argument("--problems", nargs="+", type=int, default=[8, 12, 20, 40])
    parser.add_argument("--budgets", nargs="+", type=int, default=[300, 1000])
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--half", default="report", choices=FIRST)
    for line in lines(parser.parse_args()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
