"""One experiment at a time, in the caller's own thread."""

from __future__ import annotations

from collections import deque
from types import TracebackType

from racing.errors import RaceError
from racing.evaluate.guard import Evaluate, cancel, close, guarded
from racing.evaluate.running import Cancelled
from racing.experiment import Experiment, Outcome


class SequentialPool:
    """Runs an experiment when it is waited for; the reference that every other pool agrees with.

    `wait` does not return before its experiment has ended, whatever timeout it was given.
    """

    size = 1

    def __init__(self, evaluate: Evaluate) -> None:
        self._evaluate = evaluate
        self._backlog: deque[Experiment] = deque()
        self._cancelled = False

    @property
    def running(self) -> int:
        """How many experiments were submitted and have not been returned."""
        return len(self._backlog)

    def submit(self, experiment: Experiment) -> None:
        """Put an experiment in line."""
        if self._cancelled:
            raise RaceError("the pool was cancelled; nothing can be submitted to it any more")
        self._backlog.append(experiment)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Run the next experiment; [] if there is none, or if it was cancelled meanwhile."""
        if not self._backlog:
            return []
        try:
            outcome = guarded(self._evaluate, self._backlog[0])
        except Cancelled:
            return []
        if self._cancelled:
            return []
        self._backlog.popleft()
        return [outcome]

    def cancel(self) -> None:
        """End what runs and drop it; nothing can be submitted afterwards."""
        self._cancelled = True
        self._backlog.clear()
        cancel(self._evaluate)

    def close(self) -> None:
        """Release everything."""
        if not self._cancelled:
            self.cancel()
        close(self._evaluate)

    def __enter__(self) -> SequentialPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
