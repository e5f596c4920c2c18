"""Experiments in threads: for commands, which are processes already."""

from __future__ import annotations

import threading
import time
from queue import Empty, SimpleQueue
from types import TracebackType

from racing.errors import RaceError
from racing.evaluate.guard import Evaluate, cancel, close, guarded
from racing.evaluate.running import GRACE, Cancelled
from racing.experiment import Experiment, Outcome


class ThreadPool:
    """Runs experiments in threads of this process.

    A Python function that is cancelled cannot be stopped: it runs on, and its result is dropped.
    """

    def __init__(self, evaluate: Evaluate, size: int) -> None:
        self.size = size
        self._evaluate = evaluate
        self._running = 0
        self._cancelled = False
        self._threads: list[threading.Thread] = []
        self._todo: SimpleQueue[Experiment | None] = SimpleQueue()
        self._done: SimpleQueue[Outcome | None] = SimpleQueue()

    @property
    def running(self) -> int:
        """How many experiments were submitted and have not been returned."""
        return self._running

    def submit(self, experiment: Experiment) -> None:
        """Put an experiment in line."""
        if self._cancelled:
            raise RaceError("the pool was cancelled; nothing can be submitted to it any more")
        self._running += 1
        self._todo.put(experiment)
        if len(self._threads) < min(self.size, self._running):
            thread = threading.Thread(target=self._work, name="racing-worker", daemon=True)
            self._threads.append(thread)
            thread.start()

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
        if self._cancelled:
            return []
        self._running -= len(finished)
        return finished

    def cancel(self) -> None:
        """End what runs and drop it; nothing can be submitted afterwards.

        A second call does not grant commands a grace period.
        """
        self._cancelled = True
        self._running = 0
        cancel(self._evaluate)
        self._done.put(None)  # wakes `wait`, should it be waiting

    def close(self) -> None:
        """Release everything; waits for commands to be gone."""
        if not self._cancelled:
            self.cancel()
        for _ in self._threads:
            self._todo.put(None)
        patience = time.monotonic() + 2 * GRACE
        for thread in self._threads:
            thread.join(max(patience - time.monotonic(), 0))
        close(self._evaluate)

    def __enter__(self) -> ThreadPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _work(self) -> None:
        while (experiment := self._todo.get()) is not None:
            if self._cancelled:
                continue
            try:
                self._done.put(guarded(self._evaluate, experiment))
            except Cancelled:
                continue
