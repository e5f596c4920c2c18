"""Hundreds of async functions wait in one loop; `test_pool.py` holds it to the laws of pools."""

from __future__ import annotations

import asyncio
import gc
import math
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome
from racing.core.failures import OnFailure
from racing.evaluate.engines.asyncio import Rate, TaskWorker
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from racing.evaluate.workers import Report
from tests.evaluate import async_targets
from tests.evaluate.test_pool import HERE, answers, collect, experiments, named, shell
from tests.waiting import eventually


def target(function: Any, **options: Any) -> Evaluator:
    """A function of `async_targets`."""
    return Evaluator(Function(function, **options))


ILL = async_targets.ill_behaved


@pytest.fixture(autouse=True)
def _one_thread_is_left() -> Any:
    """That of the process; one that was blocked ends a while later."""
    yield
    gc.collect()  # tasks that ended in SystemExit are told of here, not inside another test
    assert eventually(
        lambda: sum(one.name == "racing-asyncio" for one in threading.enumerate()) <= 1
    )


def test_a_thousand_wait_at_once() -> None:
    async_targets.SEEN.clear()
    found = answers(
        open_pool(target(async_targets.surroundings), jobs=1000), experiments(1000, together=1000)
    )
    assert len(found) == 1000
    assert max(one.cost for one in found.values()) == 1000


def test_it_is_chosen_for_async_functions() -> None:
    class Called:
        async def __call__(self, values: Any, instance: Any, seed: Any) -> float:
            return 1.0

    for function in (async_targets.double, Called()):
        assert (
            answers(open_pool(target(function, timeout=9)), experiments(1))[1].worker == "asyncio-1"
        )


@pytest.mark.parametrize("engine", ["in-process", "threading", "loky"])
def test_other_engines_run_them_too(engine: str) -> None:
    target = Function("async_targets.py:ill_behaved", cwd=str(HERE), timeout=0.3)
    with open_pool(Evaluator(target), engine=engine) as pool:
        pool.submit(experiments(1)[0])
        pool.submit(experiments(2, does="sleep")[1])
        found = collect(pool)
    assert (found[1].cost, found[2].message) == (2, "timed out after 0.3 s")


def test_a_timeout_cancels_and_is_no_timeout_of_the_targets_own() -> None:
    does = {1: "sleep", 2: "ignore", 3: "time out by itself", 4: "cancel itself", 5: ""}
    with open_pool(target(ILL, timeout=0.2), jobs=5) as pool:
        for number, word in does.items():
            pool.submit(experiments(number, does=word)[-1])
        found = collect(pool)
    assert [found[i].status for i in does] == ["timeout", "timeout", "crashed", "crashed", "ok"]
    assert found[1].message == found[2].message == "timed out after 0.2 s"
    assert "TimeoutError: the server's" in found[3].message
    assert "CancelledError" in found[4].message
    assert 0.2 <= found[1].seconds < 5


def test_a_worker_that_is_killed_ends_its_task_at_once() -> None:
    told: list[Report] = []

    async def ended() -> bool:
        here = SimpleNamespace(loop=asyncio.get_running_loop(), call=lambda do, *of: do(*of))
        worker = TaskWorker("worker", here, _for_ever, lambda _, report: told.append(report))  # type: ignore[arg-type]
        worker.start(experiments(1)[0])
        await asyncio.sleep(0)
        assert not worker.gone()
        worker.kill()
        for _ in range(3):
            await asyncio.sleep(0)
        return worker.gone()

    assert asyncio.run(ended())
    assert told == [Report()]


async def _for_ever(experiment: Experiment) -> Outcome:
    await asyncio.Event().wait()
    return experiment.failure()


def test_what_is_dropped_is_cancelled_and_its_place_is_free() -> None:
    """Also before its task has begun to run."""
    async_targets.SLEPT.clear()
    batch = [*experiments(2, does="sleep"), *experiments(9)[2:]]
    with open_pool(target(ILL), jobs=2) as pool:
        for one in batch:
            pool.submit(one)
        pool.drop(batch[:2])
        assert sorted(collect(pool)) == [3, 4, 5, 6, 7, 8, 9]
    assert not async_targets.SLEPT


@pytest.mark.parametrize("does", ["ignore", "ignore for ever"])
def test_one_that_ignores_that_it_is_dropped_frees_its_place_and_is_not_returned(does: str) -> None:
    batch = [*experiments(1, does=does), *experiments(2)[1:]]
    with open_pool(target(ILL), jobs=1) as pool:
        for one in batch:
            pool.submit(one)
        pool.wait(0.05)
        pool.drop(batch[:1])
        assert sorted(collect(pool)) == [2]


@pytest.mark.parametrize("engine", ["asyncio", "in-process"])
def test_one_that_ignores_every_cancellation_is_left_behind(
    engine: str, caplog: pytest.LogCaptureFixture
) -> None:
    evaluator = Evaluator(Function("async_targets.py:ill_behaved", cwd=str(HERE), timeout=0.05))
    with open_pool(evaluator, engine=engine) as pool:
        pool.submit(experiments(1, does="ignore for ever")[0])
        pool.submit(experiments(2)[1])
        found = collect(pool)
    assert (found[1].status, found[2].cost) == ("timeout", 4)
    assert "runs on" in caplog.text


