"""Teams chosen from little data: how much of their gain is lost, and whether their intervals hold.

    python -m benchmarks.teams gaps                           races on matrices of performance
    python -m benchmarks.teams gaps --per 60 --on QBF-2016    60 evaluations a candidate, on one
    python -m benchmarks.teams coverage                       made-up instances of several types
    python -m benchmarks.teams intervals --aslib aslib_data   real running times
    python -m benchmarks.teams rare --samples 1500            gains on one problem of ten

`gaps`: half of the instances, drawn at random, are raced with so many evaluations a candidate; the
others chose nobody. A gap is the mean best cost there, above that of the team which all costs of
the first half choose, as a share of the distance from single best to virtual best. So 0 is as good
as knowing all, and below 0 is luck. `filled` had half as many evaluations again by `--fill`;
`uniform` is the best team by that many random instances which every candidate ran on (`--per` of
them); `singles` are the k best candidates of the race.

`coverage`: how often the interval of a team's score holds its mean over 20,000 further instances,
and how often that of the gain over the single best does. Where `types` is 1 all instances want the
same candidate.

`intervals`: the same for matrices of performance, and for the scenarios with running times in a
folder of ASlib's, such as a clone of github.com/coseal/aslib_data. A sample is drawn from the
instances of a matrix with replacement, so all of these are what is true; what is drawn twice is one
problem. Told are means over 30, 60 and 120 instances, and over teams of 1, 2 and 4; the width is a
median. Beside the interval stands Student's, by as many folds. `worse` is how often the true score
is worse than the interval's upper end, `false` how often the true gain is below its lower end;
`unseen` is the share of samples in which the team never had
the worst score of the matrix, though it has it somewhere.

`rare`: how often intervals of a team's gain hold it where the single best is as good as the team on
nine problems of ten, and worse by an exponential time on the tenth: of all samples, and of those in
which a gain is seen; and their median width.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import racing
from racing.analysis.portfolio.crossfit import (
    Size,
    folds_of,
    sizes,
)
from racing.analysis.portfolio.fill import Filling
from racing.analysis.portfolio.team import certain_scores
from racing.answer.gain import gain
from racing.core.candidate import Candidate
from racing.core.experiment import Instance
from racing.stats.intervals import half_width
from racing.stats.teams import best_of, best_team, value

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
    one, team = _told(costs[:n], range(n), size)
    rest = costs[n:]
    true, alone = value(rest, team.team), value(rest, one.team)
    score, gain = team.score, team.gain
    return score.low <= true <= score.high, gain.low <= alone - true <= gain.high


def _told(scores: Floats, problems: Sequence[int], size: int) -> tuple[Size, Size]:
    """The single best and the best team of a size."""
    found = sizes(scores, problems, size, least=size)
    return found[0], found[size - 1]


def aslib(folder: Path) -> Iterator[tuple[str, Floats]]:
    """(name, (n, m) PAR10) of the scenarios with running times in a folder of ASlib's."""
    for path in sorted(folder.glob("*/algorithm_runs.arff")):
        told = (path.parent / "description.txt").read_text(errors="replace")
        cutoff = re.search(r"algorithm_cutoff_time:\s*([\d.e+]+)", told)
        again = path.parent.name.endswith("-ALGO")  # the same runs, with features of algorithms
        if cutoff and not again and re.search(r"performance_type:[\s-]*runtime", told):
            yield path.parent.name, _par10(path, float(cutoff[1]))


def _par10(path: Path, cutoff: float) -> Floats:
    """(n, m) ten times the cutoff where a first run did not end; without what nobody solved."""
    head, body = re.split(r"(?im)^@data\s*$", path.read_text(errors="replace"), maxsplit=1)
    names = [one.strip("'\"").lower() for one in re.findall(r"(?im)^@attribute\s+(\S+)", head)]
    place = {name: names.index(name) for name in ("instance_id", "algorithm", "runstatus")}
    time = min({*range(len(names))} - {*place.values(), names.index("repetition")})
    found: dict[str, dict[str, float]] = {}
    lines = (line.strip() for line in body.splitlines())
    for row in csv.reader(lines, quotechar="'", skipinitialspace=True):
        if len(row) == len(names):
            ended = row[place["runstatus"]].strip() == "ok" and float(row[time]) < cutoff
            runs = found.setdefault(row[place["instance_id"]], {})
            runs.setdefault(row[place["algorithm"]], float(row[time]) if ended else 10 * cutoff)
    algorithms = sorted({name for runs in found.values() for name in runs})
    whole = (runs for runs in found.values() if len(runs) == len(algorithms))
    costs = np.array([[runs[one] for one in algorithms] for runs in whole])
    return np.asarray(costs[costs.min(axis=1) < 10 * cutoff])


