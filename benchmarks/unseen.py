"""How often a run speaks of a gain that is not there, and how often it leaves a better default.

    python -m benchmarks.unseen [--worlds none worse gain] [--kinds search race front]
                                [--problems 8 40] [--budgets 300 1000] [--runs 400] [--jobs 2]
                                [--half choose] [--extensions 2]

In each world a configuration has its own luck on each problem, which is a smooth function of five
parameters with a standard deviation of 1, and each run has noise of .3 or 1. In the world `none`
all configurations are equally good on average over problems; in `worse` all others are worse than
the default by .2 and in `slightly` by .05; in `gain` they are better the nearer they are to one
point, by 1.5 at most. In `slightly-uneven`, and so on, the costs of each problem are times a number
from 1 to 100. All are extended, twice by default, by half of their budget each time, but a
search for a team.

`search` is the continuous search, `irace` iterated racing with a confirmation, `race` a race of the
default and nine random configurations, `race-ranks` and `search-ranks` these by ranks, `front` a
search for a front of two metrics, in each of which a configuration has such costs with luck of
their own, and `team` a search for a team of two.

A line for each cell: the share of runs whose interval for unseen problems is above 0, that for
known problems likewise, the share with an interval for unseen problems at all, its coverage, the
share that leaves the default, and the share whose winner is truly worse; each with its standard
error. Of a front, an interval is above 0 if one of any member in any metric is, it holds if all do,
and the winner is worse if it is in both metrics. Of a team it is the gain of its best run over one
run of the default.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from racing import Candidate, Experiment, Instances, Outcome, Race
from racing.answer.gain import Gain
from racing.core.objective import Objective
from racing.search import IteratedRacing, IteratedSettings, PortfolioSearch, Search
from racing.space import Real, Space

GAPS = {"none": 0.0, "worse": 0.2, "slightly": 0.05, "gain": -1.5}
UNEVEN = "-uneven"
"""Ends the name of a world in which the costs of each problem are times 1 to 100."""
SPACE = Space({f"x{place}": Real(0, 1, default=0.5) for place in range(5)})
FIRST = {"choose": 0, "report": 10_000, "again": 20_000}
"""The first seed of each part of the worlds: to choose on, to report on, and to report on again."""
METRIC = 1_000_000
"""Added to the seed for the world of a second metric."""
WORLDS = (*GAPS, *(name + UNEVEN for name in GAPS))
KINDS = ("search", "irace", "race", "front", "team", "race-ranks", "search-ranks")


class World:
    """Costs of configurations on problems, and their mean over all problems."""

    def __init__(self, gap: float, problems: int, seed: int, uneven: bool = False) -> None:
        rng = np.random.default_rng([17, problems, round(100 * gap) + 1000, seed])
        self.gap, self.noise, self.seed = gap, (0.3, 1.0)[seed % 2], seed
        self.waves = 4 * rng.normal(size=(30, 5))
        self.phases = rng.uniform(0, 2 * np.pi, size=(problems, 30))
        self.levels, self.best = 2 * rng.normal(size=problems), rng.uniform(size=5)
        self.scales = 10 ** (2 * rng.uniform(size=problems)) if uneven else np.ones(problems)

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
        cost = self.levels[problem] + luck + self.truth(values) + noise
        return float(self.scales[problem] * cost)

    def best_of(self, team: Sequence[dict[str, float]]) -> float:
        """The mean of the lowest cost of a run of each, over all problems, without their levels."""
        rng, angles = np.random.default_rng(self.seed), np.empty((len(team), 30))
        for place, values in enumerate(team):
            angles[place] = self.waves @ np.array(list(values.values()))
        phases = rng.uniform(0, 2 * np.pi, size=(20_000, 1, 30))
        luck = math.sqrt(2 / 30) * np.cos(angles + phases).sum(axis=2)
        noise = self.noise * rng.normal(size=luck.shape)
        return float((luck + noise + [self.truth(one) for one in team]).min(axis=1).mean())


@dataclass(frozen=True)
class Told:
    """What one run said, 1 or 0; NaN where it does not apply."""

    unseen_above: float
    known_above: float
    unseen: float
    covered: float
    left: float
    worse: float


class Run:
    """A race or search in a world: of each metric one, with a luck of its own."""

    def __init__(self, kind: str, world: str, problems: int, budget: int, seed: int) -> None:
        gap, uneven = GAPS[world.removesuffix(UNEVEN)], world.endswith(UNEVEN)
        self.kind, self.budget = kind, budget
        metrics = range(2 if kind == "front" else 1)
        self.worlds = [World(gap, problems, seed + METRIC * one, uneven) for one in metrics]
        self.decider = begun(kind, Instances(range(problems), repeat=True), budget, seed)

    def told(self, extensions: int = 2) -> Iterator[Told]:
        """What it says at its end, and after each extension."""
        decider = self.decider
        for extended in range(1 if self.kind == "team" else 1 + extensions):
            if extended and decider.stopped is not None and decider.stopped.by_budget:
                decider.extend(self.budget + extended * self.budget // 2)
            while not decider.done:
                for one in decider.ask():
                    decider.tell(self._outcome(one))
            yield self._said()

    def _outcome(self, one: Experiment) -> Outcome:
        key, values = (one.instance.seed, one.candidate.id), dict(one.candidate.values)
        problem = int(str(one.instance.problem))
        costs = tuple(world.cost(values, problem, key) for world in self.worlds)
        return one.outcome(costs[0], metrics=costs if self.kind == "front" else ())

    def _said(self) -> Told:
        """What it says now."""
        decider, pairs = self.decider, self._gains()
        assert decider.winner is not None
        unseen = bool(pairs) and all(gain.of == "unseen" for gain, _ in pairs)
        closed = unseen and all(math.isfinite(gain.low) for gain, _ in pairs)
        above = any(gain.low > 0 for gain, _ in pairs)
        held = all(gain.low <= truth <= gain.high for gain, truth in pairs)
        won = self._truths(decider.winner)
        left, worse = decider.winner != decider.baseline, min(won) > 0
        if isinstance(decider, PortfolioSearch):
            left, worse = decider.team != (decider.baseline,), self._team_gain() < 0
        return Told(
            unseen_above=float(unseen and above),
            known_above=float(above and not unseen),
            unseen=float(closed),
            covered=float(held) if closed else math.nan,
            left=float(left),
            worse=float(worse),
        )

    def _truths(self, candidate: Candidate) -> list[float]:
        return [world.truth(dict(candidate.values)) for world in self.worlds]

    def _gains(self) -> list[tuple[Gain, float]]:
        """The gains over the default that it tells of, and what they are in truth."""
        decider = self.decider
        if isinstance(decider, Race):
            return []
        if isinstance(decider, PortfolioSearch):
            gain = decider.team_gain_over_default
            return [] if gain is None else [(gain, self._team_gain())]
        if self.kind == "front":
            return [
                (gain, -truth)
                for one, gains in decider.front_gains.items()
                for gain, truth in zip(gains.values(), self._truths(one), strict=True)
            ]
        found = decider.found or decider.winner
        assert found is not None
        return [] if decider.gain is None else [(decider.gain, -self._truths(found)[0])]

    def _team_gain(self) -> float:
        """The true gain of a team over one run of the default, whose mean is 0."""
        assert isinstance(self.decider, PortfolioSearch)
        return -self.worlds[0].best_of([dict(one.values) for one in self.decider.team])


def begun(kind: str, stream: Instances, budget: int, seed: int) -> Race | Search | IteratedRacing:
    """A race or search before its first evaluation."""
    score: Objective = "rank" if kind.endswith("-ranks") else "mean"
    if kind.startswith("race"):
        drawn = SPACE.sample(np.random.default_rng([seed, 1]), 9)
        given = [Candidate(1, SPACE.default(), "default")]
        given += [Candidate(id, values) for id, values in enumerate(drawn, start=2)]
        return Race(given, stream, budget=budget, seed=seed, objective=score)
    if kind == "irace":
        settings = IteratedSettings(confirm=0.1)
        return IteratedRacing(SPACE, stream, budget=budget, seed=seed, settings=settings)
    if kind == "team":
        return PortfolioSearch(SPACE, stream, budget=budget, seed=seed, portfolio=2)
    if kind == "front":
        front = {"front": ["a", "b"]}
        metrics: dict[str, dict[str, str]] = {"a": {}, "b": {}}
        return Search(
            SPACE, stream, budget=budget, seed=seed, metrics=metrics, objective=front
        )  # fmt: skip
    return Search(SPACE, stream, budget=budget, seed=seed, objective=score)


def told(
    kind: str, world: str, problems: int, budget: int, seed: int, extensions: int = 2
) -> list[Told]:
    """What a run says at its end, and after each extension."""
    return list(Run(kind, world, problems, budget, seed).told(extensions))


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
    job, rest = delayed(told), args.extensions
    runs = Parallel(n_jobs=args.jobs)(
        job(kind, world, problems, budget, seed, rest) for seed in seeds
    )
    for extended, each in enumerate(zip(*runs, strict=True)):
        shares = np.array([astuple(one) for one in each])
        said = [_share(column[~np.isnan(column)]) for column in shares.T]
        cell = [kind, world, str(problems), str(budget), str(extended), str(args.runs), *said]
        yield f"| {' | '.join(cell)} |"


def _share(ones: NDArray[np.float64]) -> str:
    """The share of ones, and its standard error."""
    if not len(ones):
        return "–"
    share = float(ones.mean())
    return f"{share:.3f} ({math.sqrt(share * (1 - share) / len(ones)):.3f})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", nargs="+", default=["none", "worse", "gain"], choices=WORLDS)
    parser.add_argument("--kinds", nargs="+", default=["search"], choices=KINDS)
    parser.add_argument("--problems", nargs="+", type=int, default=[8, 12, 20, 40])
    parser.add_argument("--budgets", nargs="+", type=int, default=[300, 1000])
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--extensions", type=int, default=2)
    parser.add_argument("--half", default="report", choices=FIRST)
    for line in lines(parser.parse_args()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
