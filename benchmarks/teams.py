"""Teams chosen from little data: how much of their gain is lost, and whether their intervals hold.

    python -m benchmarks.teams gaps                           races on matrices of performance
    python -m benchmarks.teams gaps --per 60 --on QBF-2016    60 evaluations a candidate, on one
    python -m benchmarks.teams coverage                       made-up instances of several types

`gaps`: half of the instances, drawn at random, are raced with so many evaluations a candidate; the
others chose nobody. A gap is the mean best cost there, above that of the team which all costs of
the first half choose, as a share of the distance from single best to virtual best. So 0 is as good
as knowing all, and below 0 is luck. `filled` had half as many evaluations again by `--fill`;
`uniform` is the best team by that many random instances which every candidate ran on (`--per` of
them); `singles` are the k best candidates of the race.

`coverage`: how often the interval of a team's score holds its mean over 20,000 further instances,
and how often that of the gain over the single best does. Where `types` is 1 all instances want the
same candidate.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import racing
from racing.analysis.portfolio.crossfit import folds_of, gain_of, held_out_teams, mean_of
from racing.analysis.portfolio.filling import Filling
from racing.analysis.portfolio.scores import certain_scores
from racing.analysis.portfolio.team import best_team, value
from racing.core.candidate import Candidate
from racing.core.experiment import Instance

Floats = NDArray[np.float64]

DATA = Path(__file__).parent / "data"
SIZES = (2, 4)
KINDS = ("race", "filled", "uniform", "singles", "random")


def matrices(names: list[str]) -> Iterator[tuple[str, Floats]]:
    """(name, (n, m) costs): the first repetition where there are several."""
    for path in sorted(DATA.glob("*.npz")):
        name = path.stem.removeprefix("aslib_")
        if not names or name in names:
            with np.load(path) as file:
                cost = np.asarray(file["cost"], dtype=float)
            yield name, (cost[:, :, 0] if cost.ndim == 3 else cost).T


def raced(costs: Floats, evaluations: int, seed: int) -> Floats:
    """(n', m) what a race of so many evaluations knows, NaN where it did not run; by instance."""
    n, m = costs.shape
    race = racing.Race(
        [{"column": j} for j in range(m)], range(n), budget=evaluations, seed=seed, objective="mean"
    )
    for experiment in race:
        race.tell(
            experiment, costs[experiment.instance.problem, experiment.candidate.values["column"]]
        )
    known = np.full(costs.shape, np.nan)
    for step, row in enumerate(race.results.costs):
        known[race.instance(step).problem] = row
    return known


def filled(known: Floats, costs: Floats, size: int, evaluations: int) -> Floats:
    """The same after a filling, on the instances that the race met."""
    rows = np.flatnonzero(~np.isnan(known).all(axis=1))
    filling = Filling(
        [Candidate(j + 1, {"column": j}) for j in range(costs.shape[1])],
        [Instance(k, str(row), k) for k, row in enumerate(rows)],
        known[rows],
        size=size,
        budget=evaluations,
        objective="mean",
    )
    for experiment in filling:
        filling.tell(experiment, costs[rows[experiment.instance.step], experiment.candidate.id - 1])
    return filling.costs


def gaps(costs: Floats, per: int, seed: int) -> dict[tuple[str, int], float]:
    """(kind, size) → gap, for one split."""
    rng = np.random.default_rng(seed)
    order, m = rng.permutation(len(costs)), costs.shape[1]
    first, second = costs[order[: len(order) // 2]], costs[order[len(order) // 2 :]]
    known = raced(first, per * m, seed)
    scores = certain_scores(known[~np.isnan(known).all(axis=1)], "mean")
    span = second[:, np.argmin(first.mean(axis=0))].mean() - second.min(axis=1).mean()
    found = {}
    for size in SIZES:
        more = certain_scores(filled(known, first, size, per * m // 2), "mean")
        teams = {
            "race": best_team(scores, size),
            "filled": best_team(more, size),
            "uniform": best_team(first[:per], size),
            "singles": tuple(np.argsort(scores.mean(axis=0), kind="stable")[:size].tolist()),
            "random": tuple(rng.choice(m, size, replace=False).tolist()),
        }
        best = value(second, best_team(first, size))
        for kind, team in teams.items():
            found[kind, size] = (value(second, team) - best) / span
    return found


def print_gaps(names: list[str], per: int, seeds: int) -> None:
    """A row for each matrix, and their mean."""
    heads = [f"{kind} {size}" for size in SIZES for kind in KINDS]
    print(f"{'':18}" + "".join(f"{head:>11}" for head in heads))
    rows = []
    for name, costs in matrices(names):
        told = [gaps(costs, per, seed) for seed in range(seeds)]
        rows.append(
            [np.mean([one[kind, size] for one in told]) for size in SIZES for kind in KINDS]
        )
        print(f"{name:18}" + "".join(f"{one:11.3f}" for one in rows[-1]), flush=True)
    print(f"{'mean':18}" + "".join(f"{one:11.3f}" for one in np.mean(rows, axis=0)))


def world(n: int, m: int, types: int, seed: int) -> Floats:
    """(n, m) costs: means by type and candidate, an effect of each instance, normal noise."""
    rng = np.random.default_rng(seed)
    means = rng.normal(0, 0.7, (types, m))
    return (
        means[rng.integers(types, size=n)] + rng.normal(size=(n, 1)) + 0.5 * rng.normal(size=(n, m))
    )


def print_coverage(samples: int) -> None:
    """A row for each kind of instances."""
    print(f"{'instances':>10}{'candidates':>11}{'types':>6}{'size':>5}{'score':>7}{'gain':>7}")
    for n, m, types in ((30, 20, 3), (60, 20, 3), (60, 20, 1), (150, 20, 6)):
        for size in SIZES:
            hits = np.array([_hits(n, m, types, size, seed) for seed in range(samples)])
            share = hits.mean(axis=0)
            print(f"{n:10}{m:11}{types:6}{size:5}{share[0]:7.3f}{share[1]:7.3f}", flush=True)


def _hits(n: int, m: int, types: int, size: int, seed: int) -> tuple[bool, bool]:
    """Whether the interval of the score, and that of the gain, holds what is true of the team."""
    costs = world(n + 20_000, m, types, seed)
    scores, rest, folds = costs[:n], costs[n:], folds_of(range(n))
    team, single = (held_out_teams(scores, folds, k) for k in (size, 1))
    true, alone = (value(rest, best_team(scores, k)) for k in (size, 1))
    score, gain = mean_of(team, folds), gain_of(single - team, folds)
    return score.low <= true <= score.high, gain.low <= alone - true <= gain.high


def main() -> None:
    """Read the command, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=("gaps", "coverage"))
    parser.add_argument("--on", nargs="*", default=[], help="matrices; default: all")
    parser.add_argument("--per", type=int, default=20, help="evaluations a candidate")
    parser.add_argument("--seeds", type=int, default=10, help="splits of each matrix")
    parser.add_argument("--samples", type=int, default=400, help="samples of each row of coverage")
    args = parser.parse_args()
    if args.table == "gaps":
        print_gaps(args.on, args.per, args.seeds)
    else:
        print_coverage(args.samples)


if __name__ == "__main__":
    main()
