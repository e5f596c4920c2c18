"""Runs experiments in threads, for commands, which are processes already; and on any executor.

An executor is one of `concurrent.futures`: of the standard library, or of a cluster. It is never
shut down here; its creator does that.
"""

from __future__ import annotations

import pickle
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from functools import lru_cache, partial

from racing.base.errors import RaceError, named
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.shortage import spare
from racing.evaluate.task import DIED
from racing.evaluate.work import Work, attempt, packed
from racing.evaluate.workers import (
    Report,
    Spawn,
    Tell,
    WorkerPool,
    WorkerThread,
    reported,
    unsendable,
)  # fmt: skip


def open_(work: Work, size: int, executor: Executor | None = None) -> WorkerPool:
    """A pool of threads, or one that submits its experiments to an executor, `size` at a time.

    A dropped Python function cannot be stopped: it continues, its worker stays busy, and its result
    is ignored. A function's timeout needs the main thread of a process. Threads of this process
    share the work, so dropped commands are stopped; other executors get a copy.

    Raises
    ------
    InputError
        If the work cannot be sent.
    """
    guarded, name = work.guarded(), "thread"
    spawn: Spawn = partial(ThreadWorker, guarded)
    if executor is not None:
        name, payload = "executor", None
        if not isinstance(executor, ThreadPoolExecutor):
            payload = packed(work)
        spawn = partial(ExecutorWorker, executor, payload, guarded)
    return WorkerPool(size, retries=work.retries, engine=name, spawn=spawn, release=guarded.close)


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


class ExecutorWorker(ThreadWorker):
    """One place in the executor, and a thread that waits for what it does."""

    def __init__(
        self, executor: Executor, payload: bytes | None, work: Work, name: str, tell: Tell
    ) -> None:
        self._executor, self._payload = executor, payload
        self._future: Future[Outcome] | None = None
        super().__init__(work, name, tell)

    def attempt(self, experiment: Experiment) -> Report:
        """Submit an experiment to the executor, and wait for it."""
        here = partial(attempt, self._work.once)
        call = here if self._payload is None else partial(_elsewhere, self._payload)
        future: Future[Outcome] | None = None
        try:
            future = self._future = self._executor.submit(call, experiment, self.name)
            return reported(future.result)
        except CancelledError:
            if future is None or future.cancelled():
                return Report()
            failure = experiment.failure(Status.CRASHED, f"{DIED}, or was cancelled")
            return Report(failure, died=True)  # for example, its machine is lost
        except BaseException as error:
            refused = future is None and isinstance(error, RuntimeError)  # it was shut down
            if refused or isinstance(error, BrokenExecutor):
                return _broken(error)
            return unsendable(experiment, error)

    def kill(self) -> None:
        """Cancel it if it has not started; end its command if that runs in this process."""
        self._killed = True
        if self._future is None or not self._future.cancel():
            self._work.cancel()

    def join(self, seconds: float) -> None:
        """Wait for commands that still run in this process."""
        if self._payload is None:
            super().join(seconds)


@lru_cache(maxsize=4)
def _unpacked(payload: bytes) -> Work:
    guarded: Work = pickle.loads(payload).guarded()
    guarded.prepare()
    return guarded


def _elsewhere(payload: bytes, experiment: Experiment, worker: str) -> Outcome:
    """Called in the executor's processes."""
    return attempt(_unpacked(payload).once, experiment, worker)


def _broken(error: BaseException) -> Report:
    why = (
        f"the executor cannot be used any more ({named(error)}); the outcomes so far are kept: "
        "resume with another executor, or use backend loky, which outlives targets that end "
        "their process"
    )
    return Report(alive=False, broken=RaceError(why))
