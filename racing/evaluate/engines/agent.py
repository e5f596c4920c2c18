"""The agent on a machine of a cluster: one killable child process per concurrent evaluation.

Dask and Ray cannot stop a running function without ending its process. So an evaluation runs in a
child (as in the engine `loky`), which keeps the limits, has imported the target, and can be killed
at any time. The cluster's own thread only waits for it.
"""

from __future__ import annotations

import pickle
import threading
from dataclasses import replace
from queue import SimpleQueue

from racing.base.errors import named
from racing.core.experiment import Experiment
from racing.evaluate.engines.leftovers import Leftovers
from racing.evaluate.engines.loky import LokyWorker
from racing.evaluate.engines.loky_process import load
from racing.evaluate.groups import GRACE, Groups
from racing.evaluate.shortage import shortage
from racing.evaluate.worker import Report, Worker


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
        load()  # before there are threads
        self._payload, self._timeout = payload, timeout
        self._running, self._leftovers = Groups(guarded=True), Leftovers()
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
        # in a thread, since it waits for a child that is starting
        threading.Thread(target=self._slot(place).kill, args=(number,), daemon=True).start()

    def close(self) -> None:
        """End all children, and wait for their end."""
        with self._lock:
            slots, self._slots = self._slots, {}
        for slot in slots.values():
            slot.end()
        for slot in slots.values():
            slot.join()
        self._running.close()

    def _slot(self, place: int) -> _Slot:
        with self._lock:
            if place not in self._slots:
                self._slots[place] = _Slot(
                    self._payload, self._timeout, self._running, self._leftovers
                )
            return self._slots[place]


class _Slot:
    """One child, which is replaced when it dies."""

    def __init__(
        self, payload: bytes, timeout: float | None, running: Groups, leftovers: Leftovers
    ) -> None:
        self._payload, self._timeout = payload, timeout
        self._running, self._leftovers = running, leftovers
        self._child: LokyWorker | None = None
        self._ended: SimpleQueue[Report] = SimpleQueue()
        self._lock = threading.Lock()
        self._number = self._killed = 0  # attempts, counted by the pool

    def attempt(self, number: int, experiment: Experiment, name: str) -> Report:
        with self._lock:
            if self._killed >= number:
                return Report()
            self._number = number
            try:
                if self._child is None:
                    self._child = LokyWorker(
                        name, self._payload, self._timeout, self._running, self._tell,
                        self._leftovers,
                    )  # fmt: skip
                self._child.start(experiment)  # with the lock, so that it is not killed before
            except Exception as error:
                short = shortage(error)
                unborn = "" if short else f"of {named(error)}"
                self._ended.put(Report(alive=False, unborn=unborn, short=short))
        report = self._ended.get()
        with self._lock:
            self._number = 0
            if not report.alive and self._child is not None:
                self._child.end()
                self._child = None
        return replace(report, alive=True)  # the place is free; its child is replaced

    def kill(self, number: int) -> None:
        with self._lock:
            self._killed = max(self._killed, number)
            if self._number == number and self._child is not None:
                self._child.kill()

    def end(self) -> None:
        with self._lock:
            if self._child is not None:
                self._child.end()

    def join(self) -> None:
        if self._child is not None:
            self._child.join(2 * GRACE)

    def _tell(self, worker: Worker, report: Report) -> None:
        self._ended.put(report)
