"""Races for a Pareto front where the truth is known: `python -m benchmarks.metrics_lab front`.

Told is the regret of the hypervolume: the share of the true front's volume, up to the worst mean of
each metric, that the true means of the returned front lack. A front that names too few loses
volume; one that names too many does not, so precision and recall of its members stand beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from racing import Race
from racing.core.fronts import front, hypervolume

CANDIDATES, INSTANCES = 40, 100
BUDGETS = (5, 10, 20)
RULES = ("none", "auto")

Floats = NDArray[np.float64]
Cell = tuple[float, float, float]


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
}


def raced(world: World, rule: str, each: int, seed: int) -> Cell:
    """Regret of the hypervolume, recall and precision of a race."""
    names = [f"m{k}" for k in range(world.truth.shape[1])]
    race = Race(
        [{"c": c} for c in range(CANDIDATES)], range(INSTANCES), seed=seed, rule=rule,
        budget=each * CANDIDATES, metrics={name: {} for name in names}, objective={"front": names},
    )  # fmt: skip
    while not race.done:
        for experiment in race.ask():
            seen = world.seen[experiment.instance.step, experiment.candidate.id - 1]
            race.tell(experiment, dict(zip(names, seen.tolist(), strict=True)))
    found = np.zeros(CANDIDATES, dtype=bool)
    found[[s.candidate.id - 1 for s in race.front]] = True
    true = front(world.truth, np.zeros(len(names)))
    worst = world.truth.max(axis=0)
    whole = hypervolume(world.truth[true], worst)
    both = (found & true).sum()
    regret = 1 - hypervolume(world.truth[found], worst) / whole
    return float(regret), float(both / true.sum()), float(both / found.sum())


def measured(races: int, kept: Path) -> dict[tuple[str, str, int], list[Cell]]:
    """Every race by world, rule and budget; what `kept` has is not raced again."""
    known: dict[tuple[str, str, int, int], Cell] = {}
    for line in kept.read_text().splitlines() if kept.exists() else ():
        *key, cell = json.loads(line)
        known[tuple(key)] = tuple(cell)
    kept.parent.mkdir(parents=True, exist_ok=True)
    found: dict[tuple[str, str, int], list[Cell]] = {}
    with kept.open("a") as file:
        for seed in range(races):
            for place, (name, drawn) in enumerate(WORLDS.items()):
                world = drawn(np.random.default_rng((2024, place, seed)))
                for rule in RULES:
                    for each in BUDGETS:
                        key = (name, rule, each, seed)
                        if key not in known:
                            known[key] = raced(world, rule, each, seed)
                            print(json.dumps([*key, known[key]]), file=file, flush=True)
                        found.setdefault(key[:3], []).append(known[key])
    return found


def rows(found: Mapping[tuple[str, str, int], list[Cell]]) -> Iterator[str]:
    """A row for each world: the regret without a rule and by `auto`; then recall and precision."""
    yield "| world | " + " | ".join(f"{each} each" for each in BUDGETS) + " |"
    yield "|---" * (len(BUDGETS) + 1) + "|"
    for name in WORLDS:
        cells = (
            " → ".join(_mean([one[0] for one in found[name, rule, each]]) for rule in RULES)
            for each in BUDGETS
        )
        yield f"| {name} | " + " | ".join(cells) + " |"
    for label, part in (("regret", 0), ("recall", 1), ("precision", 2)):
        cells = (
            " → ".join(
                _mean([one[part] for name in WORLDS for one in found[name, rule, each]])
                for rule in RULES
            )
            for each in BUDGETS
        )
        yield f"| *mean {label}* | " + " | ".join(cells) + " |"


def _mean(values: list[float]) -> str:
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{np.mean(values):.3f} ({error:.3f})"
