"""Keeps one worker process: starts it by joblib's loky, hands it work, and ends it.

loky ends a process by asking `pgrep` for its children; that is slow, and complains where there is
no `pgrep`. A worker leads a process group, so we end the group ourselves. For this we look at
three things that loky does not tell in public; without them all still works, but less well.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from concurrent.futures import Future
from typing import Any

from racing.evaluate import worker
from racing.evaluate.running import GRACE, send
from racing.experiment import Experiment, Outcome

KILLED_WITHIN = 10.0  # seconds that we wait for a killed process to be gone

# One thread per worker for what runs inside, unless the user says otherwise: `jobs` is the number
# of processors to be used.
THREAD_COUNTS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)


class WorkerProcess:
    """One worker process, and the executor of loky's that runs it."""

    def __init__(self, payload: bytes) -> None:
        from joblib.externals.loky.process_executor import ProcessPoolExecutor

        self._executor: Any = ProcessPoolExecutor(
            max_workers=1,
            initializer=worker.install,
            initargs=(payload, os.getpid()),
            env={name: os.environ.get(name, "1") for name in THREAD_COUNTS},
        )
        self._future: Future[Outcome] | None = None
        self._manager: threading.Thread | None = None
        self._processes: dict[int, Any] = {}
        self._groups: set[int] = set()

    def start(self, experiment: Experiment) -> Future[Outcome]:
        """Hand it an experiment; it must have none.

        Raises
        ------
        BrokenProcessPool
            If the process has died.
        """
        future: Future[Outcome] = self._executor.submit(worker.evaluate, experiment)
        self._future = future
        self._manager = getattr(self._executor, "_executor_manager_thread", None)
        self._processes = getattr(self._executor, "_processes", {})
        self._groups.update(list(self._processes))
        return future

    def end(self) -> None:
        """End the process, by force if it is at work; does not wait."""
        if self._future is None or self._future.done() or not self._groups:
            self._executor.shutdown(wait=False, kill_workers=not self._groups)
        else:
            self._kill()

    def reap(self) -> None:
        """Take over from loky a process that has died, and kill what it left in its group.

        To be called when a future fails because of that: loky would next look for its children.
        """
        for process in list(self._processes.values()):
            process.join(KILLED_WITHIN)
        self._processes.clear()
        for group in self._groups:
            send(group, signal.SIGKILL)

    def join(self) -> None:
        """Wait until nothing is left of it."""
        if self._manager is not None:
            self._manager.join(GRACE)
            if self._manager.is_alive():  # something in the process keeps it from ending
                self._kill()
                self._manager.join(KILLED_WITHIN)
        for group in self._groups:
            send(group, signal.SIGKILL)

    def _kill(self) -> None:
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError):
                os.kill(group, signal.SIGKILL)  # it may not lead its group yet
            send(group, signal.SIGKILL)
