"""One search on one target, its winner on held-back instances, and what the search cost itself."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks import records
from benchmarks.search_live.contenders import CONTENDERS
from benchmarks.search_live.irace_r import Refused
from benchmarks.search_live.meter import Meter
from benchmarks.search_live.targets import target
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


def run(name: str, contender: str, *, budget: int, seed: int, tests: int = 30) -> Run:
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
    return Run(
        target=name,
        contender=contender,
        budget=budget,
        seed=seed,
        cost=float("nan") if refused else held_back(name, values, tests),
        default=_default(name, tests),
        evaluations=meter.evaluations,
        processor=processor,
        wall=wall,
        refused=refused,
    )


def held_back(name: str, values: Values, tests: int) -> float:
    """Mean cost over the first held-back instances."""
    one = target(name)
    places = range(min(tests, len(one.test)))
    return sum(one.cost(values, one.test[i], 7919 + i) for i in places) / len(places)


@cache
def _default(name: str, tests: int) -> float:
    return held_back(name, target(name).space.default(), tests)


def save(runs: Iterable[Run], file: Path) -> Iterator[Run]:
    """Pass runs on, each added to a CSV file as it comes."""
    return records.save(runs, Run, file)


def load(file: Path) -> list[Run]:
    """The runs in a file."""
    return records.load(Run, file)
