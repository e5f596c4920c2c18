"""Races for a Pareto front where the truth is known: `python -m benchmarks.metrics_lab front`.

Told is the regret of the hypervolume: the share of the true front's volume, up to the worst mean of
each metric, that the true means of the returned front lack. A front that names too few loses
volume; one that names too many does not, so precision and recall of its members stand beside it,
and the share of the evaluations that were run. Races without a budget have 30 instances.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from racing import Race
from racing.core.fronts import front, hypervolume, probabilities

CANDIDATES, INSTANCES = 40, 100
BUDGETS = (5, 10, 20, None)
UNLIMITED = 30
FIRST, LEVEL = 3, 0.05
"""S-Race's first test and level."""

Floats = NDArray[np.float64]
Cell = tuple[float, float, float, float]
Key = tuple[str, str, int | None]
PARTS = ("regret", "recall", "precision", "evaluations")
"""What a cell has, in order."""


@dataclass(frozen=True, eq=False)
class World:
    """Candidates with their true means, (m, K), and what each instance shows, (n, m, K)."""

    truth: Floats
    seen: Floats


def _noisy(truth: Floats, rng: np.random.Generator, size: float = 0.3) -> World:
    """Instances are harder and easier for all alike; each evaluation has noise of its own."""
    shape = (INSTANCES, *truth.shape)
    shared = rng.normal(size=(INSTANCES, 1, truth.shape[1]))
    return World(truth, truth + size * shared + size * rng.normal(size=shape))


def _curve(power: float) -> Callable[[np.random.Generator], World]:
    """A curve x + yᵖ of trade-offs, and what lies behind it."""

    def drawn(rng: np.random.Generator) -> World:
        x, behind = rng.random(CANDIDATES), 0.5 * rng.random(CANDIDATES)
        return _noisy(np.stack([x + behind, (1 - x**power) ** (1 / power) + behind], axis=1), rng)

    return drawn


def _normal(correlation: float, several: int = 2) -> Callable[[np.random.Generator], World]:
    def drawn(rng: np.random.Generator) -> World:
        sigma = np.full((several, several), correlation) + (1 - correlation) * np.eye(several)
        truth = rng.multivariate_normal(np.zeros(several), sigma, size=CANDIDATES)
        return _noisy(truth, rng, 1.0)

    return drawn


def _exact(rng: np.random.Generator) -> World:
    """The second metric, such as a size, is the same on each instance."""
    world = _curve(0.5)(rng)
    seen = world.seen.copy()
    seen[:, :, 1] = world.truth[:, 1]
    return World(world.truth, seen)


def _success(rng: np.random.Generator) -> World:
    """Failures are 0 or 1, and the more reliable are slower."""
    fails = 0.4 * rng.random(CANDIDATES)
    time = rng.random(CANDIDATES) + 1.5 * (0.4 - fails)
    world = _noisy(np.stack([time, fails], axis=1), rng, 0.5)
    seen = world.seen.copy()
    seen[:, :, 1] = rng.random((INSTANCES, CANDIDATES)) < fails
    return World(world.truth, seen)


def _heavy(rng: np.random.Generator) -> World:
    """Times are lognormal: a few runs take ten times as long as most."""
    world = _curve(0.5)(rng)
    seen = world.seen.copy()
    spread = rng.lognormal(sigma=1.0, size=(INSTANCES, CANDIDATES)) / np.exp(0.5)
    seen[:, :, 0] = (0.2 + world.truth[:, 0]) * spread - 0.2
    return World(world.truth, seen)


def _steps(rng: np.random.Generator) -> World:
    """Five sizes that many candidates share, known exactly; a better error costs size."""
    size = rng.integers(0, 5, CANDIDATES) / 4
    error = 1 - size + rng.exponential(0.4, CANDIDATES)
    world = _noisy(np.stack([error, size], axis=1), rng, 0.5)
    seen = world.seen.copy()
    seen[:, :, 1] = size
    return World(world.truth, seen)


