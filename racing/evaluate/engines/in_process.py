"""Runs one experiment at a time in the caller's thread.

A Python function that ends the process ends the run, and one that catches every exception cannot be
stopped: functions use this engine only by request.
"""

from __future__ import annotations

from racing.base.errors import InputError
from racing.core.experiment import Experiment
from racing.evaluate.work import Work, attempt
from racing.evaluate.workers import Report, Tell, Worker, WorkerPool, reported


def open_(work: Work, size: int) -> InProcessPool:
    """A pool in the current thread.

    Raises
    ------
    InputError
        If `size` is not 1.
    """
    if size > 1:
        raise InputError(f"engine in-process runs one job at a time, but jobs is {size}")
    return InProcessPool(work.guarded())


class InProcessPool(WorkerPool):
    """Runs an experiment in `wait`, if there is time, and returns after it has ended."""

    def __init__(self, work: Work) -> None:
        self._work, self._here = work, Here(work)
        spawn = self._here.told
        super().__init__(1, retries=work.retries, engine="", spawn=spawn, release=work.close)

    def resize(self, size: int) -> None:
        """Refuse any size but 1."""
        if size != 1:
            raise InputError(
                f"engine in-process runs one job at a time, but the new size is {size}"
            )

    def cancel(self) -> None:
        """Stop and drop everything; nothing can be submitted afterwards."""
        super().cancel()
        self._work.cancel()

    def _next_look(self, left: float | None) -> float | None:
        look = super()._next_look(left)
        if left == 0 or self._here not in self._busy:
            return look
        self._here.run()
        return 0.0


class Here(Worker):
    """The caller's thread."""

    name = "in-process"

    def __init__(self, work: Work) -> None:
        self._once, self._runs = work.once, False

    def told(self, name: str, tell: Tell) -> Here:
        """This worker, which tells a pool of the end of its attempts."""
        self._tell = tell
        return self

    def start(self, experiment: Experiment) -> None:
        """Have an experiment for `run`."""
        self._experiment = experiment

    def run(self) -> None:
        """Attempt it."""
        self._runs = True
        try:
            report = reported(lambda: attempt(self._once, self._experiment, self.name))
        finally:
            self._runs = False
        self._tell(self, report)

    def kill(self) -> None:
        """Give up an experiment that has not begun; a running one continues."""
        if not self._runs:
            self._tell(self, Report())
