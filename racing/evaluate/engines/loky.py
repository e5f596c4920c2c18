"""Runs experiments in worker processes of joblib's loky: for Python functions.

Each worker is a separate executor with a single process. So the death of a process affects exactly
one known experiment.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future

from racing.base.errors import named
from racing.base.logs import logger
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.attempt import message
from racing.evaluate.engines.leftovers import Leftovers
from racing.evaluate.engines.loky_process import Answer, WorkerProcess
from racing.evaluate.engines.overdue import Limit
from racing.evaluate.groups import GRACE, Groups
from racing.evaluate.packing import experiment_bytes, packed
from racing.evaluate.shortage import shortage, spare
from racing.evaluate.task import DIED
from racing.evaluate.work import Work
from racing.evaluate.worker import Report, Tell
from racing.evaluate.workers import WorkerPool

_LOGGER = logger(__name__)

NAME = "loky"
LATE = 2 * GRACE  # seconds after its time limit for a process to end by itself


def open_(work: Work, size: int) -> WorkerPool:
    """A pool of worker processes, which are killed with all processes that they started.

    Raises
    ------
    InputError
        If the work cannot be sent to them.
    """
    payload, running, leftovers = packed(work), Groups(guarded=True), Leftovers()

    def spawn(name: str, tell: Tell) -> LokyWorker:
        return LokyWorker(name, payload, work.timeout, running, tell, leftovers)

    return WorkerPool(size, retries=work.retries, engine=NAME, spawn=spawn, release=running.close)


class LokyWorker:
    """One worker process."""

    def __init__(
        self,
        name: str,
        payload: bytes,
        timeout: float | None,
        running: Groups,
        tell: Tell,
        leftovers: Leftovers,
    ) -> None:
        spare()
        self.name = name
        self._leftovers, self._fresh = leftovers, True
        self._timeout, self._tell = timeout, tell
        self._process = WorkerProcess(payload, name, running)
        self._begun = self._started = 0.0
        self._killed = self._late = False
        self._overdue = None if timeout is None else Limit(timeout + LATE, self._give_up)

    def start(self, experiment: Experiment) -> None:
        """Send an experiment to the process."""
        from joblib.externals.loky import BrokenProcessPool

        self._begun, self._started = time.monotonic(), time.time()
        if self._killed:  # after the end of its last attempt: this one is not the cause
            self._tell(self, Report(alive=False))
            return
        try:
            task = experiment_bytes(experiment)
        except Exception as error:
            # from a thread, so that the pool does not start the next one within this call
            report = self._not_sent(experiment, error)
            threading.Thread(target=self._tell, args=(self, report), daemon=True).start()
            return
        try:
            future = self._process.start(task)
        except BrokenProcessPool:  # it died while it was idle
            self._tell(self, Report(alive=False))
            return
        if self._overdue is not None:
            self._overdue.begin()
        future.add_done_callback(lambda done: self._ended(experiment, done))

    def kill(self) -> None:
        """Kill the process and all processes that it started."""
        self._killed = True
        self._process.kill()

    def end(self) -> None:
        """End the process, by force if it is busy."""
        self._process.end()

    def join(self, seconds: float) -> None:
        """Wait for its end."""
        self._process.join()

    def gone(self) -> bool:
        """Whether the process has ended."""
        return self._process.gone()

    def _give_up(self) -> bool:
        """Kill a process past its time limit; False if the import of the target took part of it."""
        ready, most = self._process.ready_at, (self._timeout or 0.0) + LATE
        if ready is None or time.monotonic() - max(self._begun, ready) < most:
            return False
        self._late = True
        self.kill()
        return True

    def _ended(self, experiment: Experiment, future: Future[Answer]) -> None:
        """Called in a thread of loky when an attempt or the process has ended."""
        from joblib.externals.loky import BrokenProcessPool

        stopped = False
        if self._overdue is not None:
            stopped = self._overdue.stopped
            self._overdue.end()
        error = future.exception()
        if error is None:
            outcome, left = future.result()
            spoilt = self._leftovers.spoil(left, first=self._fresh)
            self._fresh = False
            if spoilt:
                self._replace(experiment, left)
            self._tell(self, Report(outcome, alive=not spoilt))
        elif isinstance(error, BrokenProcessPool):
            self._process.reap()
            self._tell(self, self._death(experiment, error, stopped=stopped))
        elif (short := shortage(error)) is not None:
            self._tell(self, Report(alive=False, short=short))
        else:
            self._tell(self, self._not_sent(experiment, error))

    def _replace(self, experiment: Experiment, left: Sequence[str]) -> None:
        """End a process that an evaluation has changed for the next one."""
        _LOGGER.warning(
            "candidate %d on instance %d has left %s behind in %s, which is replaced; start what "
            "all evaluations share in `setup`",
            *experiment.key, " and ".join(left), self.name,
        )  # fmt: skip
        self._process.kill()
        self._process.reap()

    def _not_sent(self, experiment: Experiment, error: BaseException) -> Report:
        """The report for an experiment or outcome that cannot be pickled."""
        what = f"crashed: could not be sent to or from its worker process: {named(error)}"
        return Report(self._failure(experiment, Status.CRASHED, what))

    def _death(self, experiment: Experiment, error: BaseException, *, stopped: bool) -> Report:
        """The report of an attempt whose process died; if all were stopped, without a failure."""
        ready = self._process.ready_at
        if ready is None:
            return Report(alive=False, unborn=_how(error))
        seconds = time.monotonic() - max(self._begun, ready)
        hung_in = self._process.hung_in()
        if stopped and hung_in:
            return Report(alive=False)
        if self._timeout is not None and (hung_in or self._late):
            headline = f"timed out after {self._timeout:g} s, and had to be killed"
            why = message(headline, "its process was stopped" if self._late else "", hung_in)
            outcome = self._failure(experiment, Status.TIMEOUT, why, seconds)
            return Report(outcome, alive=False)
        why = f"{DIED} {_how(error)}"
        outcome = self._failure(experiment, Status.CRASHED, why, seconds)
        return Report(outcome, alive=False, died=True)

    def _failure(
        self, experiment: Experiment, status: Status, why: str, seconds: float = 0.0
    ) -> Outcome:
        return Outcome(
            *experiment.key, float("inf"), seconds, status, why,
            worker=self.name, started=self._started,
        )  # fmt: skip


def _how(error: BaseException) -> str:
    """The end of a worker in loky's words, such as `by SIGKILL(-9)`."""
    codes = re.search(r"exit codes of the workers are \{(.*?)\}", str(error))
    return f"by {codes[1]}" if codes else f"of {named(error)}"
