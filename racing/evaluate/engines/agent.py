"""The agent on a machine of a cluster: one killable child process per concurrent evaluation.

Dask and Ray cannot stop a running function without ending its process. So an evaluation runs in a
child (as in the engine `loky`), which keeps the limits, has imported the target, and can be killed
at any time. The cluster's own thread only waits for it.
"""

from __future__ import annotations

import pickle
import sys
import threading
from dataclasses import replace

from racing.core.experiment import Experiment
from racing.evaluate.engines.processes import Common, Process
from racing.evaluate.shortage import shortage
from racing.evaluate.worker import Report


class Agent:
    """The children of one process of a cluster, each at its own place.

    Parameters
    ----------
    payload
        The work as bytes; see `racing.evaluate.packing`.
    timeout
        The time limit of an attempt in seconds.
    """

    def __init__(self, payload: bytes, timeout: float | None) -> None:
        self._common = Common(payload, timeout)
        self._slots: dict[int, _Slot] = {}
        self._lock = threading.Lock()

    def attempt(self, place: int, number: int, experiment: Experiment, name: str) -> Report:
        """Attempt an experiment in the child at a place; wait for the end."""
        return self._slot(place).attempt(number, experiment, name)

    def answer(self, place: int, number: int, task: bytes, name: str) -> bytes:
        """`attempt` with experiment and report as bytes, which clusters send faster."""
        return pickle.dumps(self.attempt(place, number, pickle.loads(task), name))

    def kill(self, place: int, number: int) -> None:
        """End an attempt, even if it has not arrived yet; does not wait."""
        self._slot(place).kill(number)

    def close(self) -> None:
        """End all children, and wait for their end."""
        with self._lock:
            slots, self._slots = self._slots, {}
        ending = [threading.Thread(target=slot.end) for slot in slots.values()]
        for thread in ending:
            thread.start()
        for thread in ending:
            thread.join()
        self._common.running.close()

    def _slot(self, place: int) -> _Slot:
        with self._lock:
            return self._slots.setdefault(place, _Slot(self._common))


class _Slot:
    """One child, which is replaced when it dies."""

    def __init__(self, common: Common) -> None:
        self._common = common
        self._child: Process | None = None
        self._lock = threading.Lock()
        self._number = self._killed = 0  # attempts, counted by the pool

    def attempt(self, number: int, experiment: Experiment, name: str) -> Report:
        with self._lock:
            if self._killed >= number:
                return Report()
            try:
                child = self._child = self._child or Process(self._common, name)
            except OSError as error:
                return Report(short=shortage(error))
            self._number = number
        report = child.attempt(experiment)
        with self._lock:
            self._number = 0
            if not report.alive:
                self._child = None
        return replace(report, alive=True)  # the place is free; its child is replaced

    def kill(self, number: int) -> None:
        with self._lock:
            self._killed = max(self._killed, number)
            if self._number == number and self._child is not None:
                self._child.kill()

    def end(self) -> None:
        with self._lock:
            child, self._killed = self._child, sys.maxsize
            if child is not None and self._number:
                child.kill()
        if child is not None:
            child.end()
