"""Runs one experiment at a time in the caller's thread.

A Python function that ends the process ends the run, and one that catches every exception cannot be
stopped: functions use this engine only by request.
"""

from __future__ import annotations

import time

from racing.base.errors import InputError
from racing.core.experiment import Experiment, Outcome
from racing.evaluate.work import Work, attempt
from racing.evaluate.worker import Tell, Worker, reported
from racing.evaluate.workers import WorkerPool

NAME = "in-process"


def open_(work: Work, size: int) -> InProcessPool:
    """A pool in the current thread.

    Raises
    ------
    InputError
        If `size` is not 1.
    """
    if size > 1:
        raise InputError(f"engine {NAME} runs one job at a time, but jobs is {size}")
    return InProcessPool(work.guarded())


class InProcessPool(WorkerPool):
    """Runs an experiment in `wait`; the reference for all other pools.

    `wait` returns only after its experiment has ended, whatever the timeout.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        super().__init__(
            1, retries=work.retries, engine=NAME, spawn=self._place, release=work.close
        )

    def _place(self, _: str, tell: Tell) -> _Caller:
        return _Caller(self._work, tell)

    def resize(self, size: int) -> None:
        """Refuse any size but 1."""
        if size != 1:
            raise InputError(f"engine {NAME} runs one job at a time, but the new size is {size}")

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Run the next experiment; [] if there is none, it was dropped, or it cannot start yet."""
        while True:
            for place in tuple(self._busy):
                assert isinstance(place, _Caller)
                place.run()
            if found := super().wait(0.0):
                return found
            if not self._busy:
                time.sleep(self._supply.pause)
                return []

    def cancel(self) -> None:
        """Stop and drop everything; nothing can be submitted afterwards."""
        super().cancel()
        self._work.cancel()


class _Caller(Worker):
    """The place for an experiment, which the caller's thread attempts; it cannot be killed."""

    name = NAME

    def __init__(self, work: Work, tell: Tell) -> None:
        self._work, self._tell = work, tell
        self._experiment: Experiment | None = None

    def start(self, experiment: Experiment) -> None:
        """Keep an experiment for `run`."""
        self._experiment = experiment

    def run(self) -> None:
        """Attempt it."""
        experiment = self._experiment
        assert experiment is not None
        self._tell(self, reported(lambda: attempt(self._work.once, experiment, NAME)))
