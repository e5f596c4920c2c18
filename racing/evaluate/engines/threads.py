"""Runs experiments in threads: for commands, which are processes already."""

from __future__ import annotations

import threading
from queue import SimpleQueue

from racing.core.experiment import Experiment
from racing.evaluate.groups import Cancelled
from racing.evaluate.shortage import Shortage, spare
from racing.evaluate.work import Work, attempt
from racing.evaluate.worker import Report, Tell
from racing.evaluate.workers import WorkerPool

NAME = "threading"


def open_(work: Work, size: int) -> WorkerPool:
    """A pool of threads.

    A dropped Python function cannot be stopped: it continues, its worker stays busy, and its result
    is ignored.
    """
    guarded = work.guarded()

    def spawn(name: str, tell: Tell) -> ThreadWorker:
        return ThreadWorker(name, guarded, tell)

    return WorkerPool(
        size, retries=work.retries, engine="thread", spawn=spawn, release=guarded.close
    )


class ThreadWorker:
    """One thread."""

    def __init__(self, name: str, work: Work, tell: Tell) -> None:
        self.name = name
        self._all, self._work = work, work.branch()
        self._tell = tell
        self._killed = False
        self._todo: SimpleQueue[Experiment | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"racing-{name}", daemon=True)
        self._thread.start()

    def start(self, experiment: Experiment) -> None:
        """Begin an attempt."""
        spare()
        if self._killed:  # cancelled work starts nothing
            self._work, self._killed = self._all.branch(), False
        self._todo.put(experiment)

    def kill(self) -> None:
        """End the running command."""
        self._killed = True
        self._work.cancel()

    def end(self) -> None:
        """End the thread."""
        self._todo.put(None)

    def join(self, seconds: float) -> None:
        """Wait for the thread; a function in it cannot be killed."""
        self._thread.join(seconds)

    def gone(self) -> bool:
        """Whether the thread has ended."""
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (experiment := self._todo.get()) is not None:
            try:
                report = Report(attempt(self._work, experiment, self.name, shared=True))
            except Cancelled:
                report = Report()
            except Shortage as short:
                report = Report(short=short)
            self._tell(self, report)
