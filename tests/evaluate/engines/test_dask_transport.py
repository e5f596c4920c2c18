"""How ends of Dask's tasks are told apart: an answer, a lost worker, or one that cannot run it.

The agent in a worker of Dask lives as long as the plugin, and answers for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("distributed", reason="Dask needs the extra racing[dask]")

from racing.base.errors import TargetError
from racing.evaluate.engines import cluster, dask
from racing.evaluate.engines.cluster import Answer
from racing.evaluate.engines.dask import AgentPlugin, DaskTransport


class KilledWorker(Exception):
    """Named as Dask's."""


class Future:
    """A future of Dask that ends at once."""

    def __init__(self, status: str, ended: Any) -> None:
        self.status, self._ended = status, ended

    def add_done_callback(self, call: Callable[[Any], None]) -> None:
        call(self)

    def result(self, timeout: float) -> bytes:
        if isinstance(self._ended, BaseException):
            raise self._ended
        assert isinstance(self._ended, bytes)
        return self._ended

    def exception(self, timeout: float) -> BaseException:
        assert isinstance(self._ended, BaseException)
        return self._ended

    def cancel(self, *, force: bool) -> None:
        raise RuntimeError("the client is closed")


def transport_to(client: Any) -> DaskTransport:
    """A transport with a client that stands in for Dask's."""
    found = DaskTransport.__new__(DaskTransport)
    found._client, found._sent = client, {}
    found._plugin = AgentPlugin("racing-1", b"work", None)
    return found


def answer_of(status: str, ended: Any) -> Answer:
    """What is told of a task that ended so."""
    client = SimpleNamespace(submit=lambda *given, **how: Future(status, ended), status="running")
    told: list[Answer] = []
    transport_to(client).send(("tcp://a", "1", 0), 7, b"task", "w-1", told.append)
    [found] = told
    return found


def test_an_answer_is_the_report() -> None:
    assert answer_of("finished", b"report") == b"report"


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
    assert answer_of(status, ended) is None


def test_a_worker_without_racing_ends_the_run() -> None:
    found = answer_of("error", ModuleNotFoundError("No module named 'racing'"))
    assert isinstance(found, TargetError)
    assert "must be installed there" in str(found)


def test_an_outcome_that_cannot_be_sent_is_its_error() -> None:
    error = TypeError("cannot pickle a lock")
    assert answer_of("error", error) is error


@pytest.mark.parametrize(("status", "lost"), [("running", False), ("closed", True)])
def test_what_cannot_be_submitted_is_told_at_once(status: str, lost: bool) -> None:
    error, told = TypeError("no"), list[Answer]()

    def submit(*given: Any, **how: Any) -> None:
        raise error

    transport = transport_to(SimpleNamespace(submit=submit, status=status))
    transport.send(("tcp://a", "1", 0), 7, b"task", "w-1", told.append)
    assert told == [None if lost else error]


def test_a_client_that_is_closed_makes_no_trouble() -> None:
    transport = transport_to(None)
    transport._sent[7] = Future("pending", TimeoutError())
    transport.forget(7)
    transport.forget(7)
    assert transport._sent == {}


def test_no_scheduler_is_named_with_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    with pytest.raises(TargetError, match=r"no scheduler of Dask answers at tcp://127.0.0.1:9"):
        DaskTransport(b"", None, "tcp://127.0.0.1:9")


class Noted:
    """An agent that notes what it is asked."""

    def __init__(self, payload: bytes, timeout: float | None) -> None:
        self.asked: list[Any] = [("begin", payload, timeout)]

    def answer(self, *given: Any) -> bytes:
        self.asked.append(("answer", *given))
        return b"the report"

    def kill(self, *given: Any) -> None:
        self.asked.append(("kill", *given))

    def close(self) -> None:
        self.asked.append(("close",))


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A worker of Dask with the plugin, as Dask makes it."""
    monkeypatch.setattr(dask, "Agent", Noted)
    plugin = AgentPlugin("racing-1", b"work", 2.5)
    found = SimpleNamespace(plugins={"racing-1": plugin})
    plugin.setup(found)
    monkeypatch.setattr(dask, "get_worker", lambda: found)
    return found


def test_tasks_and_kills_reach_the_agent_of_their_plugin(worker: SimpleNamespace) -> None:
    agent = worker.plugins["racing-1"].agent
    assert dask.answer("racing-1", 0, 7, b"task", "w-1") == b"the report"
    asyncio.run(dask.kill("racing-1", 0, 7, dask_worker=worker))
    worker.plugins["racing-1"].teardown(worker)
    assert agent.asked == [
        ("begin", b"work", 2.5), ("answer", 0, 7, b"task", "w-1"), ("kill", 0, 7), ("close",),
    ]  # fmt: skip


def test_a_plugin_that_is_gone(worker: SimpleNamespace) -> None:
    asyncio.run(dask.kill("racing-2", 0, 7, dask_worker=worker))  # nothing is left to kill
    with pytest.raises(KeyError):  # the transport takes that for a lost worker
        dask.answer("racing-2", 0, 7, b"task", "w-1")
