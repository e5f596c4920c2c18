"""A row, one instance and the candidates that run on it; and the rows of challengers."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from racing.core.budget import Budget, Spent
from racing.core.experiment import Outcome
from racing.core.stop import Stop
from racing.race.judging import Schedule


@dataclass(frozen=True)
class Row:
    """One instance (by step) and the candidates (by id) to be run on it."""

    step: int
    candidates: tuple[int, ...]


class OpenRow:
    """The row that is being filled, with running sums of its time and money.

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
        left = budget.left(spent)
        self._left = {unit: getattr(left, unit) for unit in budget.paid}
        self._paid = {unit: ExactSum() for unit in budget.paid}
        # whether time or money can run out
        self.limited = min(self._target_time, self._wall_time) < math.inf or bool(self._paid)

    def take(self, outcome: Outcome) -> bool:
        """Add an outcome; False if the row does not wait for it."""
        candidate = outcome.candidate
        if outcome.step != self.row.step or candidate not in self._missing:
            return False
        self._missing.discard(candidate)
        self._told[candidate] = outcome
        if self.limited:
            for unit, paid in self._paid.items():
                paid.add(outcome.spent.get(unit, 0.0))
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
        """The outcomes so far, in the order of the row's candidates."""
        return [self._told[id] for id in self.row.candidates if id in self._told]

    @property
    def overspent(self) -> Stop | None:
        """The limit of time or money that it has broken so far; None if none.

        A row that breaks one does not count, even if the rest of it is running, so the result does
        not depend on the number of workers.
        """
        if self._target_time < math.inf and self._seconds.value > self._target_time:
            return Stop.TARGET_TIME
        for unit, paid in self._paid.items():
            if paid.value > self._left[unit]:
                return Stop(unit)
        return Stop.WALL_TIME if self._latest > self._wall_time else None


class ExactSum:
    """A running sum, correctly rounded, so that it does not depend on the order of its terms.

    It holds partial sums that do not overlap (Shewchuk, 1997, "Adaptive precision floating-point
    arithmetic", section 2.4), as `math.fsum` does, but gives its value at any time.
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


class Challengers:
    """The candidates that are catching up, on the instances that the race has already seen.

    They meet these instances in their own order while the others wait. The rule tests them by the
    schedule of the race. Those that have seen all of them, and were not dropped, are challengers no
    more.
    """

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._ids: list[int] = []
        self._steps: Sequence[int] = ()  # the instances to catch up on, in order
        self._seen = 0  # how many of these are done

    @property
    def ids(self) -> tuple[int, ...]:
        """The candidates that are catching up."""
        return tuple(self._ids)

    @property
    def catching_up(self) -> bool:
        """Whether any candidate still has instances to catch up on."""
        return bool(self._ids) and self._seen < len(self._steps)

    @property
    def under_way(self) -> bool:
        """Whether they have met an instance, so that no other can join them."""
        return self.catching_up and self._seen > 0

    def start(self, ids: Iterable[int], steps: Sequence[int]) -> None:
        """Add candidates that catch up on these instances, with those that have met none yet."""
        if not self.catching_up:
            self._ids, self._steps, self._seen = [], steps, 0
        self._ids += ids

    def close_row(self) -> None:
        """Note that one more instance is done."""
        self._seen += 1

    def drop(self, ids: Container[int]) -> None:
        """Forget candidates that were dropped."""
        self._ids = [id for id in self._ids if id not in ids]

    def arrive(self) -> bool:
        """End the catching up; whether a candidate has just caught up."""
        arrived, self._ids = bool(self._ids), []
        return arrived

    @property
    def steps_seen(self) -> list[int]:
        """The instances that they share with all others, in the order in which they met."""
        return list(self._steps[: self._seen])

    def row(self, index: int) -> Row | None:
        """The row that comes `index` after the closed ones; None beyond the last."""
        place = self._seen + index
        return Row(self._steps[place], self.ids) if place < len(self._steps) else None

    @property
    def test_due(self) -> bool:
        """Whether a test of them follows the row closed last."""
        return self._schedule.due(self._seen)

    @property
    def rows_until_test(self) -> int:
        """The number of further rows up to the next test: of them, or at the end of all."""
        to_the_end = len(self._steps) - self._seen
        return min(self._schedule.rows_until_test(self._seen), to_the_end)
