"""The agent on a machine of a cluster: one killable child process per concurrent evaluation.

Dask and Ray cannot stop a running function without ending its process. So an evaluation runs in a
child (as in the engine `loky`), which keeps the limits, has imported the target, and can be killed
at any time. The cluster's own thread only waits for it.
"""

from __future__ import annotations

import pickle
import threading
from dataclasses import replace

from racing.core.experiment import Experiment
from racing.evaluate.engines.loky import Common, Process
from racing.evaluate.workers import Report


class Agent:
    """The children of one process of a cluster, each at its own place.

    Parameters
    ----------
    payload
        The work as bytes; see `racing.evaluate.work.packed`.
    timeout
        The time limit of an attempt in seconds.
    """

    def __init__(self, payload: bytes, timeout: float | None) -> None:
        self._common = Common(payload, timeout)
        self._children: dict[int, Process] = {}
        self._lock = threading.Lock()

    def attempt(self, place: int, number: int, experiment: Experiment, name: str) -> Report:
        """Attempt an experiment in the child at a place; wait for the end."""
        child = self._child(place)
        child.name = name
        return replace(child.attempt(experiment, number), alive=True)  # the place is free

    def answer(self, place: int, number: int, task: bytes, name: str) -> bytes:
        """`attempt` with experiment and report as bytes, which clusters send faster."""
        return pickle.dumps(self.attempt(place, number, pickle.loads(task), name))

    def kill(self, place: int, number: int) -> None:
        """End an attempt, even if it has not arrived yet; does not wait."""
        self._child(place).kill(number)

    def close(self) -> None:
        """End all children, and wait for their end."""
        with self._lock:
            children, self._children = self._children, {}
        ending = [threading.Thread(target=child.end) for child in children.values()]
        for thread in ending:
            thread.start()
        for thread in ending:
            thread.join()
        self._common.running.close()

    def _child(self, place: int) -> Process:
        with self._lock:
            return self._children.setdefault(place, Process(self._common, ""))
