"""What a portfolio search gains over one search with the same budget, on programs.

    python -m benchmarks.team_live run RUNS.csv clasp     # or hgs; goes on where it was stopped
    python -m benchmarks.team_live table RUNS.csv

clasp: a team of two, with 600 evaluations, for formulas that ask for cliques and random 3-SAT;
costs are base 10 logarithms of conflicts. HGS: a team of four, with 800 evaluations, for routes
between customers that are uniform, clustered or on rings; costs are excesses in per cent after
0.05 s.

Costs are means over 60 and 45 unseen instances. A team's is that of the best run of its members.
The winner of one search runs once, and as often as the team has members, each time with another
seed: this says what of the gain is but the luck of several runs.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np

from benchmarks import records
from benchmarks.search_live.targets import Target, target
from examples.hgs.instances import CUSTOMERS, SIDE, Problem, text
from examples.hgs.solve import cost
from racing.core.instances import Instances
from racing.search import PortfolioSearch, Search
from racing.space import Configuration
from racing.stats.intervals import half_width

SEEDS = range(10)
PLANS = {"clasp": (2, 600), "hgs": (4, 800)}
REFERENCE = 0.5
TESTED = 30
"""How many unseen instances of a family are tested on, at most."""


@dataclass(frozen=True)
class Run:
    """The mean costs of a seed on unseen instances, lower is better.

    Attributes
    ----------
    single, repeated, team
        Of the winner of one search, of the best of several runs of it, and of a team.
    members, low
        How many the team has, and the lower end of the gain that its search told; NaN for none.
    """

    target: str
    seed: int
    default: float
    single: float
    repeated: float
    team: float
    members: int
    low: float


@cache
def families(name: str) -> tuple[Target, ...]:
    """A target for each family; all have one space."""
    if name == "clasp":
        return (target("clasp-clique"), target("clasp-3sat"))
    both = target("hgs")
    train, test = _rings("train", 11), _rings("test", 12)
    return (both, Target("hgs-rings", both.space, train, test, both.cost))


def run(name: str, seed: int) -> Run:
    """One search and a team with the same budget, and the default, on unseen instances."""
    members, budget = PLANS[name]
    kinds = families(name)
    pairs = [(k, one) for k, kind in enumerate(kinds) for one in kind.train]
    instances, known = Instances(pairs, repeat=True), [kinds[0].space.default()]
    alone = Search(kinds[0].space, instances, budget=budget, seed=seed, known=known)
    team = PortfolioSearch(
        kinds[0].space, instances, budget=budget, seed=seed, known=known, portfolio=members
    )
    for search in (alone, team):
        _drive(search, kinds)
    assert alone.winner is not None
    gain = team.team_gain
    return Run(
        target=name,
        seed=seed,
        default=_unseen(name, known, seed),
        single=_unseen(name, [alone.winner.values], seed),
        repeated=_unseen(name, [alone.winner.values] * members, seed),
        team=_unseen(name, [one.values for one in team.team], seed),
        members=len(team.team),
        low=gain.low if gain else float("nan"),
    )


def _drive(search: Search, kinds: tuple[Target, ...]) -> None:
    while not search.done:
        for one in search.ask():
            assert isinstance(one.instance.problem, tuple)
            kind, problem = one.instance.problem
            found = kinds[kind].cost(one.candidate.values, problem, one.instance.seed)
            search.tell(one.outcome(found))


def _unseen(name: str, team: Sequence[Configuration], seed: int) -> float:
    """The mean of the best run; each member has seeds of its own."""
    places = chain.from_iterable(
        ((kind, one) for one in kind.test[:TESTED]) for kind in families(name)
    )
    return float(
        np.mean(
            [
                min(kind.cost(values, one, 7919 * (1 + m) + seed) for m, values in enumerate(team))
                for kind, one in places
            ]
        )
    )


def _rings(name: str, stream: int) -> list[str]:
    """The files of 15 problems with customers on rings, made now if they are not there."""
    folder = Path(tempfile.gettempdir()) / "racing-team-live-rings" / name
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(15):
        file = folder / f"ring-{index:02}.vrp"
        if not file.exists():
            problem = _ring(index, stream)
            known = round(cost(problem, {}, 1, seconds=REFERENCE))
            file.write_text(text(replace(problem, best_known=known)), encoding="utf-8")
    return sorted(map(str, folder.glob("*.vrp")))


def _ring(index: int, stream: int) -> Problem:
    """Two to four rings of customers around the depot, and long routes."""
    rng = np.random.default_rng([stream, index])
    n = int(rng.integers(*CUSTOMERS, endpoint=True))
    ring = rng.integers(1, 1 + rng.integers(2, 4, endpoint=True), size=n)
    angle = rng.uniform(0, 2 * np.pi, n)
    offset = (SIDE / 2 * ring / ring.max())[:, None] * np.column_stack(
        [np.cos(angle), np.sin(angle)]
    )
    points = np.vstack([[SIDE // 2, SIDE // 2], np.rint(SIDE / 2 + offset).astype(int)])
    demands = np.concatenate([[0], np.ones(n, int)])
    return Problem(f"ring-{index:02}", points, demands, int(rng.integers(25, 40)))


def missing(file: Path, name: str) -> Iterator[Run]:
    """The runs that a file does not have yet."""
    done = records.load(Run, file) if file.exists() else []
    there = {(one.target, one.seed) for one in done}
    for seed in SEEDS:
        if (name, seed) not in there:
            yield run(name, seed)


def table(runs: list[Run]) -> Iterator[str]:
    """A row for each target: mean costs, and what the team gains with 95 % intervals."""
    yield "| target | seeds | default | one | one, repeated | team | over one | over repeated |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for name in PLANS:
        own = [one for one in runs if one.target == name]
        if len(own) > 1:
            costs = np.array([(r.default, r.single, r.repeated, r.team) for r in own])
            cells = [f"{mean:.3f}" for mean in costs.mean(axis=0)]
            cells += [_gain(costs[:, column] - costs[:, 3]) for column in (1, 2)]
            yield f"| {name} | {len(own)} | {' | '.join(cells)} |"


def _gain(differences: np.ndarray) -> str:
    n = len(differences)
    half = half_width(n - 1, 0.95) * differences.std(ddof=1) / np.sqrt(n)
    return f"{differences.mean():+.3f} ± {half:.3f}"


def main(what: str, file: Path, *names: str) -> None:
    """Run what is missing of a target, or print the table."""
    if what == "run":
        for name in names:
            for one in records.save(missing(file, name), Run, file):
                print(one, flush=True)
    else:
        print("\n".join(table(records.load(Run, file))))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
