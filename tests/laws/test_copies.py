"""Second copies, payments, workers and kills change nothing about what a run decides."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.simulated import Killed, Workers
from racing import Budget, Experiment, Outcome, Race
from racing.core.budget import Spent
from racing.log import MemoryLog, SQLiteLog, header_of, replay
from racing.log.log import Log
from racing.rules import RULES
from racing.rules.rule import Rule
from racing.runner.loop import RunOptions, drive
from tests.search.kit import a_search, noisy
from tests.search.kit import facts as search_facts
from tests.worlds import Remembered, facts

BUDGETS = {"evaluations": Budget(evaluations=180), "usd": Budget(usd=0.3)}
KEPT = 0.03  # of the money, to go ahead and for losses
Decider = Any


def seconds(experiment: Experiment, attempt: int) -> float:
    """Log-normal times; one in twenty takes a hundred times as long."""
    rng = random.Random(f"{experiment.key} {attempt}")
    return rng.lognormvariate(0, 1) * (100 if rng.random() < 0.05 else 1)


def target(experiment: Experiment) -> Outcome:
    """A tenth of a cent for each, two for some; one in fifteen fails."""
    rng = random.Random(f"{experiment.key} cost")
    usd = 0.001 * (1 + experiment.candidate.id % 2)
    if rng.random() < 1 / 15:
        return replace(experiment.failure(), seconds=1.0, spent={"usd": usd})
    cost = rng.gauss(experiment.candidate.id / 4, 1)
    return replace(experiment.outcome(cost, seconds=1.0), spent={"usd": usd})


def a_race(rule: str | Rule, budget: str) -> Race:
    """Ten candidates on forty instances."""
    return Race([{"x": i} for i in range(10)], list(range(40)), rule=rule, seed=3,
                budget=BUDGETS[budget], ahead=0.1)  # fmt: skip


def run(decider: Decider, log: Log, workers: Workers, hedge: float) -> Decider:
    """Drive it by the clock of the workers."""
    options = RunOptions(clock=workers.clock)
    return drive(decider, workers, log, speculate=0.1, hedge=hedge, options=options)


def told(race: Race) -> tuple[object, ...]:
    """The facts of a race, without the time on the clock."""
    *first, spent, survivors = facts(race)
    return (*first, replace(spent, wall_time=0.0), survivors)


def disturbed(
    make: Callable[[], Decider], path: Path, size: int, hedge: float, kills: Iterable[int]
) -> tuple[Decider, list[Workers]]:
    """The run, killed after so many answers each, and its workers of each session."""
    pools = []
    SQLiteLog.create(path, header_of(make())).close()
    for answers in (*kills, None):
        with SQLiteLog.open(path, write=True) as log:
            decider = make()
            if isinstance(decider, Race):
                log.add([] if log.entrants() else decider.entrants)
            pools.append(Workers(size, target, seconds, answers=answers))
            with suppress(Killed):
                run(decider, log, pools[-1], hedge)
    return decider, pools


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("budget", BUDGETS)
def test_copies_and_workers_do_not_matter(rule: str, budget: str) -> None:
    log = MemoryLog(header_of(a_race(rule, budget)))
    alone = run(a_race(rule, budget), log, Workers(1, target, seconds), 1.0)
    same = Remembered(RULES[rule]())  # the replays judge anew
    for size, hedge in ((4, 1.0), (4, 0.8), (40, 0.5), (40, 0.95)):
        log, pool = MemoryLog(header_of(a_race(rule, budget))), Workers(size, target, seconds)
        race = run(a_race(same, budget), log, pool, hedge)
        assert told(race) == told(alone)
        assert told(replay(log)) == told(alone)
        if budget == "usd":
            assert race.spent.usd <= 0.3 - KEPT
            assert pool.bill <= 0.3 + 0.002 * size


@pytest.mark.parametrize("rule", ["auto", "none", "sign", "successive-halving"])
@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("hedge", [1.0, 0.8])
def test_kills_do_not_matter(rule: str, budget: str, hedge: float, tmp_path: Path) -> None:
    same = Remembered(RULES[rule]())
    log = MemoryLog(header_of(a_race(rule, budget)))
    alone = run(a_race(same, budget), log, Workers(1, target, seconds), 1.0)
    for number, kills in enumerate(([30], [3, 0, 50])):
        path = tmp_path / f"{number}.sqlite"
        race, pools = disturbed(lambda: a_race(same, budget), path, 3, hedge, kills)
        with SQLiteLog.open(path, write=False) as log:
            lost = sum(one.spent["usd"] for one in log.losses())
            assert told(replay(log)) == told(race)
        assert hedge < 1 or lost <= KEPT
        if lost <= KEPT or budget != "usd":
            assert told(race) == told(alone)
        if budget == "usd":
            assert sum(pool.bill for pool in pools) <= 0.3 + 3 * 0.002


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("hedge", [1.0, 0.7])
def test_the_log_accounts_for_every_call_that_the_service_charges(
    seed: int, hedge: float, tmp_path: Path
) -> None:
    """What was answered at its price, and all else that began counted as unanswered."""
    rng = random.Random(seed)
    kills = [rng.randrange(60) for _ in range(rng.randrange(4))]
    size, path = rng.choice([2, 8, 30]), tmp_path / "run.sqlite"
    _, pools = disturbed(lambda: a_race("auto", "usd"), path, size, hedge, kills)
    with SQLiteLog.open(path, write=False) as log:
        outcomes = log.outcomes()
        begun = sum(pool.begun for pool in pools)
        assert len(outcomes) + log.unanswered == begun
        paid = sum(one.spent["usd"] for one in outcomes)
        bill = sum(pool.bill for pool in pools)
        assert paid + 0.001 * log.unanswered <= bill <= paid + 0.002 * log.unanswered + 1e-12
        assert bill <= 0.3 + 0.002 * size


@pytest.mark.parametrize("window", [1, 10])
@pytest.mark.parametrize("hedge", [0.5, 0.9])
def test_nor_in_a_search(window: int, hedge: float) -> None:
    def found(workers: int, hedge: float) -> list[object]:
        search = a_search(budget=Budget(evaluations=150), window=window)
        pool = Workers(workers, noisy(), seconds)
        run(search, MemoryLog(header_of(search)), pool, hedge)
        assert (pool.begun > 150) == (hedge < 1)
        facts = list(search_facts(search))
        return [replace(one, wall_time=0.0) if isinstance(one, Spent) else one for one in facts]

    assert found(20, hedge) == found(1, 1.0)


def test_one_that_may_not_begin_again_is_waited_for_at_rest() -> None:
    """Money keeps it from beginning again; the loop must not ask time and again meanwhile."""
    waits = []

    class Counted(Workers):
        def wait(self, timeout: float | None = None) -> list[Outcome]:
            waits.append(timeout)
            return super().wait(timeout)

    race = Race([{"x": i} for i in range(10)], list(range(40)), seed=3, budget={"usd": 0.3})
    log, pool = MemoryLog(header_of(race)), Counted(40, target, seconds)
    run(race, log, pool, 0.5)
    assert pool.begun == race.outcomes  # nothing is kept, so nothing begins twice
    assert len(waits) <= 2 * race.outcomes
