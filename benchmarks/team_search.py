"""What a portfolio search gains over one search with the same budget, on landscapes of the lab.

    python -m benchmarks.team_search run RUNS.csv     # goes on where it was stopped
    python -m benchmarks.team_search table RUNS.csv
    python -m benchmarks.team_search coverage INTERVALS.csv

Instances are of one type or of several. Each type is a landscape of its own, with its own best
configuration, over the same space. The contenders are one search and portfolios of two and four,
all with the same number of evaluations.

Regret is (C − B) / (D − B): C is the mean over the types of the lowest true cost of a member, B
that of the best known configuration of each type, D the default's. True costs are means over a
thousand unseen instances, without noise. So a team gets no credit for the luck of several seeds,
nor for differences within a type. In the table regret is cut off at 2, as in the laboratory: where
the default is nearly the best, one bad run would outweigh all others.

`coverage` counts how often the interval of a team's gain over the best single configuration holds
its mean gain on 20 000 further instances of each type, with noise, as it is told.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import records
from benchmarks.search_lab.figures import WORST, scale
from benchmarks.search_lab.landscapes import Landscape
from benchmarks.search_lab.spaces import configuration, row, space_of
from racing.core.instances import Instances
from racing.search import PortfolioSearch, Search, Settings
from racing.stats.intervals import half_width

FAMILIES = ("S5", "S15", "H15")
TYPES = (1, 2, 3)
BUDGETS = (1000,)
MEMBERS = (1, 2, 4)
SEEDS = range(40)
CONFIRM = (0.05, 0.15)
FURTHER = 20_000

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Run:
    """One search: of how many members, and its regret; confirmed gain of the team over one."""

    family: str
    types: int
    budget: int
    members: int
    seed: int
    regret: float
    low: float
    high: float
    evaluations: int


def run(family: str, types: int, budget: int, members: int, seed: int) -> Run:
    """Search landscapes from 0 to 9 of a family as types, three apart."""
    lands = [Landscape(family, (seed + 3 * kind) % 10) for kind in range(types)]
    space, default = space_of(lands[0].family), lands[0].default
    problems = [(kind, one) for one in lands[0].instances for kind in range(types)]
    instances = Instances(problems, repeat=True)
    known = [configuration(lands[0].family, default)]
    search: Search
    if members == 1:
        search = Search(space, instances, budget=budget, seed=seed, known=known)
    else:
        search = PortfolioSearch(
            space, instances, budget=budget, seed=seed, known=known, portfolio=members
        )
    _drive(search, lands)
    assert search.winner is not None
    team = [search.winner]
    gain = None
    if isinstance(search, PortfolioSearch):
        team, gain = list(search.team), search.team_gain
    rows = [row(lands[0].family, one.values) for one in team]
    cost = float(np.mean([min(land.truth(x) for x in rows) for land in lands]))
    best = float(np.mean([scale(family, land.number).best for land in lands]))
    worst = float(np.mean([land.truth(default) for land in lands]))
    return Run(
        family=family,
        types=types,
        budget=budget,
        members=members,
        seed=seed,
        regret=(cost - best) / (worst - best),
        low=gain.low if gain else float("nan"),
        high=gain.high if gain else float("nan"),
        evaluations=search.spent.evaluations,
    )


def _drive(search: Search, lands: list[Landscape]) -> None:
    while not search.done:
        for one in search.ask():
            assert isinstance(one.instance.problem, tuple)
            kind, problem = one.instance.problem
            x = row(lands[0].family, one.candidate.values)
            cost = lands[kind].costs(x[None], [problem], [one.instance.seed])[0]
            search.tell(one.outcome(float(cost)))


@dataclass(frozen=True)
class Told:
    """The interval that a search tells of its team's gain, and the gain on further instances."""

    family: str
    types: int
    members: int
    confirm: float
    seed: int
    low: float
    high: float
    pairs: int
    true: float

    @property
    def holds(self) -> bool:
        """Whether the interval holds the gain."""
        return self.low <= self.true <= self.high


