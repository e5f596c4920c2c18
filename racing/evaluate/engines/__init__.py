"""What brings experiments to workers: one engine a file, told by name in `ENGINES`.

An engine's module has `open_(work, size)`, which returns a `Pool`. Most engines say how a worker is
started, fed and ended, and leave backlog, retries and dropping to `racing.evaluate.workers`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from racing.evaluate.pool import Pool

# Name → module. `sequential` is what `in-process` was called in logs of earlier versions.
ENGINES = {
    "loky": "racing.evaluate.engines.loky",
    "threading": "racing.evaluate.engines.threads",
    "dask": "racing.evaluate.engines.dask",
    "ray": "racing.evaluate.engines.ray",
    "in-process": "racing.evaluate.engines.in_process",
    "sequential": "racing.evaluate.engines.in_process",
}

# Those for several machines, which have an address.
CLUSTERS = ("dask", "ray")


def opener(name: str) -> Callable[..., Pool]:
    """What opens a pool of an engine; nothing of other engines is imported."""
    module: Any = import_module(ENGINES[name])
    open_: Callable[..., Pool] = module.open_
    return open_
