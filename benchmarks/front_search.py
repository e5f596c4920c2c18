"""Searches for a Pareto front where the truth is known: `python -m benchmarks.metrics_lab search`.

Each contender gets the same number of evaluations of one configuration on one instance. Random
search, NSGA-II and TPE (Optuna) run every configuration on the same first r instances and see the
means; the front is that of these means. Told is the regret of the hypervolume: the share of the
true front's volume that the true means of the returned front lack. The reference point lies a tenth
of the range beyond the worst value of each metric on the true front.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from racing import Search
from racing.core.fronts import front, hypervolume
from racing.core.instances import Instances
from racing.search.search import space_of

Floats = NDArray[np.float64]
Values = Mapping[str, Any]

BUDGETS = (300, 1000)
AVERAGED = (1, 3, 10)
CONTENDERS = (
    "racing",
    *(f"{name}, {r}" for name in ("random", "NSGA-II", "TPE") for r in AVERAGED),
)
_GRID = 60


class Searched(Protocol):
    """What a contender searches."""

    @property
    def space(self) -> Mapping[str, Any]:
        """With a default."""

    @property
    def metrics(self) -> int:
        """Their number."""

    @property
    def instances(self) -> Instances:
        """The problems are whole numbers from 0 on."""

    def evaluate(self, values: Values, instance: int, rng: np.random.Generator) -> Floats:
        """(K,) metrics of one evaluation."""


@dataclass(frozen=True, eq=False)
class Task:
    """A space with true means of each metric, and how instances differ.

    Attributes
    ----------
    space
        With a default, which is poor.
    truth
        Values → (K,) true means, lower is better.
    best
        (p, K) the true front.
    noise : (K,)
        The standard deviation of one evaluation; instances shift all values by three times as much.
    binary
        The places of metrics that are 0 or 1 in an evaluation: the truth is the chance of 1.
    """

    space: Mapping[str, Any]
    truth: Callable[[Values], Floats]
    best: Floats
    noise: Floats
    binary: tuple[int, ...] = ()

    @property
    def metrics(self) -> int:
        """Their number."""
        return self.best.shape[1]

    @property
    def instances(self) -> Instances:
        """As many as are needed."""
        return Instances(range(100_000))

    def evaluate(self, values: Values, instance: int, rng: np.random.Generator) -> Floats:
        """(K,) metrics of one evaluation."""
        true = self.truth(values)
        shared = np.random.default_rng((7, instance)).normal(size=len(true))
        seen = true + self.noise * (3 * shared + rng.normal(size=len(true)))
        for place in self.binary:
            seen[place] = rng.random() < true[place]
        return seen

    def regret(self, found: Floats) -> float:
        """The share of the true front's volume that these true means lack."""
        return regret(found, self.best)


def regret(found: Floats, known: Floats) -> float:
    """The share of the volume of the front of known (p, K) means that those found lack."""
    best = known[front(known, np.zeros(known.shape[1]))]
    low, high = best.min(axis=0), best.max(axis=0)
    scaled = (found - low) / (high - low)
    worst = np.full(len(low), 1.1)
    return 1 - hypervolume(scaled, worst) / hypervolume((best - low) / (high - low), worst)


def _reals(d: int) -> dict[str, Any]:
    return {f"x{i}": {"real": [0, 1], "default": 0.9} for i in range(d)}


def _curve(power: float, d: int = 5) -> Callable[[np.random.Generator], Task]:
    """x0 is the place on a curve x + yᵖ; the others have a best value, some by the place."""

    def drawn(rng: np.random.Generator) -> Task:
        at = rng.random(d)

        def truth(values: Values) -> Floats:
            x = np.array([values[f"x{i}"] for i in range(d)])
            best = np.where(np.arange(d) % 2, 0.2 + 0.6 * x[0], at)
            behind = 4 * float(np.mean((x[1:] - best[1:]) ** 2))
            y = (1 - x[0] ** power) ** (1 / power)
            return np.array([x[0] + behind, y + behind])

        grid = np.linspace(0, 1, 20 * _GRID)
        best = np.column_stack([grid, (1 - grid**power) ** (1 / power)])
        return Task(_reals(d), truth, best, np.full(2, 0.1))

    return drawn


