"""What a search has drawn and heard: candidates, outcomes, and experiments still wanted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from racing.candidate import Candidate
from racing.errors import RaceError
from racing.experiment import Experiment, Instance, Outcome
from racing.instances import Instances
from racing.search.tasks import Batch, TaskQueue

Floats = NDArray[np.float64]


class Book:
    """Candidates by id with their points, outcomes by (id, step), and the queue of tasks."""

    def __init__(self, instances: Instances, seed: int) -> None:
        self.instances, self.seed = instances, seed
        self.queue = TaskQueue()
        self.candidates: dict[int, Candidate] = {}
        self.points: dict[int, Floats] = {}
        self.told: dict[tuple[int, int], Outcome] = {}
        self._by_candidate: dict[int, list[Outcome]] = {}
        self._met: dict[int, Instance] = {}

    def enter(self, candidate: Candidate, point: Floats) -> None:
        """Take a candidate in."""
        self.candidates[candidate.id] = candidate
        self.points[candidate.id] = point

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        if step not in self._met:
            self._met[step] = self.instances.at(step, self.seed)
        return self._met[step]

    def want(self, ids: Iterable[int], steps: Iterable[int], *, priority: int = 0) -> Batch:
        """Line up these candidates on these instances, as far as they have not run."""
        ids = list(ids)
        return self.want_pairs([(id, step) for step in steps for id in ids], priority=priority)

    def want_pairs(self, pairs: Iterable[tuple[int, int]], *, priority: int = 0) -> Batch:
        """Line up pairs of a candidate and a step, as far as they have not run."""
        batch = Batch()
        for id, step in pairs:
            if (id, step) not in self.told:
                experiment = Experiment(self.candidates[id], self.instance(step))
                self.queue.want(experiment, batch, priority)
        return batch

    def hear(self, outcome: Outcome) -> None:
        """Keep an outcome.

        Raises
        ------
        RaceError
            If the candidate is unknown, or the outcome was told before.
        """
        if outcome.candidate not in self.candidates:
            raise RaceError(f"candidate {outcome.candidate} is not in this search")
        if outcome.key in self.told:
            raise RaceError(
                f"the outcome of candidate {outcome.candidate} on instance {outcome.step} "
                "was told before"
            )
        self.told[outcome.key] = outcome
        self._by_candidate.setdefault(outcome.candidate, []).append(outcome)
        self.queue.answered(outcome.key)

    def costs(self, ids: Sequence[int], steps: Sequence[int]) -> Floats:
        """(steps, ids) costs of a complete block."""
        told = self.told
        return np.array([[told[id, step].cost for id in ids] for step in steps]).reshape(
            len(steps), len(ids)
        )

    def outcomes(self, ids: Iterable[int], steps: Sequence[int]) -> list[Outcome]:
        """What has been told of these candidates on these instances."""
        told = self.told
        found = (told.get((id, step)) for id in ids for step in steps)
        return [outcome for outcome in found if outcome is not None]

    def outcomes_of(self, id: int) -> list[Outcome]:
        """All that has been told of a candidate."""
        return list(self._by_candidate.get(id, ()))
