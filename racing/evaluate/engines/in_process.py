"""Runs one experiment at a time in the caller's thread.

A Python function that ends the process ends the run, and one that catches every exception cannot be
stopped: functions use this engine only by request.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from typing import Self

from racing.base.errors import InputError, RaceError
from racing.core.experiment import Experiment, Outcome
from racing.evaluate.groups import Cancelled
from racing.evaluate.shortage import Shortage, Supply
from racing.evaluate.task import Task
from racing.evaluate.work import Work, attempt


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


class InProcessPool:
    """Runs an experiment in `wait`; the reference for all other pools.

    `wait` begins an experiment if there is time, and returns only after that has ended.
    """

    size = 1

    def __init__(self, work: Work) -> None:
        self._work = work
        self._backlog: deque[Task] = deque()
        self._closed = False
        self._supply = Supply()

    def resize(self, size: int) -> None:
        """Refuse any size but 1."""
        if size != 1:
            raise InputError(
                f"engine in-process runs one job at a time, but the new size is {size}"
            )

    @property
    def running(self) -> int:
        """The number of submitted experiments that were neither returned nor dropped."""
        return len(self._backlog)

    def submit(self, experiment: Experiment) -> None:
        """Queue an experiment."""
        if self._closed:
            raise RaceError("the pool was cancelled; nothing can be submitted to it any more")
        self._backlog.append(Task(experiment, self._work.retries))

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Run the next experiment; [] if there is none, it was dropped, or it cannot start yet."""
        if not self._backlog or timeout == 0:
            return []
        task, once = self._backlog[0], self._work.once
        try:
            while (outcome := task.hear(attempt(once, task.experiment, "in-process"))) is None:
                pass
        except Cancelled:
            return []
        except Shortage as short:
            self._supply.lacks(short, 0)
            time.sleep(self._supply.pause)
            return []
        self._supply.serves()
        if not self._backlog or self._backlog[0] is not task:
            return []
        self._backlog.popleft()
        return [outcome]

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        """Drop these experiments, by default all; a running one continues and is ignored."""
        if experiments is None:
            self._backlog.clear()
        else:
            keys = {one.key for one in experiments}
            self._backlog = deque(t for t in self._backlog if t.experiment.key not in keys)

    def cancel(self) -> None:
        """Stop and drop everything; nothing can be submitted afterwards."""
        self._closed = True
        self.drop()
        self._work.cancel()

    def close(self) -> None:
        """Release everything."""
        if not self._closed:
            self.cancel()
        self._work.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
