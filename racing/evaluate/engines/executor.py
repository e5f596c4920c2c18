"""Runs experiments on any `concurrent.futures.Executor`: of the standard library, or of a cluster.

The adapter never shuts the executor down; its creator does.
"""

from __future__ import annotations

import pickle
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache

from racing.base.errors import RaceError, named
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.groups import Cancelled
from racing.evaluate.packing import packed
from racing.evaluate.shortage import Shortage
from racing.evaluate.task import DIED
from racing.evaluate.work import Work, attempt
from racing.evaluate.worker import Report, Tell
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

    def spawn(name: str, tell: Tell) -> ExecutorWorker:
        return ExecutorWorker(name, executor, guarded, payload, tell)

    return WorkerPool(
        size, retries=work.retries, engine="executor", spawn=spawn, release=guarded.close
    )


class ExecutorWorker:
    """One place in the executor."""

    def __init__(
        self, name: str, executor: Executor, work: Work, payload: bytes | None, tell: Tell
    ) -> None:
        self.name = name
        self._executor, self._all, self._payload, self._tell = executor, work, payload, tell
        self._work = work.branch()
        self._killed = False
        self._future: Future[Outcome] | None = None

    def start(self, experiment: Experiment) -> None:
        """Submit an experiment to the executor."""
        if self._killed:
            self._work, self._killed = self._all.branch(), False
        try:
            if self._payload is None:
                future = self._executor.submit(attempt, self._work, experiment, self.name)
            else:
                future = self._executor.submit(_elsewhere, self._payload, experiment, self.name)
        except RuntimeError as error:  # broken, or shut down
            self._tell(self, Report(alive=False, broken=_broken(error)))
            return
        self._future = future
        future.add_done_callback(lambda done: self._tell(self, _report(experiment, done)))

    def kill(self) -> None:
        """Cancel it if it has not started; end its command if that runs in this process."""
        self._killed = True
        if self._future is not None and not self._future.cancel():
            self._work.cancel()

    def end(self) -> None:
        """Do nothing: the executor is not ours."""

    def join(self, seconds: float) -> None:
        """Wait for commands that still run in this process."""
        if self._future is not None and self._payload is None:
            with suppress(Exception, CancelledError, Cancelled):
                self._future.exception(seconds)

    def gone(self) -> bool:
        """Whether its last experiment has ended."""
        return self._future is None or self._future.done()


@lru_cache(maxsize=4)
def _unpacked(payload: bytes) -> Work:
    work: Work = pickle.loads(payload)
    guarded = work.guarded()
    guarded.prepare()
    return guarded


def _elsewhere(payload: bytes, experiment: Experiment, worker: str) -> Outcome:
    """Called in the executor's processes."""
    return attempt(_unpacked(payload), experiment, worker)


def _report(experiment: Experiment, done: Future[Outcome]) -> Report:
    """The report of an attempt, from its future."""
    if done.cancelled():
        return Report()
    match error := done.exception():
        case None:
            return Report(done.result())
        case Cancelled():
            return Report()
        case Shortage():
            return Report(short=error)
        case BrokenExecutor():
            return Report(alive=False, broken=_broken(error))
        case CancelledError():  # for example, its machine is lost
            failure = experiment.failure(Status.CRASHED, f"{DIED}, or was cancelled")
            return Report(failure, died=True)
        case _:
            what = f"crashed: could not be sent to or from its worker: {named(error)}"
            return Report(experiment.failure(Status.CRASHED, what))


def _broken(error: BaseException) -> RaceError:
    return RaceError(
        f"the executor cannot be used any more ({named(error)}); the outcomes so far are kept: "
        "resume with another executor, or use backend loky, which outlives targets that end "
        "their process"
    )
