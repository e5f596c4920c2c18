"""How ends of Dask's tasks are told apart: an answer, a lost worker, or one that cannot run it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("distributed", reason="Dask needs the extra racing[dask]")

from racing.base.errors import TargetError
from racing.evaluate.engines import transport
from racing.evaluate.engines.dask_transport import DaskTransport, _Task
from racing.evaluate.worker import Report
from tests.evaluate.cluster_kit import experiments

ONE = experiments(0.0)[0]
ANSWER = Report(ONE.outcome(3.0))


class KilledWorker(Exception):
    """Named as Dask's."""


class Future:
    """A future of Dask that has ended."""

    def __init__(self, status: str, ended: Any) -> None:
        self.status, self._ended = status, ended
        self.asked: list[str] = []

    def add_done_callback(self, call: Callable[[Any], None]) -> None:
        call(self)

    def result(self, timeout: float) -> bytes:
        self.asked.append("result")
        if isinstance(self._ended, BaseException):
            raise self._ended
        assert isinstance(self._ended, bytes)
        return self._ended

    def exception(self, timeout: float) -> BaseException:
        assert isinstance(self._ended, BaseException)
        return self._ended

    def cancel(self, *, force: bool) -> None:
        self.asked.append("cancel")
        raise RuntimeError("the client is closed")


def report_of(status: str, ended: Any) -> Report | None:
    told: list[Report | None] = []
    _Task(Future(status, ended), ONE).when_done(told.append)
    [found] = told
    return found


def test_an_answer_is_the_report() -> None:
    assert report_of("finished", pickle.dumps(ANSWER)) == ANSWER


@pytest.mark.parametrize(
    ("status", "ended"),
    [
        ("finished", OSError("the worker with the result is gone")),
        ("cancelled", None),
        ("lost", None),
        ("error", KilledWorker("its worker died")),
        ("error", KeyError("racing-1")),  # a worker that does not have the target yet
    ],
)
def test_a_lost_worker_is_held_against_nothing(status: str, ended: Any) -> None:
    assert report_of(status, ended) is None


def test_a_worker_without_racing_ends_the_run() -> None:
    found = report_of("error", ModuleNotFoundError("No module named 'racing'"))
    assert found is not None
    assert isinstance(found.broken, TargetError)
    assert "must be installed there" in str(found.broken)


def test_an_outcome_that_cannot_be_sent_is_a_crash() -> None:
    found = report_of("error", TypeError("cannot pickle a lock"))
    assert found is not None
    assert found.outcome is not None
    assert "cannot pickle a lock" in found.outcome.message


def test_a_client_that_is_closed_makes_no_trouble() -> None:
    future = Future("pending", TimeoutError())
    task = _Task(future, ONE)
    task.cancel()
    task.wait(0.0)
    assert future.asked == ["cancel", "result"]


def test_no_scheduler_is_named_with_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "PATIENCE", 0.2)
    with pytest.raises(TargetError, match=r"no scheduler of Dask answers at tcp://127.0.0.1:9"):
        DaskTransport(b"", None, "tcp://127.0.0.1:9")
