"""Workers, each with one experiment at a time, and the pool over them, which keeps the backlog.

The engine defines the worker (a thread, a process, a slot of an executor). The pool decides about
retries and dead workers.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Self

from racing.base.errors import RaceError, RacingError, TargetError, named
from racing.base.logs import logger
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.groups import GRACE, Cancelled
from racing.evaluate.shortage import Shortage, Supply, shortage
from racing.evaluate.task import Task

_LOGGER = logger(__name__)

STARTS = 3  # the most workers in a row that may die while starting


@dataclass(frozen=True, slots=True)
class Report:
    """How an attempt ended.

    Attributes
    ----------
    outcome
        Of this attempt; None if it was stopped from outside, or never started. It is then repeated
        unless it was dropped.
    alive
        Whether the worker can take another experiment.
    died
        Whether the worker died, which may be an accident.
    unborn
        How the worker died, if it died while starting, independent of the experiment.
    broken
        Why the engine cannot run any experiment.
    short
        What was missing to start the attempt.
    """

    outcome: Outcome | None = None
    alive: bool = True
    died: bool = False
    unborn: str = ""
    broken: RacingError | None = None
    short: Shortage | None = None


def reported(outcome: Callable[[], Outcome]) -> Report:
    """The report of an attempt in this process."""
    try:
        return Report(outcome())
    except Cancelled:
        return Report()
    except Shortage as short:
        return Report(short=short)


def unsendable(experiment: Experiment, error: BaseException | str, at: str = "worker") -> Report:
    """The report for an experiment or outcome that cannot be pickled."""
    why = error if isinstance(error, str) else named(error)
    what = f"crashed: could not be sent to or from its {at}: {why}"
    return Report(experiment.failure(Status.CRASHED, what))


class Worker(ABC):
    """Runs one experiment at a time, and reports the end of each to its pool.

    A subclass inherits what does nothing, for a worker that needs no end.
    """

    name = ""

    @abstractmethod
    def start(self, experiment: Experiment) -> None:
        """Start an attempt; the worker must be idle. The end is reported from any thread."""

    def kill(self) -> None:
        """Stop the running attempt, if possible; its end is reported too.

        A second call skips a command's grace period.
        """

    def end(self) -> None:
        """End the worker after its attempt; does not wait."""

    def join(self, seconds: float) -> None:
        """Wait for its end; at most this long if it cannot be killed."""

    def gone(self) -> bool:
        """Whether it has ended completely."""
        return True


Tell = Callable[[Worker, Report], None]
Spawn = Callable[[str, Tell], Worker]


class WorkerThread(Worker):
    """A worker with a thread, which waits for each attempt."""

    def __init__(self, name: str, tell: Tell) -> None:
        self.name, self._tell = name, tell
        self._todo: SimpleQueue[Experiment | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"racing-{name}", daemon=True)
        self._thread.start()

    @abstractmethod
    def attempt(self, experiment: Experiment) -> Report:
        """Attempt an experiment in the thread, and wait for its end."""

    def leave(self) -> None:
        """Called in the thread when it ends."""

    def start(self, experiment: Experiment) -> None:
        """Let the thread begin an attempt."""
        self._todo.put(experiment)

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
            self._tell(self, self.attempt(experiment))
        self.leave()


class WorkerPool:
    """Runs experiments on workers, which are started when needed.

    Parameters
    ----------
    size
        The number of experiments at a time.
    retries
        The number of failed attempts that are repeated.
    engine
        The prefix of the workers' names: `engine-1`, `engine-2`, …
    spawn
        Starts a worker, from its name and its report function.
    release
        Called when no worker is left.
    """

    def __init__(
        self, size: int, *, retries: int, engine: str, spawn: Spawn, release: Callable[[], None]
    ) -> None:
        self._size, self._retries = size, retries
        self._engine, self._spawn, self._release = engine, spawn, release
        self._tasks: dict[tuple[int, int], Task] = {}  # submitted, and neither returned nor dropped
        self._backlog: deque[Task] = deque()
        self._busy: dict[Worker, Task] = {}
        self._idle: list[Worker] = []
        self._retired: list[Worker] = []
        self._resting: dict[Callable[[], None], bool] = {}  # by what wakes them; if they may return
        self._spawned = self._unborn = 0
        self._closed = False
        self._broken: RacingError | None = None
        self._outlived = False  # whether what runs may still answer although it is broken
        self._supply = Supply()
        self._lock = threading.RLock()
        # Outcomes; true for a slot that is free; false wakes `wait`.
        self._done: SimpleQueue[tuple[Task, Outcome] | bool] = SimpleQueue()

    @property
    def size(self) -> int:
        """The number of experiments at a time, and those that wait for a busy service."""
        return self._size + len(self._resting)

    def resize(self, size: int) -> None:
        """Change the number of experiments at a time; running ones continue."""
        with self._lock:
            self._size = size
            while self._idle and len(self._busy) + len(self._idle) > size:
                self._retire(self._idle.pop())
            self._feed()

    @property
    def running(self) -> int:
        """The number of submitted experiments that were neither returned nor dropped."""
        return len(self._tasks)

    def submit(self, experiment: Experiment) -> None:
        """Queue an experiment."""
        with self._lock:
            if self._closed:
                raise RaceError("the pool was cancelled; nothing can be submitted to it any more")
            if experiment.key in self._tasks:
                raise RaceError(f"{experiment.key} was submitted before, and has not come back")
            task = self._tasks[experiment.key] = Task(experiment, self._retries)
            self._backlog.append(task)
            self._feed()

    def copy(self, experiment: Experiment) -> None:
        """Start a second attempt at a running experiment; the first answer counts."""
        with self._lock:
            task = self._tasks.get(experiment.key)
            runs = task in self._busy.values() and task not in self._backlog
            if task is not None and runs and not task.answered:
                self._backlog.append(task)
                self._feed()

    def rest(self, wake: Callable[[], None]) -> None:
        """Let others have the slot of a worker whose service asks it to wait."""
        with self._lock:
            self._resting[wake] = False
            self._done.put(True)
            self._feed()

    def rested(self, wake: Callable[[], None]) -> None:
        """Call `wake` as soon as there is a slot for the worker again."""
        with self._lock:
            if self._resting.pop(wake, None) is not None:
                self._resting[wake] = True  # after those that rested before
                self._feed()

    def rise(self, wake: Callable[[], None]) -> None:
        """Note that a worker rests no more: it has a slot, or its call was cancelled."""
        with self._lock:
            self._resting.pop(wake, None)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Wait for an outcome and return all.

        [] after the timeout, if nothing runs, or if a slot is free.

        Of an engine that is broken, the outcomes come before the error; also of what runs, if only
        new workers cannot start.
        """
        finished: list[Outcome] = []
        freed = False
        limit = None if timeout is None else time.monotonic() + timeout
        while self._tasks:
            left = None if limit is None else max(limit - time.monotonic(), 0.0)
            broken = None if self._outlived and self._busy else self._broken
            at_once = finished or freed or broken is not None
            try:
                ended = self._done.get(timeout=0.0 if at_once else self._next_look(left))
            except Empty:
                if broken is not None and not finished:
                    raise broken from None
                if at_once or (limit is not None and time.monotonic() >= limit):
                    break
                continue
            if isinstance(ended, bool):
                freed = freed or ended
            elif self._tasks.get(ended[0].experiment.key) is ended[0]:
                del self._tasks[ended[0].experiment.key]
                finished.append(ended[1])
        return finished

    def _next_look(self, left: float | None) -> float | None:
        """Seconds to wait at most; start what waits for the end of a pause."""
        pause = self._supply.pause
        with self._lock:
            self._feed()
        return left if not pause else min(pause, left if left is not None else pause)

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        """Drop these experiments, by default all, and stop them; they are never returned."""
        with self._lock:
            keys = list(self._tasks) if experiments is None else [one.key for one in experiments]
            gone = {self._tasks.pop(key) for key in keys if key in self._tasks}
            self._backlog = deque(task for task in self._backlog if task not in gone)
            for worker in [one for one, task in self._busy.items() if task in gone]:
                worker.kill()
            self._done.put(False)
            self._feed()

    def cancel(self) -> None:
        """Drop everything; nothing can be submitted afterwards.

        A second call skips the grace period of commands.
        """
        with self._lock:
            if self._closed:
                for worker in list(self._busy):
                    worker.kill()
            self._closed = True
            self.drop()
            for worker in (*self._idle, *self._busy):
                worker.end()

    def close(self) -> None:
        """Cancel, and wait for the end of all workers."""
        if not self._closed:
            self.cancel()
        with self._lock:
            workers = [*self._idle, *self._busy, *self._retired]
        limit = time.monotonic() + 2 * GRACE
        for worker in workers:
            worker.join(max(limit - time.monotonic(), 0.0))
        self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- workers: all under the lock ----------------------------------------------------------

    def _free(self, workers: int) -> bool:
        """Whether there is a slot beside so many workers."""
        return workers < self._supply.room(self._size) + len(self._resting)

    def _feed(self) -> None:
        """Give work to idle workers, and start workers up to the size."""
        for wake in [one for one, may_return in self._resting.items() if may_return]:
            if self._free(len(self._busy)):
                del self._resting[wake]
                wake()
        while self._backlog and self._free(len(self._busy)):
            if self._closed or self._broken or self._supply.pause:
                return
            worker = None
            try:
                worker = self._idle.pop() if self._idle else self._worker()
                task = self._busy[worker] = self._backlog.popleft()
                worker.start(task.experiment)
            except Exception as error:
                if (short := shortage(error)) is None:
                    raise
                if worker is not None:
                    self._backlog.appendleft(self._busy.pop(worker))
                    self._retire(worker)
                self._lack(short)

    def _worker(self) -> Worker:
        self._spawned += 1
        name = f"{self._engine}-{self._spawned}"
        _LOGGER.debug("%s starts", name)
        return self._spawn(name, self._ended)

    def _lack(self, short: Shortage) -> None:
        try:
            self._supply.lacks(short, len(self._busy))
        except TargetError as error:
            self._broken = error
        self._done.put(False)  # lets `wait` note the pause

    def _ended(self, worker: Worker, report: Report) -> None:
        """Called by workers, from any thread."""
        with self._lock:
            task = self._busy.pop(worker)
            if (short := report.short) is not None and short.failure and not self._busy:
                # nothing else ran in the process, so nothing else took what it lacked
                failure = task.experiment.failure(Status.CRASHED, short.failure)
                report = replace(report, outcome=failure)
            elif short is not None:
                self._lack(short)
            if report.outcome is not None:
                self._supply.serves()
            wanted = self._free(len(self._busy) + len(self._idle)) and not self._closed
            if report.alive and wanted:
                self._idle.append(worker)
            else:
                self._retire(worker)
            if self._tasks.get(task.experiment.key) is task and not task.answered:
                self._hear(task, report)
            if self._broken is not None:
                self._done.put(False)  # lets `wait` see whether something still runs
            self._feed()

    def _retire(self, worker: Worker) -> None:
        worker.end()
        self._retired = [one for one in self._retired if not one.gone()]
        self._retired.append(worker)

    def _hear(self, task: Task, report: Report) -> None:
        """Handle the report of an attempt that was not dropped."""
        key = task.experiment.key
        if report.unborn:
            _LOGGER.warning("a worker for candidate %d on instance %d: %s", *key, report.unborn)
        elif report.died:
            _LOGGER.warning("the worker of candidate %d on instance %d died", *key)
        self._unborn = self._unborn + 1 if report.unborn else 0
        if self._unborn >= STARTS:
            why = f"{STARTS} worker processes in a row died while they started, lastly"
            self._outlived = True
            self._break(TargetError(f"{why} {report.unborn}; does importing the target end it?"))
            return
        if report.broken is not None:
            self._break(report.broken)
            return
        copies = [worker for worker, other in self._busy.items() if other is task]
        if copies and (report.outcome is None or report.outcome.failed):
            return  # the other one may still answer
        outcome = report.outcome and task.hear(report.outcome, died=report.died)
        if outcome is None:
            if task not in self._backlog:  # as a copy
                self._backlog.appendleft(task)
            return
        task.answered = True
        self._done.put((task, outcome))
        if task in self._backlog:
            self._backlog.remove(task)  # as a copy
        for worker in copies:
            worker.kill()

    def _break(self, error: RacingError) -> None:
        self._broken = error
        self._done.put(False)