def told(family: str, types: int, members: int, confirm: float, seed: int) -> Told | None:
    """Search on many instances, so that unseen ones are new problems; None without an interval."""
    lands = [Landscape(family, (seed + 3 * kind) % 10) for kind in range(types)]
    space, known = space_of(lands[0].family), configuration(lands[0].family, lands[0].default)
    search = PortfolioSearch(
        space,
        Instances([(kind, one) for one in range(1, 501) for kind in range(types)]),
        budget=1000,
        seed=seed,
        known=[known],
        portfolio=members,
        settings=Settings(confirm=confirm),
    )
    _drive(search, lands)
    gain, single = search.team_gain, search.single
    if gain is None or single is None:
        return None
    team = np.array([row(lands[0].family, one.values) for one in search.team])
    alone = row(lands[0].family, single.values)[None]
    true = float(np.mean([_gain(land, team, alone, seed) for land in lands]))
    return Told(family, types, members, confirm, seed, gain.low, gain.high, gain.pairs, true)


def _gain(land: Landscape, team: Floats, alone: Floats, seed: int) -> float:
    """The mean gain of a team over one configuration, with one seed for all on an instance."""
    instances = np.arange(10**6, 10**6 + FURTHER)
    seeds = np.random.default_rng([5, seed]).integers(1, 2**31, len(instances))
    both = np.vstack([alone, team])
    costs = [land.costs(np.repeat(x[None], len(seeds), axis=0), instances, seeds) for x in both]
    return float((costs[0] - np.min(costs[1:], axis=0)).mean())


def intervals(file: Path) -> Iterator[Told]:
    """The intervals that a file does not have yet."""
    done = records.load(Told, file) if file.exists() else []
    there = {(one.family, one.types, one.members, one.confirm, one.seed) for one in done}
    for seed, types, family, members, confirm in product(
        range(60), TYPES[1:], FAMILIES, MEMBERS[1:], CONFIRM
    ):
        if (family, types, members, confirm, seed) not in there:
            one = told(family, types, members, confirm, seed)
            if one is not None:
                yield one


def covered(found: list[Told]) -> Iterator[str]:
    """A row for each share that confirms and size of a team."""
    yield "| confirm | members | instances | intervals | held |"
    yield "| --- | --- | --- | --- | --- |"
    for confirm, members in product(CONFIRM, MEMBERS[1:]):
        own = [one for one in found if (one.confirm, one.members) == (confirm, members)]
        if own:
            pairs, held = np.mean([(one.pairs, one.holds) for one in own], axis=0)
            yield f"| {confirm} | {members} | {pairs:.0f} | {len(own)} | {held:.3f} |"


def missing(file: Path) -> Iterator[Run]:
    """The runs that a file does not have yet."""
    done = records.load(Run, file) if file.exists() else []
    there = {(one.family, one.types, one.budget, one.members, one.seed) for one in done}
    for budget, seed, types, family, members in product(BUDGETS, SEEDS, TYPES, FAMILIES, MEMBERS):
        if (family, types, budget, members, seed) not in there:
            yield run(family, types, budget, members, seed)


def table(runs: list[Run]) -> Iterator[str]:
    """A row for each number of types and budget: regrets, and paired gains over one search."""
    regret = {(r.family, r.types, r.budget, r.members, r.seed): min(r.regret, WORST) for r in runs}
    yield "| types | budget | one | two | gain | four | gain |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for types, budget in product(TYPES, BUDGETS):
        keys = [
            (family, types, budget, seed)
            for family in FAMILIES
            for seed in SEEDS
            if all((family, types, budget, k, seed) in regret for k in MEMBERS)
        ]
        if len(keys) < 2:
            continue
        costs = np.array([[regret[f, t, b, k, s] for k in MEMBERS] for f, t, b, s in keys])
        cells = [f"{costs[:, 0].mean():.3f}"]
        for column in (1, 2):
            gain = costs[:, 0] - costs[:, column]
            half = half_width(len(gain) - 1, 0.95) * gain.std(ddof=1) / np.sqrt(len(gain))
            cells += [f"{costs[:, column].mean():.3f}", f"{gain.mean():+.3f} ± {half:.3f}"]
        yield f"| {types} | {budget} | {' | '.join(cells)} |"


def main(what: str, file: Path) -> None:
    """Run what is missing, or print a table."""
    if what == "run":
        for one in records.save(missing(file), Run, file):
            print(one)
    elif what == "coverage":
        for _ in records.save(intervals(file), Told, file):
            pass
        print("\n".join(covered(records.load(Told, file))))
    else:
        print("\n".join(table(records.load(Run, file))))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
