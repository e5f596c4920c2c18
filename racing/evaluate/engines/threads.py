"""Runs experiments in threads: for commands, which are processes already."""

from __future__ import annotations

from functools import partial

from racing.core.experiment import Experiment
from racing.evaluate.shortage import spare
from racing.evaluate.work import Work, attempt
from racing.evaluate.worker import Report, Tell, WorkerThread, reported
from racing.evaluate.workers import WorkerPool


def open_(work: Work, size: int) -> WorkerPool:
    """A pool of threads.

    A dropped Python function cannot be stopped: it continues, its worker stays busy, and its result
    is ignored.
    """
    guarded = work.guarded()
    spawn = partial(ThreadWorker, guarded)
    return WorkerPool(
        size, retries=work.retries, engine="thread", spawn=spawn, release=guarded.close
    )


class ThreadWorker(WorkerThread):
    """One thread, with commands that can be cancelled apart from those of others."""

    def __init__(self, work: Work, name: str, tell: Tell) -> None:
        self._all, self._work, self._killed = work, work.branch(), False
        super().__init__(name, tell)

    def start(self, experiment: Experiment) -> None:
        """Begin an attempt."""
        spare()
        if self._killed:  # cancelled work starts nothing
            self._work, self._killed = self._all.branch(), False
        super().start(experiment)

    def kill(self) -> None:
        """End the running command."""
        self._killed = True
        self._work.cancel()

    def attempt(self, experiment: Experiment) -> Report:
        """Attempt it beside those of the other threads."""
        return reported(lambda: attempt(self._work.once, experiment, self.name, shared=True))
