"""Runs experiments on any `concurrent.futures.Executor`: of the standard library, or of a cluster.

The adapter never shuts the executor down; its creator does.
"""

from __future__ import annotations

import pickle
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from functools import lru_cache, partial

from racing.base.errors import RaceError, named
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.engines.threads import ThreadWorker
from racing.evaluate.packing import packed
from racing.evaluate.task import DIED
from racing.evaluate.work import Work, attempt
from racing.evaluate.worker import Report, Tell, reported, unsendable
from racing.evaluate.workers import WorkerPool


def open_(work: Work, size: int, executor: Executor) -> WorkerPool:
    """A pool that submits its experiments to an executor, `size` at a time.

    Threads of this process share the work, so dropped commands are stopped. Other executors get a
    copy; a dropped experiment that has started there continues and is ignored. A function's timeout
    needs the main thread of a process.

    Raises
    ------
    InputError
        If the work cannot be sent.
    """
    guarded = work.guarded()
    payload = None if isinstance(executor, ThreadPoolExecutor) else packed(work)
    spawn = partial(ExecutorWorker, executor, payload, guarded)
    return WorkerPool(
        size, retries=work.retries, engine="executor", spawn=spawn, release=guarded.close
    )


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
        try:
            future = self._future = self._executor.submit(call, experiment, self.name)
        except RuntimeError as error:  # broken, or shut down
            return _broken(error)
        try:
            return reported(future.result)
        except BrokenExecutor as error:
            return _broken(error)
        except CancelledError:
            if future.cancelled():
                return Report()
            failure = experiment.failure(Status.CRASHED, f"{DIED}, or was cancelled")
            return Report(failure, died=True)  # for example, its machine is lost
        except BaseException as error:
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
    work: Work = pickle.loads(payload)
    guarded = work.guarded()
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
