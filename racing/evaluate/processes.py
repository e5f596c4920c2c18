"""Experiments in worker processes, by joblib's loky: for Python functions.

Each worker is an executor of its own with a single process. So the death of a process concerns one
experiment, known with certainty: no other is lost, repeated or blamed.
"""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from types import TracebackType

from racing.errors import InputError, RaceError
from racing.evaluate.guard import Evaluate, named
from racing.evaluate.running import GRACE
from racing.evaluate.worker_process import WorkerProcess
from racing.experiment import Experiment, Outcome, Status

TRIES = 2  # of an experiment whose process died: the first death may be an accident


@dataclass
class _Task:
    experiment: Experiment
    tries: int = 0
    begun: float = field(default_factory=time.monotonic)


class ProcessPool:
    """Runs experiments in worker processes, which are started when they are first needed."""

    def __init__(self, evaluate: Evaluate, size: int) -> None:
        self.size = size
        self._payload = _packed(evaluate)
        self._timeout: float | None = getattr(evaluate, "timeout", None)
        self._running = 0
        self._cancelled = False
        self._lock = threading.RLock()
        self._backlog: deque[_Task] = deque()
        self._idle: list[WorkerProcess] = []
        self._workers: list[WorkerProcess] = []
        self._retired: list[WorkerProcess] = []
        self._done: SimpleQueue[Outcome | None] = SimpleQueue()

    @property
    def running(self) -> int:
        """How many experiments were submitted and have not been returned."""
        return self._running

    def submit(self, experiment: Experiment) -> None:
        """Put an experiment in line."""
        with self._lock:
            if self._cancelled:
                raise RaceError("the pool was cancelled; nothing can be submitted to it any more")
            self._running += 1
            self._backlog.append(_Task(experiment))
            self._feed()

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """All that has ended, once something has; [] after the timeout, or if nothing runs."""
        finished: list[Outcome] = []
        try:
            while self._running > len(finished):
                limit = 0.0 if finished else timeout
                if (outcome := self._done.get(timeout=limit)) is None:
                    break
                finished.append(outcome)
        except Empty:
            pass
        with self._lock:
            if self._cancelled:
                return []
            self._running -= len(finished)
        return finished

    def cancel(self) -> None:
        """Kill the workers and drop what they did; nothing can be submitted afterwards.

        Not to be called from a signal handler: loky holds locks.
        """
        with self._lock:
            self._cancelled = True
            self._running = 0
            self._backlog.clear()
            for one in self._workers:
                one.end()
            self._done.put(None)  # wakes `wait`, should it be waiting

    def close(self) -> None:
        """Release everything; no worker is left."""
        if not self._cancelled:
            self.cancel()
        for one in self._workers + self._retired:
            one.join()

    def __enter__(self) -> ProcessPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _feed(self) -> None:
        """Give work to idle workers, and start workers up to the size."""
        while self._backlog and (self._idle or len(self._workers) < self.size):
            self._start(self._idle.pop() if self._idle else self._spawn(), self._backlog.popleft())

    def _spawn(self) -> WorkerProcess:
        spawned = WorkerProcess(self._payload)
        self._workers.append(spawned)
        return spawned

    def _retire(self, one: WorkerProcess) -> None:
        self._workers.remove(one)
        self._retired.append(one)

    def _start(self, one: WorkerProcess, task: _Task) -> None:
        from joblib.externals.loky import BrokenProcessPool

        task.tries += 1
        task.begun = time.monotonic()
        try:
            future = one.start(task.experiment)
        except BrokenProcessPool:  # it died while it had nothing to do
            self._retire(one)
            one = self._spawn()
            future = one.start(task.experiment)
        future.add_done_callback(lambda done: self._ended(one, task, done))

    def _ended(self, one: WorkerProcess, task: _Task, future: Future[Outcome]) -> None:
        """Called in a thread of loky's when an experiment has ended, or its worker has."""
        from joblib.externals.loky import BrokenProcessPool

        error = future.exception()
        died = isinstance(error, BrokenProcessPool)
        if died:
            one.reap()
        with self._lock:
            if self._cancelled:
                return
            if error is not None and died:
                self._retire(one)
                self._died(task, error)
            else:
                self._idle.append(one)
                self._done.put(_outcome(task, future, error))
            self._feed()

    def _died(self, task: _Task, error: BaseException) -> None:
        """Try it once more in a new process; then it is a failure."""
        seconds = time.monotonic() - task.begun
        if self._timeout is not None and seconds >= self._timeout + GRACE:
            message = f"timed out after {self._timeout:g} s, and had to be killed"
            self._done.put(task.experiment.failure(Status.TIMEOUT, message, seconds=seconds))
        elif task.tries < TRIES:
            self._backlog.appendleft(task)
        else:
            message = f"crashed: its worker process died twice, {_how(error)}"
            failure = task.experiment.failure(Status.CRASHED, message, seconds=seconds)
            self._done.put(replace(failure, attempts=task.tries))


def _packed(evaluate: Evaluate) -> bytes:
    """The evaluator as it is sent to workers.

    Raises
    ------
    InputError
        If it cannot be sent.
    """
    from joblib.externals.loky.backend.reduction import dumps

    try:
        return bytes(dumps(evaluate))
    except Exception as error:
        raise InputError(
            f"the target cannot be sent to worker processes ({named(error)}); name it as "
            "file.py:function, keep what cannot be pickled out of it, or use backend sequential"
        ) from error


def _outcome(task: _Task, future: Future[Outcome], error: BaseException | None) -> Outcome:
    if error is not None:
        cause = error.__cause__ or error
        what = f"crashed: could not be sent to or from its worker process: {named(cause)}"
        return task.experiment.failure(Status.CRASHED, what)
    outcome = future.result()
    return replace(outcome, attempts=outcome.attempts + task.tries - 1)


def _how(error: BaseException) -> str:
    """What loky tells of a worker's end: `SIGKILL(-9)`, say."""
    codes = re.search(r"exit codes of the workers are \{(.*?)\}", str(error))
    return f"lastly by {codes[1]}" if codes else f"lastly of {named(error)}"