def print_intervals(found: Iterator[tuple[str, Floats]], samples: int) -> None:
    """A row for each matrix, and their mean."""
    heads = ("candidates", "instances", "unseen", "Student", "worse", "held", "worse", "width",
             "gain", "false")  # fmt: skip
    print(f"{'':24}" + "".join(f"{head:>11}" for head in heads))
    means = []
    for name, costs in found:
        cells = [
            [_interval(costs, n, size, seed) for seed in range(samples)]
            for n in (30, 60, 120)
            for size in (1, 2, 4)
            if size < costs.shape[1]
        ]
        share = np.array(cells).mean(axis=(0, 1))
        share[5] = np.median(np.array(cells)[:, :, 5])
        means.append(share)
        print(f"{name:24}{costs.shape[1]:11}{len(costs):11}" + _numbers(share), flush=True)
    print(f"{'mean':46}" + _numbers(np.mean(means, axis=0)))


def _numbers(values: Floats) -> str:
    return "".join(f"{one:11.3f}" for one in values)


def _interval(costs: Floats, n: int, size: int, seed: int) -> tuple[float, ...]:
    """What a sample tells, and whether that holds."""
    rng = np.random.default_rng((n, size, seed))
    rows = rng.integers(len(costs), size=n)
    one, team = _told(costs[rows], rows.tolist(), size)
    true, alone = value(costs, team.team), value(costs, one.team)
    k = len(np.unique(folds_of(rows.tolist())))
    half = half_width(k - 1, 0.95) * team.told.std(ddof=1) / math.sqrt(n)
    score, gain, worst = team.score, team.gain, costs.max()
    return (
        worst > team.told.max() and worst == best_of(costs, team.team).max(),
        abs(true - score.mean) <= half,
        true > score.mean + half,
        score.low <= true <= score.high,
        true > score.high,
        (score.high - score.low) / max(2 * half, 1e-12),
        gain.low <= alone - true <= gain.high,
        alone - true < gain.low,
    )


def print_rare(samples: int) -> None:
    """A row for each number of problems and each kind of interval."""
    heads = ("held", "if seen", "width")
    print(f"{'problems':>10}  {'interval':24}" + "".join(f"{head:>11}" for head in heads))
    for n in (20, 40):
        drawn = np.random.default_rng(n)
        worse = drawn.exponential(size=(samples, n)) * (drawn.random((samples, n)) < 0.1)
        seen = worse.any(axis=1)
        kinds = {
            "Student's": lambda one: _ends(one, skewed=False),
            "corrected for skewness": lambda one: _ends(one, skewed=True),
            "bootstrap-t": _bootstrap_t,
        }
        for kind, ends in kinds.items():
            low, high = np.array([ends(one) for one in worse]).T
            held = (low <= 0.1) & (high >= 0.1)
            told = np.array([held.mean(), held[seen].mean(), np.median(high - low)])
            print(f"{n:10}  {kind:24}{_numbers(told)}", flush=True)


def _ends(worse: Floats, *, skewed: bool) -> tuple[float, float]:
    found = gain(np.column_stack([np.zeros(len(worse)), worse]), mean=True, skewed=skewed)
    return found.low, found.high


def _bootstrap_t(worse: Floats) -> tuple[float, float]:
    """Efron's (1981) interval: quantiles of Student's t over 999 samples drawn from the sample."""
    n, mean = len(worse), worse.mean()
    again = worse[np.random.default_rng(1).integers(n, size=(999, n))]
    error = again.std(axis=1, ddof=1)
    t = (again.mean(axis=1) - mean)[error > 0] / error[error > 0]
    if not len(t):
        return mean, mean
    low, high = np.quantile(t, [0.975, 0.025]) * worse.std(ddof=1)
    return mean - low, mean - high


def main() -> None:
    """Read the command, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=("gaps", "coverage", "intervals", "rare"))
    parser.add_argument("--on", nargs="*", default=[], help="matrices; default: all")
    parser.add_argument("--aslib", type=Path, help="a folder of ASlib's scenarios, for `intervals`")
    parser.add_argument("--per", type=int, default=20, help="evaluations a candidate")
    parser.add_argument("--seeds", type=int, default=10, help="splits of each matrix")
    parser.add_argument("--samples", type=int, default=400, help="samples of each row of coverage")
    args = parser.parse_args()
    if args.table == "gaps":
        print_gaps(args.on, args.per, args.seeds)
    elif args.table == "coverage":
        print_coverage(args.samples)
    elif args.table == "rare":
        print_rare(args.samples)
    else:
        found = matrices(args.on) if args.aslib is None else aslib(args.aslib)
        named = (one for one in found if not args.on or one[0] in args.on)
        print_intervals(named, args.samples)


if __name__ == "__main__":
    main()
