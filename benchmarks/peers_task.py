"""A task that several programs can do: run by all in turns, numbers compared, the shortest of
several times."""

from __future__ import annotations

import contextlib
import io
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

PEERS = {
    "scipy": "scipy.stats",
    "statsmodels": "statsmodels.stats.multitest",
    "scikit-posthocs": "scikit_posthocs",
    "autorank": "autorank",
    "baycomp": "baycomp",
    "aeon": "aeon.benchmarking.stats",
}
Call = Callable[[], Any]


@dataclass(frozen=True)
class Peer:
    """A peer's way to do a task; `differs` says why its numbers may differ, `tolerance` how far.

    `scale` multiplies its time, where it was given less to do.
    """

    name: str
    call: Call
    tolerance: float = 1e-9
    differs: str = ""
    scale: float = 1.0


@dataclass(frozen=True)
class Task:
    """Something that all can do; calls return numbers to compare."""

    name: str
    ours: Call
    peers: Sequence[Peer]
    repeat: int = 5
    promised: bool = True
    timed: bool = True


def timed(call: Call, repeat: int) -> tuple[Any, float]:
    """The result, and the shortest time in seconds; what is printed is thrown away."""
    best = np.inf
    for _ in range(repeat):
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            begun = time.perf_counter()
            result = call()
            best = min(best, time.perf_counter() - begun)
    return result, best


def run(task: Task) -> bool:
    """Do a task, print its rows; whether all agree that should, and none is faster."""
    task.ours()  # imports
    value, ours = timed(task.ours, task.repeat)
    print(f"{task.name:42} {'racing':18} {1e3 * ours:11.3f} ms" if task.timed else task.name)
    if not task.peers:
        print(f"{'':42} no peer can do it, or none is installed")
    fine = True
    for peer in task.peers:
        theirs, seconds = timed(peer.call, task.repeat)
        seconds *= peer.scale
        away = float(np.max(np.abs(np.asarray(value, float) - np.asarray(theirs, float))))
        agrees = away <= peer.tolerance
        known = f"differs: {peer.differs}" if peer.differs else "DIFFERS"
        slower = seconds >= ours or not task.timed
        ratio = f"{1e3 * seconds:11.3f} ms {seconds / ours:9.1f} ×" if task.timed else f"{'':26}"
        print(
            f"{'':42} {peer.name:18} {ratio}  {'agrees' if agrees else known} ({away:.1e})"
            f"{'' if slower else '  FASTER'}"
        )
        fine &= (agrees or bool(peer.differs)) and (slower or not task.promised)
    return fine


def installed() -> dict[str, Any]:
    """The peers that can be imported; how to get the others is said."""
    have, missing = {}, []
    for name, module in PEERS.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                have[name] = import_module(module)
        except ImportError:
            missing.append(name)
    if missing:
        print(f"not installed: {', '.join(missing)}; pip install {' '.join(missing)}\n")
    return have
