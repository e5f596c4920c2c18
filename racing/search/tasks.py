"""The queue of experiments, and batches of them that are complete together."""

from __future__ import annotations

import heapq

from racing.core.ask_tell import not_out
from racing.core.experiment import Experiment

Key = tuple[int, int]


class Batch:
    """Experiments that the search waits for together."""

    __slots__ = ("missing",)

    def __init__(self) -> None:
        self.missing = 0

    @property
    def complete(self) -> bool:
        """Whether every outcome is there."""
        return self.missing == 0


class TaskQueue:
    """Hands out experiments, each once, those with the lowest priority number first."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Experiment]] = []
        self._order = 0
        self._priority: dict[Key, int] = {}
        self._waiting: dict[Key, list[Batch]] = {}
        self._out: dict[Key, Experiment] = {}

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def out(self) -> tuple[Experiment, ...]:
        """The experiments handed out that have no outcome yet."""
        return tuple(self._out.values())

    @property
    def unwanted(self) -> tuple[Experiment, ...]:
        """The experiments handed out that no batch waits for."""
        return tuple(one for key, one in self._out.items() if key not in self._waiting)

    def want(self, experiment: Experiment, batch: Batch, priority: int) -> None:
        """Queue an experiment unless it is queued or out already; the batch waits for it."""
        batch.missing += 1
        key = experiment.key
        if key in self._waiting:
            self._waiting[key].append(batch)
            return
        self._waiting[key] = [batch]
        self._priority[key] = priority
        if key not in self._out:
            self._push(experiment)

    def take(self, limit: int | None) -> list[Experiment]:
        """Up to `limit` experiments."""
        taken: list[Experiment] = []
        while self._heap and (limit is None or len(taken) < limit):
            experiment = heapq.heappop(self._heap)[2]
            if experiment.key in self._waiting and experiment.key not in self._out:
                self._out[experiment.key] = experiment
                taken.append(experiment)
        return taken

    def answered(self, key: Key) -> bool:
        """Note an outcome; returns whether a batch waited for it."""
        self._out.pop(key, None)
        self._priority.pop(key, None)
        batches = self._waiting.pop(key, ())
        for batch in batches:
            batch.missing -= 1
        return bool(batches)

    def lost(self, experiment: Experiment) -> None:
        """Queue again experiments that were handed out and got lost."""
        if self._out.pop(experiment.key, None) is None:
            raise not_out(experiment, len(self._out))
        if experiment.key in self._waiting:
            self._push(experiment)

    def clear(self) -> None:
        """Empty the queue and the batches; experiments handed out stay out."""
        self._heap.clear()
        self._waiting.clear()
        self._priority.clear()

    def _push(self, experiment: Experiment) -> None:
        self._order += 1
        heapq.heappush(self._heap, (self._priority[experiment.key], self._order, experiment))
