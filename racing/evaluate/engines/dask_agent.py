"""The agent of `racing.evaluate.engines.agent` inside a worker of Dask: a plugin of it."""

from __future__ import annotations

import multiprocessing
from typing import Any, cast

from distributed import WorkerPlugin, get_worker

from racing.evaluate.engines.agent import Agent


class AgentPlugin(WorkerPlugin):
    """Brings an agent, and the target with it, to every worker of Dask once.

    Parameters
    ----------
    name
        Of the plugin, different for every pool.
    payload
        The work as bytes; see `racing.evaluate.packing`.
    timeout
        The most seconds that an attempt may take.
    """

    def __init__(self, name: str, payload: bytes, timeout: float | None) -> None:
        self.name, self._payload, self._timeout = name, payload, timeout

    def setup(self, worker: Any) -> None:
        """Called by Dask when the worker has the plugin."""
        # A worker under a nanny is a daemon, which may not have children; its own end with it.
        multiprocessing.current_process().daemon = False
        self.agent = Agent(self._payload, self._timeout)

    def teardown(self, worker: Any) -> None:
        """Called by Dask when the plugin is taken back, or the worker ends."""
        self.agent.close()


def answer(plugin: str, place: int, number: int, task: bytes, name: str) -> bytes:
    """A task of Dask: one attempt at an experiment, as bytes; its report as bytes."""
    agent = cast(AgentPlugin, get_worker().plugins[plugin]).agent
    return agent.answer(place, number, task, name)


async def kill(plugin: str, place: int, number: int, dask_worker: Any = None) -> None:
    """End an attempt; run by Dask beside its tasks, which does not wait for coroutines only."""
    found: AgentPlugin | None = dask_worker.plugins.get(plugin)
    if found is not None:
        found.agent.kill(place, number)
