"""A run that takes outcomes of earlier logs comes to what one that evaluates them comes to."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import racing
from racing.log import SQLiteLog, replay
from racing.runner.loop import RunOptions
from racing.runner.run import resume, run
from racing.scenario import Scenario
from tests.runs_kit import calls, interrupted_after, killed, result, write_scenario

CANDIDATES = [{"x": k / 10} for k in range(10)]
PAID: list[float] = []


def cost(values: dict[str, float], instance: str, seed: int) -> dict[str, object]:
    """Noise by seed; the first candidates cost ten times as much as the last."""
    noise = random.Random(f"{values} {instance} {seed}").gauss(0, 0.4)
    usd = 0.01 if values["x"] > 0.5 else 0.1
    PAID.append(usd)
    return {"cost": values["x"] + noise, "spent": {"usd": usd}}


async def awaited(values: dict[str, float], instance: str, seed: int) -> dict[str, object]:
    return cost(values, instance, seed)


def scenario(tmp_path: Path, **keys: object) -> Scenario:
    here = Path(__file__)
    given: dict[str, object] = {
        "target": {"python": f"{here.name}:cost", "cwd": str(here.parent)},
        "candidates": {"list": CANDIDATES},
        "instances": {"list": [f"i{k}" for k in range(30)]},
        "execution": {"engine": "in-process"},
        "seed": 4,
        "folder": str(tmp_path),
    }
    return Scenario(**{**given, **keys})


def space(**keys: object) -> dict[str, object]:
    found = {"x": {"real": [0, 1], "default": 0.9}}
    return {"space": found, "candidates": None, "search": {"window": 4}, **keys}


CASES: dict[str, dict[str, object]] = {
    "auto": {"budget": 150},
    "auto without a budget": {},
    "sign": {"rule": "sign"},
    "schedule": {"rule": "successive-halving", "budget": 120},
    "instances": {"rule": "f-test", "budget": {"instances": 12}},
    "repeated": {"instances": {"list": ["a", "b", "c"], "repeat": True}, "budget": 100},
    "search": space(budget=150, instances={"list": ["a", "b"], "repeat": True}),
    "iterated": space(search="irace", budget=300, instances={"list": ["a", "b"], "repeat": True}),
}


def half(tmp_path: Path, given: Scenario) -> Path:
    """The log of a run of some of the candidates, with another rule and seed, that was cut off.

    A search draws its candidates, so it is one of the same seed.
    """
    log = tmp_path / "old.sqlite"
    if given.search is not None:
        run(given, log=log, options=interrupted_after(70))
        return log
    some = {"list": CANDIDATES[::2]}
    other = replace(
        given, candidates=some, search=None, rule="none", seed=9, budget=90,
        instances=replace(given.instances, order="listed"),
    )  # fmt: skip
    run(other, log=log, options=interrupted_after(70))
    return log


@pytest.mark.parametrize("case", CASES)
def test_the_result_is_that_of_a_run_that_evaluates_them(tmp_path, case):
    given = scenario(tmp_path, **CASES[case])
    half(tmp_path, given)
    asked = replace(given, reuse="old.sqlite")
    taken = run(asked, log=tmp_path / "taken.sqlite")
    with SQLiteLog.open(tmp_path / "taken.sqlite", write=False) as book:
        kept = Scenario.from_dict(book.header.scenario)
        reused = sum(one.reused is not None for one in book.outcomes())
    assert 0 < reused < taken.outcomes
    evaluated = run(replace(kept, reuse=()), log=tmp_path / "evaluated.sqlite")
    assert result(tmp_path / "taken.sqlite") == result(tmp_path / "evaluated.sqlite")
    assert taken.winner.values == evaluated.winner.values
    with SQLiteLog.open(tmp_path / "taken.sqlite", write=False) as book:
        assert replay(book).spent == taken.spent


@pytest.mark.parametrize("jobs", [1, 5])
@pytest.mark.parametrize("case", ["auto", "search"])
def test_workers_and_interruptions_do_not_matter(tmp_path, case, jobs):
    given = scenario(tmp_path, **CASES[case])
    half(tmp_path, given)
    threads = {"engine": "threading", "jobs": jobs, "speculate": 0}
    asked = replace(given, reuse="old.sqlite", execution=threads)
    run(asked, log=tmp_path / "whole.sqlite")
    log, after = tmp_path / "cut.sqlite", 11
    run(asked, log=log, options=interrupted_after(after))
    for _ in range(2):
        resume(log, options=interrupted_after(after))
    resume(log)
    assert result(log) == result(tmp_path / "whole.sqlite")


@pytest.mark.parametrize("engine", ["in-process", "threading", "asyncio"])
def test_nothing_is_paid_twice_and_the_budget_counts_what_is_paid_now(tmp_path, engine):
    target = {"python": awaited if engine == "asyncio" else cost}
    keys: dict[str, object] = {"rule": "none", "budget": {"usd": 3.0}, "target": target}
    jobs = 1 if engine == "in-process" else 4
    given = scenario(tmp_path, **keys, execution={"engine": engine, "jobs": jobs})
    first = run(given, log=tmp_path / "old.sqlite")
    PAID.clear()
    more = run(replace(given, reuse="old.sqlite"), log=tmp_path / "new.sqlite")
    assert more.spent.evaluations > first.spent.evaluations
    assert more.spent.reused >= first.spent.evaluations
    assert more.spent.usd <= 3.0
    in_flight = 0.1 * jobs
    assert sum(PAID) <= 3.0 + in_flight
    with SQLiteLog.open(tmp_path / "new.sqlite", write=False) as book:
        told = sum(one.spent.get("usd", 0) for one in book.outcomes())
    assert told == pytest.approx(sum(PAID))


def test_after_kill_9_nothing_is_paid_twice(tmp_path):
    shape = {"candidates": 5, "instances": 30, "noise": 6.0, "rule": "none"}
    folder = tmp_path / "run"
    run(write_scenario(folder, **shape), log=folder / "old.sqlite", options=interrupted_after(60))
    before = calls(folder)
    path = write_scenario(folder, pause=0.01, reuse="old.sqlite", **shape)
    with pytest.raises(racing.RacingError, match="have changed since"):
        run(path, log=folder / "new.sqlite")
    steady = {"pause": 0.01, **shape}
    folder = tmp_path / "steady"
    run(write_scenario(folder, **steady), log=folder / "old.sqlite", options=interrupted_after(60))
    before = calls(folder)
    path, log = write_scenario(folder, reuse="old.sqlite", **steady), folder / "new.sqlite"
    killed(folder, path, log, times=3, calls_apart=range(5, 15))
    resume(log)
    after = calls(folder)[len(before) :]
    assert not set(after) & set(before)  # of 150, 60 were known
    assert len(set(after)) == 90
    assert len(after) <= 90 + 3  # what ran when it was killed


def test_what_is_watched_is_every_outcome(tmp_path):
    given = scenario(tmp_path, rule="none")
    half(tmp_path, given)
    seen: list[bool] = []
    options = RunOptions(watch=lambda race, outcome: seen.append(outcome.reused is not None))
    race = run(replace(given, reuse="old.sqlite"), log=tmp_path / "new.sqlite", options=options)
    assert len(seen) == race.outcomes
    assert sum(seen) == race.spent.reused
