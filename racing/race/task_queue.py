"""Hands out experiments, each once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable

from racing.experiment import Experiment

Key = tuple[int, int]


class TaskQueue:
    """The queue between the rows that may be run and those who run them."""

    def __init__(self) -> None:
        self._queue: deque[Experiment] = deque()
        self._rows = 0
        self._out: set[Key] = set()

    @property
    def rows(self) -> int:
        """How many rows have been lined up since the last `restart`."""
        return self._rows

    @property
    def under_way(self) -> bool:
        """Whether anything is out and has not come back."""
        return bool(self._out)

    def restart(self) -> None:
        """Forget what is lined up; what is out stays out."""
        self._queue.clear()
        self._rows = 0

    def came_back(self, key: Key) -> None:
        """Note that this experiment has an outcome."""
        self._out.discard(key)

    def take(
        self,
        limit: int | None,
        more: Callable[[], Iterable[Experiment] | None],
        known: Container[Key],
    ) -> list[Experiment]:
        """Up to `limit` experiments, neither out nor among the `known`.

        `more()` is asked for another row when none are lined up, and returns None when no row may
        be begun.
        """
        taken: list[Experiment] = []
        while limit is None or len(taken) < limit:
            if not self._queue:
                row = more()
                if row is None:
                    break
                self._rows += 1
                self._queue.extend(row)
                continue
            experiment = self._queue.popleft()
            if experiment.key not in self._out and experiment.key not in known:
                self._out.add(experiment.key)
                taken.append(experiment)
        return taken
