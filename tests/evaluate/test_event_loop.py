"""One event loop for all runs of a process; `setup` and `teardown` live in it too."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import racing
from racing.evaluate.alarm import TimeIsUp
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.event_loop import event_loop, in_time
from racing.evaluate.function import Function, is_coroutine_function
from racing.evaluate.pool import open_pool
from tests.evaluate.test_pool import answers, experiments

TARGET = """
import asyncio, os, pathlib
HERE = pathlib.Path(__file__).parent
LOOPS = []

def note(word):
    with open(HERE / "notes", "a") as notes:
        notes.write(f"{word} {os.getpid()}\\n")

async def open_():
    await asyncio.sleep(0)
    LOOPS.append(asyncio.get_running_loop())
    note("open")

async def close():
    assert asyncio.get_running_loop() is LOOPS[0]
    await asyncio.sleep(0)
    note("close")

async def solve(values, instance, seed):
    await asyncio.sleep(0)
    assert asyncio.get_running_loop() is LOOPS[0], "another loop"
    return values["x"] + seed % 3 / 10
"""
SCENARIO = """
target: {python: solve.py:solve, setup: solve.py:open_, teardown: solve.py:close}
space: {x: {real: [0, 1], default: 0.5}}
candidates: {default: true, sample: 5}
instances: {list: [a, b], repeat: true}
test_instances: {list: [c, d, e, f]}
budget: 60
execution: {jobs: 4, engine: ENGINE}
"""
PROGRAM = """
import racing
race = racing.run("race.yaml", log="log.sqlite")
found = racing.holdout("log.sqlite")
again = racing.run("race.yaml", log="again.sqlite")
assert race.winner == again.winner
assert found is not None
"""


@pytest.mark.parametrize("engine", ["asyncio", "in-process", "threading", "loky"])
def test_runs_and_tests_share_the_loop_and_what_was_set_up(engine: str, tmp_path: Path) -> None:
    jobs = SCENARIO if engine != "in-process" else SCENARIO.replace("jobs: 4", "jobs: 1")
    (tmp_path / "race.yaml").write_text(jobs.replace("ENGINE", engine))
    (tmp_path / "solve.py").write_text(TARGET)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    notes = [line.split() for line in (tmp_path / "notes").read_text().splitlines()]
    opened = [process for word, process in notes if word == "open"]
    closed = [process for word, process in notes if word == "close"]
    assert len(opened) == len(set(opened))
    assert len(closed) == len(set(closed))
    if engine == "loky":  # a worker of a dropped candidate is killed
        assert set() < set(closed) <= set(opened)
    else:
        assert closed == opened == opened[:1]


def test_a_setup_is_done_before_the_first_of_many_calls() -> None:
    done: list[int] = []

    async def prepare() -> None:
        await __import__("asyncio").sleep(0.05)
        done.append(1)

    async def solve(values: object, instance: object, seed: int) -> float:
        return float(len(done))

    found = answers(open_pool(Evaluator(Function(solve, setup=prepare)), jobs=40), experiments(40))
    assert {one.cost for one in found.values()} == {1.0}


def test_an_async_setup_needs_an_async_function() -> None:
    async def prepare() -> None:
        """Do nothing."""

    for key in ("setup", "teardown"):
        with pytest.raises(racing.TargetError, match=f"{key} target .* must not be async, as"):
            Function(lambda values, instance, seed: 1.0, **{key: prepare}).check()


def test_pools_one_after_the_other_have_the_same_loop() -> None:
    async def solve(values: object, instance: object, seed: int) -> float:
        return 1.0

    for _ in range(2):
        before = event_loop()
        assert len(answers(open_pool(Evaluator(Function(solve)), jobs=2), experiments(1))) == 1
        assert event_loop() is before


def test_a_test_of_failures_alone_begins_anew(tmp_path: Path) -> None:
    """What every evaluation failed of says nothing, and is no answer for ever."""
    (tmp_path / "race.yaml").write_text(SCENARIO.replace("ENGINE", "asyncio"))
    down = 'if instance in "cdef" and (HERE / "down").exists(): 1 / 0'
    (tmp_path / "solve.py").write_text(
        TARGET.replace("return values", f"{down}\n    return values")
    )
    log = tmp_path / "log.sqlite"
    racing.run(tmp_path / "race.yaml", log=log)
    (tmp_path / "down").touch()
    with pytest.raises(racing.TargetError, match="every evaluation failed"):
        racing.holdout(log)
    (tmp_path / "down").unlink()
    assert racing.holdout(log) is not None


# --- what is an async function, and when it was cancelled -----------------------------------------


async def one(more: int = 0) -> int:
    return 1 + more


class Called:
    async def __call__(self) -> int:
        return 1


def test_functions_objects_and_partials() -> None:
    assert all(map(is_coroutine_function, (one, partial(one, 1), Called(), partial(Called()))))
    assert not any(map(is_coroutine_function, (len, lambda: one(), Called, partial(len))))


def test_the_answer_comes_back() -> None:
    assert asyncio.run(in_time(one(), None)) == asyncio.run(in_time(one(), 9)) == 1


def test_time_is_up() -> None:
    with pytest.raises(TimeIsUp):
        asyncio.run(in_time(asyncio.sleep(9), 0.01))


def test_a_task_that_is_cancelled_when_its_time_is_up_is_cancelled() -> None:
    async def stubborn() -> None:
        try:
            await asyncio.sleep(9)
        finally:
            await asyncio.sleep(0.05)

    async def both() -> None:
        task = asyncio.create_task(in_time(stubborn(), 0.01))
        await asyncio.sleep(0.03)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(both())
