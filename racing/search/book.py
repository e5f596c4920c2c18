"""What a search has drawn and heard: candidates, outcomes, and experiments still wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from racing.ask_tell import stranger, told_twice
from racing.candidate import Candidate
from racing.decider import Entrant
from racing.errors import InputError, RaceError
from racing.experiment import Experiment, Instance, Outcome
from racing.instances import Instances
from racing.results import Results
from racing.search.coding import Coding, Draw
from racing.search.tasks import Batch, TaskQueue

Floats = NDArray[np.float64]

_SAME = 1e-9
"""On the unit scale: what a draw may differ by from one machine to another."""


class Book:
    """Candidates by id with their points, outcomes by (id, step), and the queue of tasks."""

    def __init__(self, coding: Coding, instances: Instances, seed: int) -> None:
        self.coding, self.instances, self.seed = coding, instances, seed
        self.queue = TaskQueue()
        self.entrants: list[Entrant] = []
        self.candidates: dict[int, Candidate] = {}
        self.points: dict[int, Floats] = {}
        self.told: dict[tuple[int, int], Outcome] = {}
        self.logged: Mapping[int, Entrant] = {}
        self._by_candidate: dict[int, list[Outcome]] = {}
        self._met: dict[int, Instance] = {}

    # --- candidates -------------------------------------------------------------------------

    def enter(self, draw: Draw, *, id: int | None = None, entered: int = 0) -> int:
        """Take a draw in as a candidate; returns its id.

        Parameters
        ----------
        id
            The next by default.
        entered
            After how many decisions.
        """
        id = len(self.candidates) + 1 if id is None else id
        candidate = Candidate(id, draw.values, name=draw.name, parent=draw.parent)
        entrant = Entrant(
            candidate=candidate, origin=draw.origin, draw=draw.address, entered=entered
        )
        if id in self.logged:
            entrant = self._as_logged(entrant, self.logged[id])
        self.entrants.append(entrant)
        self.candidates[id], self.points[id] = entrant.candidate, draw.point
        return id

    def _as_logged(self, drawn: Entrant, logged: Entrant) -> Entrant:
        """The entrant of the log, after a check that it is what was drawn, but for rounding.

        Raises
        ------
        RaceError
            If it is not.
        """
        ours, theirs = drawn.candidate, logged.candidate
        if ours.values != theirs.values and not self._alike(ours, theirs):
            raise RaceError(
                f"candidate {ours.id} is {dict(ours.values)} here and {dict(theirs.values)} in the "
                "log: the log was written by another scenario, or by a version that draws "
                "otherwise; continue it with that one"
            )
        return logged

    def _alike(self, ours: Candidate, theirs: Candidate) -> bool:
        """Whether two candidates are one but for rounding."""
        try:
            mine, logged = self.coding.point(ours.values), self.coding.point(theirs.values)
        except InputError:
            return False
        return np.allclose(mine, logged, rtol=0, atol=_SAME, equal_nan=True)

    # --- instances and outcomes -------------------------------------------------------------

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        if step not in self._met:
            self._met[step] = self.instances.at(step, self.seed)
        return self._met[step]

    def want(self, ids: Iterable[int], steps: Iterable[int], *, priority: int = 0) -> Batch:
        """Line up these candidates on these instances, as far as they have not run."""
        ids = list(ids)
        return self.want_pairs([(id, step) for step in steps for id in ids], priority=priority)

    def untold(self, ids: Iterable[int], steps: Iterable[int]) -> list[tuple[int, int]]:
        """Pairs of these candidates and steps that have no outcome."""
        ids = list(ids)
        return [(id, step) for step in steps for id in ids if (id, step) not in self.told]

    def want_pairs(
        self, pairs: Iterable[tuple[int, int]], *, priority: int = 0, bound: float | None = None
    ) -> Batch:
        """Line up pairs of a candidate and a step, as far as they have not run.

        Parameters
        ----------
        bound
            Of the cost of each; see `Experiment`.
        """
        batch = Batch()
        for id, step in pairs:
            if (id, step) not in self.told:
                experiment = Experiment(self.candidates[id], self.instance(step), bound)
                self.queue.want(experiment, batch, priority)
        return batch

    def hear(self, outcome: Outcome) -> None:
        """Keep an outcome.

        Raises
        ------
        RaceError
            If the candidate is unknown, or the outcome was told before.
        InputError
            If there is no such instance.
        """
        if outcome.candidate not in self.candidates:
            raise RaceError(stranger(outcome, "search"))
        if outcome.key in self.told:
            raise RaceError(told_twice(outcome))
        self.instance(outcome.step)
        self.told[outcome.key] = outcome
        self._by_candidate.setdefault(outcome.candidate, []).append(outcome)
        self.queue.answered(outcome.key)

    def costs(self, ids: Sequence[int], steps: Sequence[int]) -> Floats:
        """(steps, ids) costs of a complete block."""
        told = self.told
        found = [[told[id, step].cost for id in ids] for step in steps]
        return np.array(found).reshape(len(steps), len(ids))

    def censored(self, id: int, steps: Iterable[int]) -> bool:
        """Whether a run of a candidate on one of these instances was stopped at its bound."""
        return any(self.told[id, step].censored for step in steps)

    def outcomes(self, ids: Iterable[int], steps: Sequence[int]) -> list[Outcome]:
        """What has been told of these candidates on these instances."""
        told = self.told
        found = (told.get((id, step)) for id in ids for step in steps)
        return [outcome for outcome in found if outcome is not None]

    def outcomes_of(self, id: int) -> list[Outcome]:
        """All that has been told of a candidate."""
        return list(self._by_candidate.get(id, ()))

    def results(self, survivors: Sequence[int]) -> Results:
        """All costs, NaN where nothing was run, with these ids as survivors."""
        columns = {id: column for column, id in enumerate(self.candidates)}
        rows = max((step for _, step in self.told), default=-1) + 1
        costs = np.full((rows, len(columns)), np.nan)
        for (id, step), outcome in self.told.items():
            costs[step, columns[id]] = outcome.cost
        alive = ~np.isnan(costs)
        for array in (costs, alive):
            array.flags.writeable = False
        places = np.array([columns[id] for id in survivors], dtype=np.intp)
        return Results(costs, alive, tuple(columns), places)
