"""Challengers: candidates that entered after the start, until they have caught up."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from racing.race.judging import Schedule
from racing.race.row import Row


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
