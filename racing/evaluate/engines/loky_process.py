"""Starts, feeds and ends one worker process of joblib's loky.

Only this module uses private parts of loky. loky ends a process by asking `pgrep` for its children,
which is slow, and fails without `pgrep`. A worker leads a process group, so this module ends the
group. It reads two private attributes of the executor, `_executor_manager_thread` and `_processes`;
without them, a hanging worker is only ended more slowly.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import Future
from importlib import import_module
from itertools import takewhile
from typing import Any, TypeAlias

from racing.core.experiment import Outcome
from racing.evaluate.engines import loky_child
from racing.evaluate.groups import GRACE, Groups, send

KILLED_WITHIN = 10.0  # seconds to wait for the end of a killed process

# One thread per worker, unless the user sets another number: `jobs` is the number of processors to
# use.
THREAD_COUNTS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)

# The outcome of an attempt, and what it left behind in the process.
Answer: TypeAlias = tuple[Outcome, tuple[str, ...]]

_LOADING = threading.Lock()


_LOKY = ("", ".process_executor", ".backend.reduction", ".backend.resource_tracker",
         ".backend.fork_exec")  # fmt: skip


def load() -> None:
    """Import the parts of loky that are used here, in one thread at a time.

    Its modules import each other in circles, so concurrent imports in threads of an agent may find
    one half initialized, and fail.
    """
    with _LOADING:
        for name in _LOKY:
            import_module(f"joblib.externals.loky{name}")
        import_module("multiprocessing.resource_tracker")


class WorkerProcess:
    """One worker process, and the executor of loky that runs it.

    Parameters
    ----------
    payload
        The work as bytes; see `packed`.
    name
        The name of the worker in outcomes.
    running
        The groups that its process group joins, so that a watchdog kills it if this process dies,
        even while a target in it holds the interpreter's lock.

    Attributes
    ----------
    ready_at
        The time when it had imported the target, by `time.monotonic`; None before.
    """

    def __init__(self, payload: bytes, name: str, running: Groups) -> None:
        load()
        with _without_ctrl_c():
            _start_trackers()  # before the executor does so for its semaphores
        from joblib.externals.loky.process_executor import ProcessPoolExecutor

        self._running, self._mark = running, running.mark()
        self._note = _Note()
        self._executor: Any = ProcessPoolExecutor(
            max_workers=1,
            initializer=loky_child.install,
            initargs=(payload, name, os.getpid(), self._note.path),
            env={
                **{name: os.environ.get(name, "1") for name in THREAD_COUNTS},
                **dict([self._mark.split("=")]),
            },
        )
        self._launching: threading.Thread | None = None
        self._error: Exception | None = None
        self._future: Future[Answer] | None = None
        self._manager: threading.Thread | None = None
        self._processes: dict[int, Any] = {}
        self._groups: set[int] = set()
        self.ready_at: float | None = None

    def start(self, experiment: bytes) -> Future[Answer]:
        """Send it an experiment as bytes; it must be idle.

        Otherwise a thread of loky would pickle it, possibly fail, while another thread ends the
        process, which is not thread-safe.

        Raises
        ------
        BrokenProcessPool
            If the process has died.
        Exception
            If the system starts no more processes: of loky's, or what that led to there.
        """
        if self._launching is None:  # in a thread, which Ctrl-C does not interrupt
            self._launching = threading.Thread(target=self._launch, daemon=True)
            self._launching.start()
        self._settle()
        if self._error is not None:
            raise self._error
        future: Future[Answer] = self._executor.submit(loky_child.evaluate, experiment)
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

    def hung_in(self) -> str:
        """The stack of the function that ignored its alarm, latest call first; or ''."""
        main = self._note.text().rpartition("(most recent call first):\n")[2]
        return "".join(
            takewhile(lambda line: "racing/evaluate/function.py" not in line, main.splitlines(True))
        )

    def end(self) -> None:
        """End the process, by force if it is busy; does not wait."""
        self._settle()
        if self._executor is None:
            return
        idle = self._future is not None and self._future.done()
        if self._groups and not idle:
            self.kill()
        else:
            self._executor.shutdown(wait=False, kill_workers=not idle)

    def reap(self) -> None:
        """Remove a dead process from loky, and kill the rest of its group.

        Call it when a future fails because of that, before loky looks for its children.
        """
        for process in list(self._processes.values()):
            process.join(KILLED_WITHIN)
        self._processes.clear()
        self._count_out()

    def join(self) -> None:
        """Wait for its end."""
        if self._manager is not None:
            self._manager.join(GRACE)
            if self._manager.is_alive():  # something prevents its end
                self.kill()
                self._manager.join(KILLED_WITHIN)
        self._count_out()

    def gone(self) -> bool:
        """Whether it has ended; the resources of the executor are then released."""
        if self._manager is not None and self._manager.is_alive():
            return False
        self._count_out()
        self._note.close()
        self._executor = None
        return True

    def _launch(self) -> None:
        """Start the process, and let it import the target."""
        ready: Future[int] | None = None
        try:
            self._running.prepare()
            with _without_ctrl_c():
                ready = self._executor.submit(loky_child.prepare)
        except Exception as error:
            self._error = error
        self._manager = getattr(self._executor, "_executor_manager_thread", None)
        self._processes = getattr(self._executor, "_processes", {})
        for pid, process in list(self._processes.items()):
            _watch_itself(pid, process)
        self._count_in(list(self._processes))
        if ready is not None:
            ready.add_done_callback(self._note_ready)

    def _settle(self) -> None:
        """Wait until the process is launched, so that its id is known."""
        if self._launching is not None:
            self._launching.join()

    def _note_ready(self, ready: Future[int]) -> None:
        if not ready.cancelled() and ready.exception() is None:
            self.ready_at = time.monotonic()
            self._note.hide()
            self._count_in([ready.result()])

    def _count_in(self, groups: list[int]) -> None:
        for group in groups:
            if group not in self._groups:
                self._groups.add(group)
                self._running.enter(group, self._mark)

    def _count_out(self) -> None:
        """Kill the rest of its groups, and remove them."""
        while self._groups:
            group = self._groups.pop()
            self._running.note_family(group)
            self._running.leave(group)


class _Note:
    """A file for the last message of a process; its name is removed when it is open."""

    def __init__(self) -> None:
        self._fd, self.path = tempfile.mkstemp(prefix="racing-")
        self.close = weakref.finalize(self, _forget, self._fd, self.path)

    def hide(self) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self.path)

    def text(self) -> str:
        return os.pread(self._fd, 1 << 16, 0).decode(errors="replace") if self.close.alive else ""


def _forget(fd: int, path: str) -> None:
    os.close(fd)
    with contextlib.suppress(OSError):
        os.unlink(path)


def _watch_itself(pid: int, process: Any) -> None:
    """Let loky wait for the end of the process itself, if the system supports this.

    By default it waits for the end of a pipe, which forked children keep open.
    """
    popen = getattr(process, "_popen", None)
    if popen is None or not hasattr(os, "pidfd_open"):
        return
    with contextlib.suppress(OSError):
        process._sentinel = popen.sentinel = os.pidfd_open(pid)
        weakref.finalize(popen, os.close, popen.sentinel)


def _start_trackers() -> None:
    """Start the cleanup processes of loky and multiprocessing, if they do not run yet.

    They inherit the options of this process for warnings, and are to warn of nothing: what a killed
    process has left is no error of the user. One thread at a time, since the options are shared.
    """
    from multiprocessing import resource_tracker

    with _LOADING:
        sys.warnoptions.append("ignore")
        try:
            resource_tracker.ensure_running()
            with contextlib.suppress(ImportError, AttributeError):
                from joblib.externals.loky.backend import resource_tracker as of_loky

                of_loky.ensure_running()
        finally:
            sys.warnoptions.remove("ignore")


@contextlib.contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Context manager: processes started in it do not receive Ctrl-C.

    A process inherits blocked signals; `loky_child.install` unblocks them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
