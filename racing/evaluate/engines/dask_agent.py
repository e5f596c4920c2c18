"""A plugin of Dask's workers with the agent of `racing.evaluate.engines.agent`."""

from __future__ import annotations

import multiprocessing
from typing import Any, cast

from distributed import WorkerPlugin, get_worker

from racing.evaluate.engines.agent import Agent


class AgentPlugin(WorkerPlugin):
    """Brings an agent with the target to every worker of Dask, once.

    Parameters
    ----------
    name
        Of the plugin, different for every pool.
    payload
        The work as bytes; see `racing.evaluate.packing`.
    timeout
        The time limit of an attempt in seconds.
    """

    def __init__(self, name: str, payload: bytes, timeout: float | None) -> None:
        self.name, self._payload, self._timeout = name, payload, timeout

    def setup(self, worker: Any) -> None:
        """Called by Dask when the worker gets the plugin."""
        # A worker under a nanny is a daemon, which may not have children. Ours end with it.
        multiprocessing.current_process().daemon = False
        self.agent = Agent(self._payload, self._timeout)

    def teardown(self, worker: Any) -> None:
        """Called by Dask when the plugin is removed, or the worker ends."""
        self.agent.close()


def answer(plugin: str, place: int, number: int, task: bytes, name: str) -> bytes:
    """A task of Dask: attempts an experiment (bytes); returns the report (bytes)."""
    agent = cast(AgentPlugin, get_worker().plugins[plugin]).agent
    return agent.answer(place, number, task, name)


async def kill(plugin: str, place: int, number: int, dask_worker: Any = None) -> None:
    """End an attempt; Dask runs this coroutine beside its tasks."""
    found: AgentPlugin | None = dask_worker.plugins.get(plugin)
    if found is not None:
        found.agent.kill(place, number)
