"""Experiments in worker processes, by joblib's loky: for Python functions.

Each worker is an executor of its own with a single process. So the death of a process concerns one
experiment, known with certainty: no other is lost, repeated or blamed.
"""

from __future__ import annotations

import re
import threading
import time
from concurrent.futures import Future

from racing.evaluate.engines.loky_process import WorkerProcess
from racing.evaluate.packing import experiment_bytes, packed
from racing.evaluate.running import GRACE, Running
from racing.evaluate.task import DIED
from racing.evaluate.work import Work, named
from racing.evaluate.worker import Report, Tell
from racing.evaluate.workers import WorkerPool
from racing.experiment import Experiment, Outcome, Status

NAME = "loky"


def open_(work: Work, size: int) -> WorkerPool:
    """A pool of worker processes, which are killed with all that they have started.

    Raises
    ------
    InputError
        If the work cannot be sent to them.
    """
    payload, running = packed(work), Running(guarded=True)

    def spawn(name: str, tell: Tell) -> LokyWorker:
        return LokyWorker(name, payload, work.timeout, running, tell)

    return WorkerPool(size, retries=work.retries, engine=NAME, spawn=spawn, release=running.close)


class LokyWorker:
    """One worker process."""

    def __init__(
        self, name: str, payload: bytes, timeout: float | None, running: Running, tell: Tell
    ) -> None:
        self.name = name
        self._timeout, self._tell = timeout, tell
        self._process = WorkerProcess(payload, name, running)
        self._begun = self._started = 0.0
        self._killed = False

    def start(self, experiment: Experiment) -> None:
        """Hand an experiment to the process."""
        from joblib.externals.loky import BrokenProcessPool

        self._begun, self._started = time.monotonic(), time.time()
        if self._killed:  # just when its last attempt had ended: this one is not to blame
            self._tell(self, Report(alive=False))
            return
        try:
            task = experiment_bytes(experiment)
        except Exception as error:
            # from a thread, so that the pool does not begin the next one within this call
            report = self._not_sent(experiment, error)
            threading.Thread(target=self._tell, args=(self, report), daemon=True).start()
            return
        try:
            future = self._process.start(task)
        except BrokenProcessPool:  # it died while it had nothing to do
            self._tell(self, Report(alive=False))
            return
        future.add_done_callback(lambda done: self._ended(experiment, done))

    def kill(self) -> None:
        """Kill the process and what it has started."""
        self._killed = True
        self._process.kill()

    def end(self) -> None:
        """End the process, by force if it is at work."""
        self._process.end()

    def join(self, seconds: float) -> None:
        """Wait until nothing is left of it."""
        self._process.join()

    def gone(self) -> bool:
        """Whether nothing is left of the process."""
        return self._process.gone()

    def _ended(self, experiment: Experiment, future: Future[Outcome]) -> None:
        """Called in a thread of loky's when an attempt has ended, or the process has."""
        from joblib.externals.loky import BrokenProcessPool

        error = future.exception()
        if error is None:
            self._tell(self, Report(future.result()))
        elif isinstance(error, BrokenProcessPool):
            self._process.reap()
            self._tell(self, self._death(experiment, error))
        else:
            self._tell(self, self._not_sent(experiment, error))

    def _not_sent(self, experiment: Experiment, error: BaseException) -> Report:
        """The experiment or its outcome cannot travel between processes."""
        what = f"crashed: could not be sent to or from its worker process: {named(error)}"
        return Report(self._failure(experiment, Status.CRASHED, what))

    def _death(self, experiment: Experiment, error: BaseException) -> Report:
        """What the death of the process says of the attempt in it."""
        ready = self._process.ready_at
        if ready is None:
            return Report(alive=False, unborn=_how(error))
        seconds = time.monotonic() - max(self._begun, ready)
        if self._timeout is not None and seconds >= self._timeout + GRACE:
            why = f"timed out after {self._timeout:g} s, and had to be killed"
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
    """What loky tells of a worker's end: `by SIGKILL(-9)`, say."""
    codes = re.search(r"exit codes of the workers are \{(.*?)\}", str(error))
    return f"by {codes[1]}" if codes else f"of {named(error)}"
