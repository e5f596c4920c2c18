"""A row: one instance, and the candidates that are run on it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from racing.budget import Budget, Spent
from racing.experiment import Outcome
from racing.stop import Stop


@dataclass(frozen=True)
class Row:
    """One instance (by step) and the candidates (by id) to be run on it."""

    step: int
    candidates: tuple[int, ...]


class OpenRow:
    """The row that is being filled, with running sums of what its outcomes took.

    Parameters
    ----------
    row
        What belongs to it.
    budget, spent
        The limits, and what the rows before it have spent.
    """

    def __init__(self, row: Row, budget: Budget, spent: Spent) -> None:
        self.row = row
        self._told: dict[int, Outcome] = {}
        self._missing = set(row.candidates)
        self._seconds = ExactSum()
        self._latest = 0.0
        self._target_time = budget.left(spent).target_time
        self._wall_time = math.inf if budget.wall_time is None else budget.wall_time
        self.timed = min(self._target_time, self._wall_time) < math.inf  # whether time can run out

    def take(self, outcome: Outcome) -> bool:
        """Take an outcome in; False if it is not one that the row waits for."""
        candidate = outcome.candidate
        if outcome.step != self.row.step or candidate not in self._missing:
            return False
        self._missing.discard(candidate)
        self._told[candidate] = outcome
        if self.timed:
            self._seconds.add(outcome.seconds)
            self._latest = max(self._latest, outcome.elapsed)
        return True

    def lacks(self, candidate: int, step: int) -> bool:
        """Whether it waits for this outcome."""
        return step == self.row.step and candidate in self._missing

    def has(self, candidate: int, step: int) -> bool:
        """Whether it holds this outcome."""
        return step == self.row.step and candidate in self._told

    @property
    def untouched(self) -> bool:
        """Whether it holds no outcome yet."""
        return not self._told

    @property
    def full(self) -> bool:
        """Whether every outcome is there."""
        return not self._missing

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes that are there, in the order of the row's candidates."""
        return [self._told[id] for id in self.row.candidates if id in self._told]

    @property
    def overspent(self) -> Stop | None:
        """Which time limit it has broken so far; None if none.

        A row that breaks one does not count, even if the rest of it was under way, so that what a
        race comes to does not depend on how many workers there were.
        """
        if self._target_time < math.inf and self._seconds.value > self._target_time:
            return Stop.TARGET_TIME
        return Stop.WALL_TIME if self._latest > self._wall_time else None


class ExactSum:
    """A running sum, correctly rounded, so that it does not depend on the order of its terms.

    It holds partial sums that do not overlap (Shewchuk, 1997, "Adaptive precision floating-point
    arithmetic", section 2.4), as `math.fsum` does, but can be asked at any time.
    """

    def __init__(self, terms: Iterable[float] = ()) -> None:
        self._partials: list[float] = []
        for term in terms:
            self.add(term)

    def add(self, term: float) -> None:
        """Add a term; the time it takes does not grow with the number of terms."""
        kept = 0
        for partial in self._partials:
            large, small = (term, partial) if abs(term) >= abs(partial) else (partial, term)
            term = large + small
            if error := small - (term - large):
                self._partials[kept] = error
                kept += 1
        self._partials[kept:] = [term]

    @property
    def value(self) -> float:
        """The sum."""
        return math.fsum(self._partials)
