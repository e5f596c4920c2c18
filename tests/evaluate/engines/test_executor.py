"""Any executor runs experiments; what goes wrong in one is told apart."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
)
from typing import Any

import pytest

from racing.base.errors import InputError, RaceError
from racing.core.experiment import Experiment, Outcome
from racing.evaluate.engines.threading import open_
from racing.evaluate.work import Plain
from tests.evaluate.cluster_kit import experiments


def square(experiment: Experiment) -> Outcome:
    return experiment.outcome(experiment.candidate.id**2)


class Scripted(Executor):
    """Futures that end with what a script says; the call's result without one."""

    def __init__(self, *script: BaseException | None) -> None:
        self.script = list(script)
        self.calls = 0

    def submit(self, call: Callable[..., Any], /, *given: Any, **more: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        error = self.script.pop(0) if self.script else None
        if error is None:
            future.set_result(call(*given, **more))
        else:
            future.set_exception(error)
        return future


def test_others_get_the_work_as_bytes() -> None:
    executor = Scripted()
    with open_(Plain(square), 1, executor) as pool:
        pool.submit(experiments(0)[0])
        assert [one.cost for one in pool.wait(10)] == [1]
    with pytest.raises(InputError, match="cannot be sent to worker processes"):
        open_(Plain(threading.Lock()), 1, executor)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("script", "status", "calls"),
    [
        ((CancelledError(),), "ok", 2),  # its machine is lost, which may be an accident
        ((CancelledError(), CancelledError()), "crashed", 2),
        ((TypeError("cannot pickle"),), "crashed", 1),
    ],
)
def test_what_is_lost_is_tried_again_and_what_cannot_be_sent_is_not(
    script: tuple[BaseException, ...], status: str, calls: int
) -> None:
    executor = Scripted(*script)
    with open_(Plain(square), 1, executor) as pool:
        pool.submit(experiments(0)[0])
        [found] = pool.wait(10)
    assert (str(found.status), executor.calls) == (status, calls)


def test_a_broken_executor_ends_the_run_with_advice() -> None:
    with open_(Plain(square), 1, Scripted(BrokenExecutor("its process died"))) as pool:
        pool.submit(experiments(0)[0])
        with pytest.raises(RaceError, match=r"its process died.*resume with another executor"):
            pool.wait(10)


def test_one_that_was_shut_down_is_broken_too() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with open_(Plain(square), 1, executor) as pool:
        pool.submit(experiments(0)[0])
        with pytest.raises(RaceError, match="cannot be used any more"):
            pool.wait(10)
