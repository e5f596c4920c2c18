"""What tests of engines for several machines share: targets, and what a run must come to."""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections.abc import Callable
from typing import Any

from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from racing.evaluate.work import Pool
from racing.log import Header, MemoryLog
from racing.race import Race
from racing.rules import RULES
from racing.runner.loop import RunOptions, drive
from racing.search import Search
from tests.worlds import hard_world

COSTS = hard_world(6, 14, seed=3).tolist()
PATIENCE = 120.0 * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
"""Seconds for what never takes that long; more where others use the processors too."""

ORDERS = ("", "first", "second")  # of completion: at once, and two of made-up lengths


def solve(values: dict[str, float], problem: str, seed: int) -> float:
    """A cost from the table, after a time that its order says; some fail."""
    order, _, row = problem.partition("/")
    mixed = zlib.crc32(f"{order} {row} {sorted(values.items())}".encode())
    time.sleep(mixed % 7 / 700 if order else 0.0)
    if "x" in values:
        return (values["x"] - 0.3) ** 2 + mixed_cost(row, values["x"])
    cost = COSTS[int(row)][int(values["column"])]
    if cost == float("inf"):
        raise ValueError("made to fail")
    return float(cost)


def mixed_cost(row: str, x: float) -> float:
    """Noise that depends on the instance and the value alone."""
    return zlib.crc32(f"{row} {x!r}".encode()) / 2**34


def slow(values: dict[str, float], problem: str, seed: int) -> float:
    """The same, after 10 ms."""
    time.sleep(0.01)
    return solve(values, problem, seed)


def stuck(values: dict[str, float], row: int, seed: int) -> float:
    """The number of the process, after a while."""
    time.sleep(values["sleep"])
    return os.getpid()


def dies(values: dict[str, float], row: int, seed: int) -> float:
    """Nothing: the process ends."""
    os._exit(3)


def one(values: object, instance: object, seed: int) -> float:
    """1."""
    return 1.0


def experiments(*sleeps: float) -> list[Experiment]:
    """Candidates for `stuck`."""
    return [
        Experiment(Candidate(k, {"sleep": sleep}), Instance(0, "a", 1))
        for k, sleep in enumerate(sleeps, start=1)
    ]


def problems(order: str) -> list[str]:
    """The instances; their names say in which order evaluations are to end."""
    return [f"{order}/{row}" for row in range(len(COSTS))]


def a_race(order: str = "") -> Race:
    """A race with ties and failures."""
    return Race(
        [{"column": j} for j in range(len(COSTS[0]))],
        problems(order),
        rule=RULES["sign"](),
        seed=2,
        budget=Budget(evaluations=80),
    )


def a_search(order: str = "") -> Search:
    """A short search."""
    return Search({"x": {"real": [0.0, 1.0]}}, problems(order), budget=50, seed=2, window=4)


DECIDERS: dict[str, Callable[[str], Any]] = {"race": a_race, "search": a_search}


def alone(decider: Any) -> tuple[object, ...]:
    """What it comes to one after the other, in this process."""
    while not decider.done:
        for experiment in decider.ask(1):
            values, problem = experiment.candidate.values, experiment.instance.problem
            try:
                told = experiment.outcome(solve(values, f"/{problem.partition('/')[2]}", 0))
            except ValueError:
                told = experiment.failure()
            decider.tell(told)
    return decided(decider)


def decided(decider: Any) -> tuple[object, ...]:
    """What must not depend on where and in which order evaluations ran."""
    winner = None if decider.winner is None else (decider.winner.id, dict(decider.winner.values))
    ranking = repr(decider.ranking())
    entrants = [(one.candidate.id, one.candidate.values) for one in decider.entrants]
    spent = decider.spent.evaluations
    return decider.stopped, winner, decider.verdicts, ranking, spent, entrants


def driven(
    pool: Pool,
    decider: Any,
    *,
    speculate: float = 0.1,
    watch: Callable[[Any, Outcome], None] | None = None,
) -> MemoryLog:
    """Drive it to its end, and check that nothing came back twice; the pool stays open."""
    log = MemoryLog(Header(name="test", seed=decider.seed))
    options = RunOptions(watch=watch) if watch else None
    drive(decider, pool, log, speculate=speculate, options=options)
    keys = [outcome.key for outcome in log.outcomes()]
    assert len(keys) == len(set(keys))
    return log


def opened(
    engine: str, address: str, function: Callable[..., float] = solve, **options: float
) -> Pool:
    """A pool over a cluster."""
    target = Function(by_value(function), **options)  # type: ignore[arg-type]
    return open_pool(Evaluator(target), engine=engine, address=address)


def by_value(function: Callable[..., float]) -> Callable[..., float]:
    """The function as it is sent where this file cannot be imported."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[function.__module__])
    return function


def check_identical(pool: Pool) -> None:
    """Whatever is run, speculated and finished first: the result is that of one process."""
    for name, make in DECIDERS.items():
        expected = alone(make(""))
        for order in ORDERS:
            for speculate in (0.0, 0.1):
                decider = make(order)
                log = driven(pool, decider, speculate=speculate)
                assert decided(decider) == expected, (name, order, speculate, failures(log))


def failures(log: MemoryLog) -> list[Outcome]:
    """What failed though it was not made to, and what was attempted more than once."""
    return [
        one
        for one in log.outcomes()
        if one.attempts > 1 or (one.failed and "made to fail" not in one.message)
    ]
