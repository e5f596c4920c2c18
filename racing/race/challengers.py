"""Challengers: who joined after the start, until they have caught up."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from racing.candidate import Candidate
from racing.race.schedule import Row, Schedule


class Challengers:
    """Candidates on their way into a race that has begun.

    They wait for the row under way to end, and for earlier ones to catch up. Then they meet the
    instances that the race has already seen, in an order of their own, while the others rest; on
    this way the rule is asked by the same schedule as on the race's own. Having seen them all, they
    are late no more.
    """

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._waiting: list[Candidate] = []
        self._ids: list[int] = []  # who is catching up
        self._steps: Sequence[int] = ()  # on which instances, in which order
        self._seen = 0  # how many of these are done

    @property
    def catching_up(self) -> bool:
        """Whether anybody still has instances to catch up on."""
        return bool(self._ids) and self._seen < len(self._steps)

    # --- their way, from the door on --------------------------------------------------------

    def wait(self, candidate: Candidate) -> None:
        """Line up at the door."""
        self._waiting.append(candidate)

    def admitted(self) -> list[Candidate]:
        """Who may come in now: all who wait, unless earlier ones are still catching up."""
        if self.catching_up:
            return []
        admitted, self._waiting = self._waiting, []
        return admitted

    def catch_up(self, candidates: Iterable[Candidate], steps: Sequence[int]) -> None:
        """Send those who came in through these instances, in this order."""
        self._ids, self._steps, self._seen = [one.id for one in candidates], steps, 0

    def close_row(self) -> None:
        """Note that one more instance is done."""
        self._seen += 1

    def drop(self, ids: Container[int]) -> None:
        """Forget who was dropped."""
        self._ids = [id for id in self._ids if id not in ids]

    def arrive(self) -> bool:
        """Be late no more; whether anybody was."""
        arrived, self._ids = bool(self._ids), []
        return arrived

    # --- while they are on it ---------------------------------------------------------------

    @property
    def ids(self) -> tuple[int, ...]:
        """Who is catching up."""
        return tuple(self._ids)

    @property
    def rows_seen(self) -> list[int]:
        """The instances that they share with everybody else."""
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
        """How many further rows end in a test: the next one of them, or, at the end, of all."""
        to_the_end = len(self._steps) - self._seen
        return min(self._schedule.rows_until_test(self._seen), to_the_end)
