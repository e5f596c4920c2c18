"""The state of an ablation: configurations, outcomes and charges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from racing.answer.gain import Gain, gain
from racing.base.errors import RaceError
from racing.core.budget import Spent
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Outcome
from racing.core.results import Results
from racing.space import Configuration, Space

Known: TypeAlias = Mapping[tuple[tuple[object, ...], int], Outcome]
"""(key of a configuration in its space, instance step) → outcome of an earlier run."""


class Tried:
    """Candidates by configuration, outcomes by (id, step), and the outcomes of earlier runs.

    Attributes
    ----------
    entrants
        Source, target, and all that was tried between them; ids count from 1 in that order.
    told
        What was evaluated here.
    logged
        The entrants of a log, which come up again in the same order.
    """

    def __init__(self, space: Space, known: Known) -> None:
        self.space = space
        self.entrants: list[Entrant] = []
        self.told: dict[tuple[int, int], Outcome] = {}
        self.logged: Mapping[int, Entrant] = {}
        self._known = dict(known)
        self._ids: dict[tuple[object, ...], int] = {}
        self._charged: set[tuple[int, int]] = set()
        self._seconds = 0.0

    @property
    def spent(self) -> Spent:
        """The charges."""
        return Spent(evaluations=len(self._charged), target_time=self._seconds)

    def candidate(self, id: int) -> Candidate:
        """The candidate with this id."""
        return self.entrants[id - 1].candidate

    def enter(self, values: Configuration, origin: str, entered: int = 0) -> int:
        """The id of a configuration, which enters if it is new.

        Raises
        ------
        RaceError
            If the log has another configuration there.
        """
        key = self.space.key(values)
        if key in self._ids:
            return self._ids[key]
        id = self._ids[key] = len(self.entrants) + 1
        name = "" if origin == "ablation" else origin
        entrant = Entrant(
            candidate=Candidate(id, dict(values), name=name), origin=origin, entered=entered
        )
        logged = self.logged.get(id, entrant)
        if self.space.key(logged.candidate.values) != key:
            raise RaceError(
                f"candidate {id} is {dict(values)} here and {dict(logged.candidate.values)} in the "
                "log: it is the log of another ablation"
            )
        self.entrants.append(entrant)
        return id

    def hear(self, outcome: Outcome) -> None:
        """Keep an outcome.

        Raises
        ------
        RaceError
            If the candidate is unknown, or the outcome was told before.
        """
        if not 0 < outcome.candidate <= len(self.entrants):
            raise RaceError(f"candidate {outcome.candidate} is not in this ablation")
        if outcome.key in self.told:
            raise RaceError(
                f"the outcome of candidate {outcome.candidate} on instance {outcome.step} "
                "was told before"
            )
        self.told[outcome.key] = outcome

    def outcome(self, id: int, step: int) -> Outcome | None:
        """The outcome of a candidate at a step, here or in an earlier run."""
        if (id, step) in self.told:
            return self.told[id, step]
        old = self._known.get((self.space.key(self.candidate(id).values), step))
        return None if old is None else replace(old, candidate=id)

    def missing(self, ids: Iterable[int], step: int) -> int:
        """How many of these candidates have no outcome at a step."""
        return sum(self.outcome(id, step) is None for id in ids)

    def charge(self, results: Results, offset: int) -> None:
        """Count the evaluations of a race's complete rows, each once; known outcomes are free.

        The first row is the instance at step `offset`.
        """
        rows, columns = np.nonzero(~np.isnan(results.costs))
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            key = (results.candidates[column], row + offset)
            if key in self.told and key not in self._charged:
                self._charged.add(key)
                self._seconds += self.told[key].seconds

    def gain(self, before: int, after: int, steps: Iterable[int]) -> Gain | None:
        """The gain of one candidate over another on these instances; None if there are none."""
        pairs = [(self.outcome(after, step), self.outcome(before, step)) for step in steps]
        found = [[a.cost, b.cost] for a, b in pairs if a is not None and b is not None]
        costs = np.array(found, dtype=float).reshape(-1, 2)
        if not len(costs):
            return None
        one, other = self.candidate(after), self.candidate(before)
        return gain(costs, mean=True, name=one, over=other, of="unseen")
