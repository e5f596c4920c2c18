"""Hands out experiments, each once unless it is lost."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from racing.core.ask_tell import not_out
from racing.core.experiment import Experiment

Key = tuple[int, int]


class TaskQueue:
    """The queue of experiments between a race and its workers."""

    def __init__(self) -> None:
        self._queue: deque[Experiment] = deque()
        self._rows = 0
        self._later: Iterator[Experiment] | None = None
        self._out: dict[Key, Experiment] = {}

    @property
    def rows(self) -> int:
        """The number of rows queued since the last `restart`."""
        return self._rows

    @property
    def out(self) -> tuple[Experiment, ...]:
        """The experiments taken and not back, the oldest first."""
        return tuple(self._out.values())

    def restart(self) -> None:
        """Empty the queue; experiments that are out stay out."""
        self._queue.clear()
        self._rows = 0
        self._later = None

    def came_back(self, key: Key) -> None:
        """Note that this experiment has an outcome."""
        self._out.pop(key, None)

    def lost(self, experiment: Experiment) -> None:
        """Note that an experiment will not come back, so that it can be taken again.

        Raises
        ------
        RaceError
            If it is not out.
        """
        if self._out.pop(experiment.key, None) is None:
            raise not_out(experiment, len(self._out))
        self.restart()

    def take(
        self,
        limit: int | None,
        more: Callable[[], Iterable[Experiment] | None],
        known: Callable[[Key], bool],
    ) -> list[Experiment]:
        """Up to `limit` experiments, neither out nor known.

        `more()` returns another row when the queue is empty, or None if no row may start.
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
            if self._goes_out(experiment, known):
                taken.append(experiment)
        return taken

    def take_later(
        self, limit: int, begin: Callable[[], Iterator[Experiment]], known: Callable[[Key], bool]
    ) -> list[Experiment]:
        """Up to `limit` experiments that may be needed later, neither out nor known.

        `begin()` returns them, in order, after every `restart`.
        """
        taken: list[Experiment] = []
        if limit > 0 and self._later is None:
            self._later = begin()
        while len(taken) < limit and self._later is not None:
            experiment = next(self._later, None)
            if experiment is None:
                break
            if self._goes_out(experiment, known):
                taken.append(experiment)
        return taken

    def _goes_out(self, experiment: Experiment, known: Callable[[Key], bool]) -> bool:
        """Note that an experiment is taken; False if it was before."""
        if experiment.key in self._out or known(experiment.key):
            return False
        self._out[experiment.key] = experiment
        return True
