"""Engines, which bring experiments to workers, by name in `ENGINES`.

in_process                             one experiment at a time, in this process
threads                                commands, which are processes already
asyncio                                async functions, in an event loop
processes, child                       Python functions, in worker processes: the engine loky
executor                               any executor of `concurrent.futures`
dask                                   a cluster of Dask
slurm                                  jobs of Slurm, as workers of Dask
ray                                    a cluster of Ray
cluster, agent                         what Dask and Ray share

An engine's module has `open_(work, size)`, which returns a `Pool`. Most engines only start, feed
and end workers; `racing.evaluate.workers` does the backlog, retries and dropping.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from racing.evaluate.protocol import Pool

Engine = Literal["auto", "loky", "dask", "ray", "slurm", "threading", "in-process", "asyncio"]
"""The names of engines; all but `auto`, which chooses one, are in `ENGINES`."""

# Name → module.
ENGINES = {
    "loky": "racing.evaluate.engines.processes",
    "threading": "racing.evaluate.engines.threads",
    "dask": "racing.evaluate.engines.dask",
    "ray": "racing.evaluate.engines.ray",
    "slurm": "racing.evaluate.engines.slurm",
    "in-process": "racing.evaluate.engines.in_process",
    "asyncio": "racing.evaluate.engines.asyncio",
}

# Engines for several machines, which have an address.
CLUSTERS = ("dask", "ray")


def opener(name: str) -> Callable[..., Pool]:
    """The function that opens a pool of an engine; imports no other engine."""
    module: Any = import_module(ENGINES[name])
    open_: Callable[..., Pool] = module.open_
    return open_
