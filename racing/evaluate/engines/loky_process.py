"""One worker process of joblib's loky: starts it, hands it work, and ends it.

Everything that is private to loky is used here and nowhere else. loky ends a process by asking
`pgrep` for its children; that is slow, and complains where there is no `pgrep`. A worker leads a
process group, so the group is ended here instead. Two private attributes of the executor are read
for this, `_executor_manager_thread` and `_processes`; without them all still works, but a worker
that hangs is ended less quickly.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from importlib import import_module
from typing import Any

from racing.evaluate.engines import loky_child
from racing.evaluate.running import GRACE, Running, send
from racing.experiment import Outcome

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


_LOADING = threading.Lock()


def load() -> None:
    """Import all of loky that is used here, in one thread at a time.

    Its modules import each other in circles. Threads that import some of them at once, as those of
    an agent do, may find one that is half initialized, and fail.
    """
    with _LOADING:
        for name in ("", ".process_executor", ".backend.reduction", ".backend.resource_tracker"):
            import_module(f"joblib.externals.loky{name}")
        import_module("multiprocessing.resource_tracker")


class WorkerProcess:
    """One worker process, and the executor of loky's that runs it.

    Parameters
    ----------
    payload
        The work as bytes; see `packed`.
    name
        What the worker is called in outcomes.
    running
        Where its process group is counted in, so that a watchdog kills it should this process die,
        even while a target in it holds the interpreter's lock.

    Attributes
    ----------
    ready_at
        When it had imported the target, by `time.monotonic`; None before.
    """

    def __init__(self, payload: bytes, name: str, running: Running) -> None:
        load()
        from joblib.externals.loky.process_executor import ProcessPoolExecutor

        self._running, self._mark = running, running.mark()
        self._executor: Any = ProcessPoolExecutor(
            max_workers=1,
            initializer=loky_child.install,
            initargs=(payload, name, os.getpid()),
            env={
                **{name: os.environ.get(name, "1") for name in THREAD_COUNTS},
                **dict([self._mark.split("=")]),
            },
        )
        self._launching: threading.Thread | None = None
        self._error: OSError | None = None
        self._future: Future[Outcome] | None = None
        self._manager: threading.Thread | None = None
        self._processes: dict[int, Any] = {}
        self._groups: set[int] = set()
        self.ready_at: float | None = None

    def start(self, experiment: bytes) -> Future[Outcome]:
        """Hand it an experiment as bytes; it must have none.

        Were it not bytes, a thread of loky's would pickle it, and fail at what cannot be pickled,
        while another one ends the process: the two are not safe from each other.

        Raises
        ------
        BrokenProcessPool
            If the process has died.
        OSError
            If the system starts no more processes.
        """
        if self._launching is None:  # in a thread, which Ctrl-C does not interrupt half-way
            self._launching = threading.Thread(target=self._launch, daemon=True)
            self._launching.start()
        self._settle()
        if self._error is not None:
            raise self._error
        future: Future[Outcome] = self._executor.submit(loky_child.evaluate, experiment)
        self._future = future
        self._count_in(list(self._processes))
        return future

    def kill(self) -> None:
        """Kill the process and its group; does not wait."""
        self._settle()
        for group in tuple(self._groups):  # another thread adds one when the worker is ready
            self._running.note_family(group)
            with contextlib.suppress(ProcessLookupError):
                os.kill(group, signal.SIGKILL)  # it may not lead its group yet
            send(group, signal.SIGKILL)

    def end(self) -> None:
        """End the process, by force if it is at work; does not wait."""
        self._settle()
        if self._executor is None:
            return
        idle = self._future is not None and self._future.done()
        if self._groups and not idle:
            self.kill()
        else:
            self._executor.shutdown(wait=False, kill_workers=not idle)

    def reap(self) -> None:
        """Take over from loky a process that has died, and kill what it left in its group.

        To be called when a future fails because of that: loky would next look for its children.
        """
        for process in list(self._processes.values()):
            process.join(KILLED_WITHIN)
        self._processes.clear()
        self._count_out()

    def join(self) -> None:
        """Wait until nothing is left of it."""
        if self._manager is not None:
            self._manager.join(GRACE)
            if self._manager.is_alive():  # something in the process keeps it from ending
                self.kill()
                self._manager.join(KILLED_WITHIN)
        self._count_out()

    def gone(self) -> bool:
        """Whether nothing is left of it; what the executor held is then released."""
        if self._manager is not None and self._manager.is_alive():
            return False
        self._count_out()
        self._executor = None
        return True

    def _launch(self) -> None:
        """Start the process, and have it import the target."""
        self._running.prepare()
        try:
            with _without_ctrl_c():
                _start_trackers()
            with _without_ctrl_c():  # again: who starts a tracker lets Ctrl-C through afterwards
                ready = self._executor.submit(loky_child.prepare)
        except OSError as error:
            self._error = error
            return
        self._manager = getattr(self._executor, "_executor_manager_thread", None)
        self._processes = getattr(self._executor, "_processes", {})
        self._count_in(list(self._processes))
        ready.add_done_callback(self._note_ready)

    def _settle(self) -> None:
        """Wait until the process is launched, so that what was begun is known."""
        if self._launching is not None:
            self._launching.join()

    def _note_ready(self, ready: Future[int]) -> None:
        if not ready.cancelled() and ready.exception() is None:
            self.ready_at = time.monotonic()
            self._count_in([ready.result()])

    def _count_in(self, groups: list[int]) -> None:
        for group in groups:
            if group not in self._groups:
                self._groups.add(group)
                self._running.enter(group, self._mark)

    def _count_out(self) -> None:
        """Kill what is left of its groups, and forget them."""
        while self._groups:
            group = self._groups.pop()
            self._running.note_family(group)
            self._running.leave(group)


def _start_trackers() -> None:
    """Start the processes that clean up after loky and multiprocessing, if they do not run yet."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()
    with contextlib.suppress(ImportError, AttributeError):
        from joblib.externals.loky.backend import resource_tracker as of_loky

        of_loky.ensure_running()


@contextlib.contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach before they ignore it themselves.

    A process inherits which signals are blocked; `loky_child.install` lets them through again.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
