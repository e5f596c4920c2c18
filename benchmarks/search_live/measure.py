"""One search on one target, its winner on held-back instances, and what the search cost itself."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks import records
from benchmarks.search_live.contenders import CONTENDERS
from benchmarks.search_live.irace_r import Refused
from benchmarks.search_live.meter import Meter
from benchmarks.search_live.targets import TESTS, target
from racing.space import Values


@dataclass(frozen=True)
class Run:
    """What a contender came to.

    Attributes
    ----------
    cost, default
        Mean costs of its winner and of the default on the held-back instances, with one seed each.
    evaluations
        How many it used.
    processor, wall
        Seconds beyond the evaluations themselves: of processor time and on the clock.
    refused
        Why it would not begin; empty if it did.
    winner
        Its configuration, as JSON.
    outcomes
        Its costs on the held-back instances in their order, with spaces between them.
    """

    target: str
    contender: str
    budget: int
    seed: int
    cost: float
    default: float
    evaluations: int
    processor: float
    wall: float
    refused: str = ""
    winner: str = ""
    outcomes: str = ""

    @property
    def costs(self) -> np.ndarray:
        """`outcomes` as numbers."""
        return np.array([float(one) for one in self.outcomes.split()])


def run(name: str, contender: str, *, budget: int, seed: int, tests: int = TESTS) -> Run:
    """Let a contender search, and hold its winner to the default."""
    meter = Meter(target(name), budget)
    begun, clock = time.process_time(), time.perf_counter()
    values: Values = {}
    elsewhere, refused = 0.0, ""
    try:
        values, elsewhere = CONTENDERS[contender](meter, seed)
    except Refused as error:
        refused = str(error)[:200]
    processor = time.process_time() - begun - meter.processor + elsewhere
    wall = time.perf_counter() - clock - meter.wall
    costs = [] if refused else held_back(name, values, tests)
    return Run(
        target=name,
        contender=contender,
        budget=budget,
        seed=seed,
        cost=float(np.mean(costs)) if costs else float("nan"),
        default=_default(name, tests),
        evaluations=meter.evaluations,
        processor=processor,
        wall=wall,
        refused=refused,
        winner=json.dumps(values),
        outcomes=" ".join(f"{cost:.6g}" for cost in costs),
    )


def held_back(name: str, values: Values, tests: int) -> list[float]:
    """Costs on the first held-back instances, each with a seed of its own."""
    one = target(name)
    return [one.cost(values, each, 7919 + i) for i, each in enumerate(one.test[:tests])]


@cache
def _default(name: str, tests: int) -> float:
    return float(np.mean(held_back(name, target(name).space.default(), tests)))


def save(runs: Iterable[Run], file: Path) -> Iterator[Run]:
    """Pass runs on, each added to a CSV file as it comes."""
    return records.save(runs, Run, file)


def load(file: Path) -> list[Run]:
    """The runs in a file."""
    return records.load(Run, file)