def _three(rng: np.random.Generator) -> Task:
    """x0 and x1 place a configuration on a triangle of three metrics."""
    at = rng.random(6)

    def place(p: Any, q: Any) -> Any:
        return np.stack([p * q, p * (1 - q), 1 - p], axis=-1)

    def truth(values: Values) -> Floats:
        x = np.array([values[f"x{i}"] for i in range(6)])
        behind = 4 * float(np.mean((x[2:] - at[2:]) ** 2))
        return np.asarray(place(math.sqrt(x[0]), x[1]) + behind)

    grid = np.linspace(0, 1, _GRID // 2)
    p, q = np.meshgrid(grid, grid)
    return Task(_reals(6), truth, place(p.ravel(), q.ravel()), np.full(3, 0.1))


def _success(rng: np.random.Generator) -> Task:
    """Time and failure: the longer it tries, the more it solves; failures are 0 or 1."""
    at = rng.random(5)

    def trade(x: Any, behind: Any) -> Any:
        fails = np.clip(0.6 * (1 - x) ** 2 + 0.02 + 0.3 * behind, 0, 1)
        return np.stack([0.2 + x + behind, fails], axis=-1)

    def truth(values: Values) -> Floats:
        x = np.array([values[f"x{i}"] for i in range(5)])
        return np.asarray(trade(x[0], 3 * float(np.mean((x[1:] - at[1:]) ** 2))))

    best = trade(np.linspace(0, 1, 20 * _GRID), 0.0)
    return Task(_reals(5), truth, best, np.array([0.1, 0.0]), binary=(1,))


def _effort(rng: np.random.Generator) -> Task:
    """Quality against effort, with a choice of two kinds of moves; effort is known exactly."""
    worse, dearer = rng.random(4) * 0.5, rng.random(4)
    worse[rng.integers(4)] = 0.0
    at = rng.random(3)

    def trade(rounds: Any, moves: int, behind: Any) -> Any:
        quality = np.asarray(rounds, dtype=float) ** -0.4 + worse[moves] + behind
        effort = np.log10(rounds * (1 + dearer[moves])) / 3
        return np.stack([quality, effort], axis=-1)

    def truth(values: Values) -> Floats:
        x = np.array([values[f"x{i}"] for i in range(3)])
        behind = 2 * float(np.mean((x - at) ** 2)) + 0.3 * (values["restart"] != "never")
        return np.asarray(trade(values["rounds"], "abcd".index(values["moves"]), behind))

    rounds = np.unique(np.round(np.logspace(0, 3, 5 * _GRID)))
    best = np.concatenate([trade(rounds, moves, 0.0) for moves in range(4)])
    space = {
        **_reals(3),
        "rounds": {"integer": [1, 1000], "log": True, "default": 500},
        "moves": {"categorical": ["a", "b", "c", "d"], "default": "a"},
        "restart": {"categorical": ["never", "often"], "default": "often"},
    }
    return Task(space, truth, best, np.array([0.1, 0.0]))


TASKS: Mapping[str, Callable[[np.random.Generator], Task]] = {
    "convex": _curve(0.5),
    "concave": _curve(2.0),
    "three metrics": _three,
    "success 0/1": _success,
    "quality and effort": _effort,
}


# --- contenders -----------------------------------------------------------------------------------


@dataclass
class Means:
    """Configurations on the same first instances, each told once."""

    task: Searched
    averaged: int
    rng: np.random.Generator
    tried: list[tuple[Values, Floats]] = field(default_factory=list)

    def __call__(self, values: Values) -> Floats:
        """(K,) means of the metrics."""
        seen = [self.task.evaluate(values, i, self.rng) for i in range(self.averaged)]
        mean = np.asarray(np.mean(seen, axis=0))
        self.tried.append((dict(values), mean))
        return mean

    def found(self) -> list[Values]:
        """The front of these means."""
        means = np.array([mean for _, mean in self.tried])
        on = front(means, np.zeros(means.shape[1]))
        return [values for (values, _), one in zip(self.tried, on, strict=True) if one]


def by_racing(task: Searched, budget: int, seed: int, **options: Any) -> list[Values]:
    """The front of a search."""
    names = [f"m{k}" for k in range(task.metrics)]
    search = Search(
        task.space, task.instances, budget=budget, seed=seed,
        metrics={name: {} for name in names}, objective={"front": names}, **options,
    )  # fmt: skip
    rng = np.random.default_rng((1, seed))
    while not search.done:
        for one in search.ask():
            seen = task.evaluate(one.candidate.values, int(str(one.instance.problem)), rng)
            search.tell(one, dict(zip(names, seen.tolist(), strict=True)))
    return [one.candidate.values for one in search.front]


def at_random(task: Searched, budget: int, seed: int, averaged: int) -> list[Values]:
    """The front of random configurations."""
    rng = np.random.default_rng((2, seed))
    means = Means(task, averaged, rng)
    space = space_of(task.space)
    for values in [space.default(), *space.sample(rng, budget // averaged - 1)]:
        means(values)
    return means.found()


def by_optuna(task: Searched, budget: int, seed: int, averaged: int, sampler: str) -> list[Values]:
    """The front of a study of Optuna, which begins with the default."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    kind = optuna.samplers.NSGAIISampler if sampler == "NSGA-II" else optuna.samplers.TPESampler
    trials = budget // averaged
    options = {"population_size": min(50, max(trials // 6, 10))} if sampler == "NSGA-II" else {}
    directions = ["minimize"] * task.metrics
    study = optuna.create_study(directions=directions, sampler=kind(seed=seed, **options))
    means = Means(task, averaged, np.random.default_rng((3, seed)))
    study.enqueue_trial(dict(space_of(task.space).default()))

    def objective(trial: optuna.Trial) -> tuple[float, ...]:
        values = {name: _suggested(trial, name, one) for name, one in task.space.items()}
        return tuple(means(values).tolist())

    study.optimize(objective, n_trials=trials)
    return means.found()


def _suggested(trial: Any, name: str, parameter: Mapping[str, Any]) -> Any:
    if "categorical" in parameter:
        return trial.suggest_categorical(name, parameter["categorical"])
    if "integer" in parameter:
        return trial.suggest_int(name, *parameter["integer"], log=parameter.get("log", False))
    return trial.suggest_float(name, *parameter["real"])


def searched(task: Searched, contender: str, budget: int, seed: int) -> list[Values]:
    """The front that a contender finds."""
    name, _, averaged = contender.partition(", ")
    if name == "racing":
        return by_racing(task, budget, seed)
    if name == "random":
        return at_random(task, budget, seed, int(averaged))
    return by_optuna(task, budget, seed, int(averaged), name)


# --- tables ---------------------------------------------------------------------------------------

Key = tuple[str, str, int]


def measured(
    seeds: Iterable[int], kept: Path, contenders: Iterable[str] = CONTENDERS
) -> dict[Key, list[float]]:
    """Every regret by task, contender and budget; what `kept` has is not run again."""
    known: dict[tuple[Any, ...], float] = {}
    for line in kept.read_text().splitlines() if kept.exists() else ():
        *key, regret = json.loads(line)
        known[tuple(key)] = regret
    kept.parent.mkdir(parents=True, exist_ok=True)
    found: dict[Key, list[float]] = {}
    with kept.open("a") as file:
        for seed in seeds:
            for place, (name, drawn) in enumerate(TASKS.items()):
                for contender in contenders:
                    for budget in BUDGETS:
                        key = (name, contender, budget, seed)
                        if key not in known:
                            task = drawn(np.random.default_rng((2025, place, seed)))
                            front_ = searched(task, contender, budget, seed)
                            known[key] = task.regret(np.array([task.truth(v) for v in front_]))
                            print(json.dumps([*key, known[key]]), file=file, flush=True)
                        found.setdefault(key[:3], []).append(known[key])
    return found


def rows(found: Mapping[Key, list[float]]) -> Iterator[str]:
    """A row for each task and budget: the mean regret of each contender, with its error."""
    contenders = list(dict.fromkeys(key[1] for key in found))
    yield "| task | evaluations | " + " | ".join(contenders) + " |"
    yield "|---" * (len(contenders) + 2) + "|"
    for name in TASKS:
        for budget in BUDGETS:
            cells = (_mean(found[name, one, budget]) for one in contenders)
            yield f"| {name} | {budget} | " + " | ".join(cells) + " |"
    for budget in BUDGETS:
        cells = (
            _mean([x for name in TASKS for x in found[name, one, budget]]) for one in contenders
        )
        yield f"| *mean* | {budget} | " + " | ".join(cells) + " |"


def _mean(values: list[float]) -> str:
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{np.mean(values):.3f} ({error:.3f})"
