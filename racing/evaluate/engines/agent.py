"""What happens on a machine of a cluster: a killable child process for each evaluation at a time.

Neither Dask nor Ray can end a function that runs without ending the process that it runs in. So an
evaluation runs in a child (the same as that of the engine `loky`), which keeps its limits, has the
target imported, and can be killed at any time. The cluster's own thread only waits for it.
"""

from __future__ import annotations

import pickle
import threading
from dataclasses import replace
from queue import SimpleQueue

from racing.evaluate.engines.loky import LokyWorker
from racing.evaluate.engines.loky_process import load
from racing.evaluate.running import GRACE, Running
from racing.evaluate.work import named
from racing.evaluate.worker import Report, Worker
from racing.experiment import Experiment


class Agent:
    """The children of one process of a cluster, each at a place of its own.

    Parameters
    ----------
    payload
        The work as bytes; see `racing.evaluate.packing`.
    timeout
        The most seconds that an attempt may take.
    """

    def __init__(self, payload: bytes, timeout: float | None) -> None:
        load()  # before there are threads
        self._payload, self._timeout = payload, timeout
        self._running = Running(guarded=True)
        self._slots: dict[int, _Slot] = {}
        self._lock = threading.Lock()

    def attempt(self, place: int, number: int, experiment: Experiment, name: str) -> Report:
        """Attempt an experiment in the child at a place; waits for the end."""
        return self._slot(place).attempt(number, experiment, name)

    def answer(self, place: int, number: int, task: bytes, name: str) -> bytes:
        """The same, with experiment and report as bytes, which clusters carry at less cost."""
        return pickle.dumps(self.attempt(place, number, pickle.loads(task), name))

    def kill(self, place: int, number: int) -> None:
        """End an attempt, also if it has not come yet; does not wait."""
        # in a thread, since a child that is just being started is waited for
        threading.Thread(target=self._slot(place).kill, args=(number,), daemon=True).start()

    def close(self) -> None:
        """End every child, and wait until none is left."""
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
                self._slots[place] = _Slot(self._payload, self._timeout, self._running)
            return self._slots[place]


class _Slot:
    """One child, which is started anew when it has died."""

    def __init__(self, payload: bytes, timeout: float | None, running: Running) -> None:
        self._payload, self._timeout, self._running = payload, timeout, running
        self._child: LokyWorker | None = None
        self._ended: SimpleQueue[Report] = SimpleQueue()
        self._lock = threading.Lock()
        self._number = self._killed = 0  # attempts, counted by the pool

    def attempt(self, number: int, experiment: Experiment, name: str) -> Report:
        with self._lock:
            if self._killed >= number:
                return Report()
            self._number = number
            if self._child is None:
                self._child = LokyWorker(
                    name, self._payload, self._timeout, self._running, self._tell
                )
            child = self._child
            try:
                child.start(experiment)  # with the lock, so that nobody kills what has not begun
            except Exception as error:  # the system starts no more processes, or no more threads
                self._tell(child, Report(alive=False, unborn=f"of {named(error)}"))
        report = self._ended.get()
        with self._lock:
            self._number = 0
            if not report.alive:
                child.end()
                self._child = None
        return replace(report, alive=True)  # the place is; its child is started anew

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
