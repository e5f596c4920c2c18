"""Engines, which bring experiments to workers, one in each file.

in_process                             one experiment at a time, in this process
threading                              commands, which are processes already; and any executor of
                                       `concurrent.futures`
asyncio                                async functions, in an event loop
loky, child                            Python functions, in worker processes
dask                                   a cluster of Dask
slurm                                  jobs of Slurm, as workers of Dask
ray                                    a cluster of Ray
cluster, agent                         what Dask and Ray share

An engine's file has its name, and `open_(work, size)`, which returns a `Pool`. Most engines only
start, feed and end workers; `racing.evaluate.workers` does the backlog, retries and dropping.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from racing.evaluate.work import Pool

Engine = Literal["auto", "loky", "dask", "ray", "slurm", "threading", "in-process", "asyncio"]
"""The names of engines, and `auto`, which chooses one of them."""

ENGINES = get_args(Engine)[1:]

CLUSTERS = ("dask", "ray")
"""Engines for several machines, which have an address."""


def opener(name: str) -> Callable[..., Pool]:
    """The function that opens a pool of an engine; imports no other engine."""
    module: Any = import_module(f"{__name__}.{name.replace('-', '_')}")
    open_: Callable[..., Pool] = module.open_
    return open_