@pytest.mark.parametrize("does", ["cancel all", "cancel the current"])
def test_one_that_cancels_tasks_harms_itself_at_most(does: str) -> None:
    batch = [*experiments(1, does=does), *experiments(3, does="ignore")[1:]]
    found = answers(open_pool(target(ILL), jobs=3), batch)
    assert [found[2].cost, found[3].cost] == [4, 6]
    assert {one.attempts for one in found.values()} == {1}
    assert found[1].status == ("ok" if does == "cancel all" else "crashed")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_tasks_of_the_targets_own_neither_end_the_loop_nor_outlive_it() -> None:
    with open_pool(target(ILL), jobs=2) as pool:
        pool.submit(experiments(1, does="exit in a task")[0])
        pool.submit(experiments(2, does="leave a task")[1])
        pool.submit(experiments(3)[2])
        assert {k: one.cost for k, one in collect(pool).items()} == {1: 2, 2: 4, 3: 6}


def test_a_loop_that_is_blocked_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    async def blocks(values: Any, instance: Any, seed: Any) -> float:
        time.sleep(0.7)
        return 1.0

    monkeypatch.setattr("racing.evaluate.workers.GRACE", 0.05)
    monkeypatch.setattr("racing.evaluate.event_loop.GRACE", 0.05)
    pool = open_pool(target(blocks))
    pool.submit(experiments(1)[0])
    pool.wait(0.1)
    begun = time.monotonic()
    pool.close()
    assert time.monotonic() - begun < 0.65


class TestRetry:
    def test_it_is_no_attempt_and_no_failure_and_all_calls_are_paid(self) -> None:
        async_targets.SEEN.clear()
        outcome = answers(open_pool(target(ILL)), experiments(1, does="busy twice"))[1]
        assert (outcome.status, outcome.attempts, outcome.refused) == ("ok", 1, 2)
        assert outcome.spent == {"usd": 4, "tokens": 5}

    def test_patience_has_an_end_and_that_is_a_failure(self) -> None:
        evaluator = Evaluator(Function(ILL), on_failure=OnFailure(patience=0.02, retries=1))
        outcome = answers(open_pool(evaluator), experiments(1, does="busy"))[1]
        assert (outcome.status, outcome.attempts) == ("crashed", 2)
        assert "busy" in outcome.message
        assert "longer than on_failure.patience allows (0.02 s): 429 Too Many" in outcome.message
        assert outcome.spent == {"usd": outcome.refused}
        assert outcome.earlier[0].refused < outcome.refused

    def test_waiting_can_be_cancelled(self) -> None:
        async def busy(values: Any, instance: Any, seed: Any) -> float:
            from racing import Retry

            raise Retry(after=1000)

        evaluator = Evaluator(Function(busy), on_failure=OnFailure(patience=1e6))
        with open_pool(evaluator) as pool:
            pool.submit(experiments(1)[0])
            assert pool.wait(0.05) == []
            pool.drop()
            assert pool.wait() == []

    def test_a_refused_call_frees_its_slot_and_gets_one_again(self) -> None:
        """Others run, one at a time, while the first one waits for its service."""
        calls: list[float] = []
        running: set[float] = set()

        async def busy_once(values: Any, instance: Any, seed: Any) -> float:
            from racing import Retry

            alpha = float(values["alpha"])
            running.add(alpha)
            assert len(running) == 1
            await asyncio.sleep(0)
            running.discard(alpha)
            calls.append(alpha)
            if alpha == 1 and calls.count(alpha) == 1:
                raise Retry(after=0.3)
            return alpha

        with open_pool(target(busy_once), jobs=1) as pool:
            for one in experiments(4):
                pool.submit(one)
            found = collect(pool)
            assert (pool.size, pool.running) == (1, 0)
        assert calls == [1, 2, 3, 4, 1]
        assert [found[i].cost for i in (1, 2, 3, 4)] == [1, 2, 3, 4]
        assert found[1].refused == 1


class TestRate:
    def test_calls_are_spaced(self) -> None:
        async_targets.SEEN.clear()
        answers(open_pool(target(async_targets.noted), jobs=50, rate=200.0), experiments(30))
        begun = sorted(when for _, when in async_targets.SEEN)
        assert begun[-1] - begun[0] >= 29 / 200 - 0.01

    def test_calls_that_are_repeated_take_their_turn(self) -> None:
        async_targets.SEEN.clear()
        turns = 0

        async def turn() -> None:
            nonlocal turns
            turns += 1

        one = Experiment(Candidate(1, {"alpha": 1, "does": "busy twice"}), Instance(0, "a", 7))
        asyncio.run(target(ILL).once_async(one, "worker", turn=turn, rest=asyncio.sleep))
        assert turns == 3

    def test_only_this_engine_keeps_one(self) -> None:
        with pytest.raises(InputError, match="rate is 5, but only engine asyncio keeps one"):
            open_pool(named("double"), rate=5.0)


@pytest.mark.parametrize("evaluate", [shell("echo 1"), named("double"), lambda one: one])
def test_what_is_no_async_function_is_refused(evaluate: Any) -> None:
    with pytest.raises(InputError, match="engine asyncio runs async functions"):
        open_pool(evaluate, engine="asyncio")


# --- however calls come, no time of w seconds sees more than 1 + rate · w of them begin -----------


@given(
    gaps=st.lists(st.sampled_from([0.0, 0.0, 0.003, 0.5, 3.0]), max_size=40),
    rate=st.sampled_from([0.5, 4.0, 50.0]),
)
def test_calls_are_spaced_and_none_waits_for_nothing(gaps: list[float], rate: float) -> None:
    turns, now, begun = Rate(rate), 0.0, [-math.inf]
    for gap in gaps:
        now += gap
        begun.append(now + turns.reserve(now))
        assert math.isclose(begun[-1], max(now, begun[-2] + 1 / rate))


def test_without_a_rate_none_waits() -> None:
    turns = Rate(None)
    assert [turns.reserve(1.0) for _ in range(3)] == [0, 0, 0]