def _uneven(rng: np.random.Generator) -> World:
    """The second metric has five times the noise of the first."""
    world = _curve(1.0)(rng)
    truth, seen = world.truth, world.seen.copy()
    seen[:, :, 1] = truth[:, 1] + 5 * (seen[:, :, 1] - truth[:, 1])
    return World(truth, seen)


WORLDS: Mapping[str, Callable[[np.random.Generator], World]] = {
    "convex": _curve(0.5),
    "concave": _curve(2.0),
    "ρ = −.5": _normal(-0.5),
    "ρ = .8": _normal(0.8),
    "three metrics": _normal(0.0, 3),
    "one metric exact": _exact,
    "success 0/1": _success,
    "lognormal times": _heavy,
    "five sizes": _steps,
    "four metrics": _normal(0.0, 4),
    "one metric noisier": _uneven,
}
"""The last two were added after every rule was chosen."""


Flags = NDArray[np.bool_]
Contender = Callable[[World, int | None, int], tuple[Flags, int]]
"""World, evaluations for each candidate (None: no limit) and seed → the front, evaluations."""


def _race(world: World, each: int | None, seed: int, **options: Any) -> Race:
    """A finished race; the score of a single metric is its first one."""
    race = Race(
        [{"c": c} for c in range(CANDIDATES)], range(INSTANCES if each else UNLIMITED), seed=seed,
        budget=each and each * CANDIDATES, **options,
    )  # fmt: skip
    while not race.done:
        for experiment in race.ask():
            seen = world.seen[experiment.instance.step, experiment.candidate.id - 1].tolist()
            told = dict(zip(race.goal.names, seen, strict=True)) if race.goal else seen[0]
            race.tell(experiment, told)
    return race


def _by(rule: str) -> Contender:
    """A race for a front."""

    def raced(world: World, each: int | None, seed: int) -> tuple[Flags, int]:
        names = [f"m{k}" for k in range(world.truth.shape[1])]
        asked: dict[str, Any] = {"metrics": {m: {} for m in names}, "objective": {"front": names}}
        race = _race(world, each, seed, rule=rule, **asked)
        ids = [standing.candidate.id - 1 for standing in race.front]
        return np.isin(np.arange(CANDIDATES), ids), race.spent.evaluations

    return raced


