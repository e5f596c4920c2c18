"""The agent in a worker of Dask: it lives as long as the plugin, and answers for it."""

from __future__ import annotations

import asyncio
import multiprocessing
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("distributed", reason="Dask needs the extra racing[dask]")

from racing.evaluate.engines import dask_agent
from racing.evaluate.engines.dask_agent import AgentPlugin


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
    monkeypatch.setattr(dask_agent, "Agent", Noted)
    monkeypatch.setattr(type(multiprocessing.current_process()), "daemon", True)
    plugin = AgentPlugin("racing-1", b"work", 2.5)
    found = SimpleNamespace(plugins={"racing-1": plugin})
    plugin.setup(found)
    monkeypatch.setattr(dask_agent, "get_worker", lambda: found)
    return found


def test_a_worker_under_a_nanny_may_have_children(worker: SimpleNamespace) -> None:
    assert not multiprocessing.current_process().daemon


def test_tasks_and_kills_reach_the_agent_of_their_plugin(worker: SimpleNamespace) -> None:
    agent = worker.plugins["racing-1"].agent
    assert dask_agent.answer("racing-1", 0, 7, b"task", "w-1") == b"the report"
    asyncio.run(dask_agent.kill("racing-1", 0, 7, dask_worker=worker))
    worker.plugins["racing-1"].teardown(worker)
    assert agent.asked == [
        ("begin", b"work", 2.5), ("answer", 0, 7, b"task", "w-1"), ("kill", 0, 7), ("close",),
    ]  # fmt: skip


def test_a_plugin_that_is_gone(worker: SimpleNamespace) -> None:
    asyncio.run(dask_agent.kill("racing-2", 0, 7, dask_worker=worker))  # nothing is left to kill
    with pytest.raises(KeyError):  # the transport takes that for a lost worker
        dask_agent.answer("racing-2", 0, 7, b"task", "w-1")