def metric_by_metric(world: World, each: int | None, seed: int) -> tuple[Flags, int]:
    """The winners of a race for each metric, which share the budget."""
    several = world.truth.shape[1]
    found, spent = np.zeros(CANDIDATES, dtype=bool), 0
    for k in range(several):
        alone = World(world.truth[:, [k]], world.seen[:, :, [k]])
        race = _race(alone, each and max(each // several, 1), seed, objective="mean")
        assert race.winner is not None
        found[race.winner.id - 1] = True
        spent += race.spent.evaluations
    return found, spent


def s_race(world: World, each: int | None, seed: int) -> tuple[Flags, int]:
    """Sign tests on the instances where one dominates the other, with Holm's correction.

    After every instance from the third on, at the level .05 (Zhang, Georgiopoulos and
    Anagnostopoulos 2013). Its survivors are many; returned are those on the front of their means.
    """
    alive, spent = np.arange(CANDIDATES), 0
    for n in range(1, (INSTANCES if each else UNLIMITED) + 1):
        if each and spent + len(alive) > each * CANDIDATES:
            break
        spent += len(alive)
        if n >= FIRST:
            alive = alive[~_rejected(world.seen[:n, alive])]
        shown = n
    found = np.zeros(CANDIDATES, dtype=bool)
    means = world.seen[:shown, alive].mean(axis=0)
    found[alive[front(means, np.zeros(means.shape[1]))]] = True
    return found, spent


def _rejected(seen: Floats) -> Flags:
    """(k,) which candidates a sign test finds dominated by another."""
    better = (seen[:, :, None] <= seen[:, None]).all(axis=3)
    wins = (better & ~better.swapaxes(1, 2)).sum(axis=0)
    p = bdtrc(wins - 1.0, wins + wins.T, 0.5)
    p[wins == 0] = 1.0
    k = len(wins)
    order = np.argsort(p, axis=None, kind="stable")
    left = np.maximum(k * (k - 1) - np.arange(k * k), 1)
    holm = np.maximum.accumulate(p.ravel()[order] * left) <= LEVEL
    rejected = np.zeros(k, dtype=bool)
    rejected[order[holm] % k] = True
    return rejected


def ege_sh(world: World, each: int | None, seed: int) -> tuple[Flags, int]:
    """Empirical gap elimination with halving (Kone, Kaufmann and Richert 2024).

    In each of log₂ m rounds, the half with the largest gaps leaves; of these, the front is kept.
    """
    most = INSTANCES if each else UNLIMITED
    budget, rounds = (each or UNLIMITED) * CANDIDATES, math.ceil(math.log2(CANDIDATES))
    alive, n, spent = np.arange(CANDIDATES), 0, 0
    found = np.zeros(CANDIDATES, dtype=bool)
    while len(alive) > 1:
        more = min(max(budget // (len(alive) * rounds), n == 0), most - n)
        n, spent = n + more, spent + more * len(alive)
        on_front, gaps = _gaps(world.seen[:n, alive].mean(axis=0))
        order = np.argsort(gaps, kind="stable")
        leaving = order[(len(alive) + 1) // 2 :]
        found[alive[leaving[on_front[leaving]]]] = True
        alive = alive[np.sort(order[: (len(alive) + 1) // 2])]
    found[alive] = True
    return found, spent


def _gaps(means: Floats) -> tuple[Flags, Floats]:
    """Which candidates are on the front, and by how much each is on it or behind it."""
    on_front = front(means, np.zeros(means.shape[1]))
    behind = (means[:, None] - means[None]).min(axis=2)  # [i, j]: by how much j dominates i
    ahead = -behind
    np.fill_diagonal(behind, -np.inf)
    np.fill_diagonal(ahead, np.inf)
    gaps = np.where(on_front, 0.0, behind[:, on_front].max(axis=1))
    others = np.maximum(ahead.T, 0.0) + gaps[None]
    least = np.where(on_front[None], np.minimum(ahead, ahead.T), others).min(axis=1)
    return on_front, np.where(on_front, least, gaps)


CONTENDERS: Mapping[str, Contender] = {
    "none": _by("none"),
    "auto": _by("auto"),
    "bets": _by("bets"),
    "sign": _by("sign"),
    "bayes": _by("bayes"),
    "S-Race": s_race,
    "EGE-SH": ege_sh,
    "metric by metric": metric_by_metric,
}


def raced(world: World, contender: str, each: int | None, seed: int) -> Cell:
    """Regret of the hypervolume, recall, precision, and share of evaluations of a race."""
    found, spent = CONTENDERS[contender](world, each, seed)
    true = front(world.truth, np.zeros(world.truth.shape[1]))
    worst = world.truth.max(axis=0)
    whole = hypervolume(world.truth[true], worst)
    both = (found & true).sum()
    regret = 1 - hypervolume(world.truth[found], worst) / whole
    share = spent / (CANDIDATES * (each or UNLIMITED))
    return float(regret), float(both / true.sum()), float(both / found.sum()), share


def measured(seeds: range, kept: Path) -> dict[Key, list[Cell]]:
    """Every race by world, contender and budget; what `kept` has is not raced again."""
    known: dict[tuple[str, str, int | None, int], Cell] = {}
    for line in kept.read_text().splitlines() if kept.exists() else ():
        *key, cell = json.loads(line)
        known[tuple(key)] = tuple(cell)
    kept.parent.mkdir(parents=True, exist_ok=True)
    found: dict[Key, list[Cell]] = {}
    with kept.open("a") as file:
        for seed, (place, (name, drawn)) in product(seeds, enumerate(WORLDS.items())):
            world = drawn(np.random.default_rng((2024, place, seed)))
            for contender, each in product(CONTENDERS, BUDGETS):
                key = (name, contender, each, seed)
                if key not in known:
                    known[key] = raced(world, contender, each, seed)
                    print(json.dumps([*key, known[key]]), file=file, flush=True)
                found.setdefault(key[:3], []).append(known[key])
    return found


def chances(seeds: range, told_from: Sequence[float]) -> Iterator[str]:
    """How often a candidate is on the true front, by the probability that is told of it.

    A row for each range of told probabilities, on 5, 10 and 30 instances for all: the means of what
    is told and of what is true over the worlds, and the worlds where the truth is least and most.
    """
    found: dict[tuple[int, str], list[tuple[float, bool]]] = {}
    for seed, (place, (name, drawn)) in product(seeds, enumerate(WORLDS.items())):
        world = drawn(np.random.default_rng((2025, place, seed)))
        ropes = np.zeros(world.truth.shape[1])
        true = front(world.truth, ropes).tolist()
        for n in (5, 10, 30):
            told = probabilities(world.seen[:n], ropes, np.random.default_rng(seed)).tolist()
            for chance, on_front in zip(told, true, strict=True):
                step = sum(chance >= start for start in told_from)
                found.setdefault((step, name), []).append((chance, on_front))
    yield row("told", ["mean", "true", "least", "most"])
    yield "|---" * 5 + "|"
    for step, start in enumerate(told_from, start=1):
        worlds = {name: np.array(found[step, name]) for name in WORLDS if (step, name) in found}
        shares = {name: float(one[:, 1].mean()) for name, one in worlds.items() if len(one) > 20}
        told_mean, truth = np.concatenate(list(worlds.values())).mean(axis=0)
        order = sorted(shares, key=shares.__getitem__)
        ends = (f"{shares[name]:.2f} ({name})" for name in (order[0], order[-1]))
        yield row(f"{start} on", [f"{told_mean:.2f}", f"{truth:.2f}", *ends])


def rows(found: Mapping[Key, list[Cell]]) -> Iterator[str]:
    """The regret without a rule and by `auto` in each world; then the means of all contenders."""
    yield row("world", [f"{each or 'all'} each" for each in BUDGETS])
    yield "|---" * (len(BUDGETS) + 1) + "|"

    def regrets(name: str, contender: str, each: int | None) -> list[float]:
        return [cell[0] for cell in found[name, contender, each]]

    for name in WORLDS:
        pairs = [[regrets(name, one, each) for one in ("none", "auto")] for each in BUDGETS]
        yield row(name, [" → ".join(map(_mean, pair)) + _verdict(*pair) for pair in pairs])
    yield ""
    columns = [(0, each) for each in BUDGETS] + [(1, 20), (2, 20), (3, None)]
    yield row("mean", [f"{PARTS[part]}, {each or 'all'} each" for part, each in columns])
    yield "|---" * (len(columns) + 1) + "|"
    for one in CONTENDERS:
        cells = (
            _mean([cell[part] for name in WORLDS for cell in found[name, one, each]])
            for part, each in columns
        )
        yield row(one, list(cells))


def row(name: str, cells: Sequence[str]) -> str:
    """A row of a table."""
    return f"| {name} | {' | '.join(cells)} |"


def _verdict(none: list[float], auto: list[float]) -> str:
    """Whether `auto` is better or worse by two standard errors of the difference in each race."""
    d = np.subtract(auto, none)
    error = d.std(ddof=1) / math.sqrt(len(d)) if len(d) > 1 else math.inf
    return " worse" if d.mean() > 2 * error else " better" if d.mean() < -2 * error else ""


def _mean(values: list[float]) -> str:
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{np.mean(values):.3f} ({error:.3f})"
