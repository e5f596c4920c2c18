"""New instances for the elites: begun after every K decisions, entered K decisions later."""

from __future__ import annotations

from collections.abc import Sequence

from racing.experiment import Outcome
from racing.search.book import Book
from racing.search.tasks import Batch


class Rows:
    """At most one new instance under way.

    A row begun after decision jK enters the state after decision (j+1)K, so that nobody waits for
    it. Whoever becomes an elite in between meets the instance too.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self._ids: list[int] = []  # for whom it was begun
        self._batch = Batch()
        self.step: int | None = None

    @property
    def under_way(self) -> bool:
        """Whether a row is begun and not entered."""
        return self.step is not None

    @property
    def reserved(self) -> int:
        """How many evaluations of it are not charged yet."""
        return len(self._ids) if self.under_way else 0

    def begin(self, step: int, elites: Sequence[int]) -> None:
        """Let the elites meet an instance."""
        self.step, self._ids = step, list(elites)
        self._batch = self._book.want(elites, [step])

    def complete(self, elites: Sequence[int]) -> bool:
        """Whether the row can be entered: all who were and are elites have its instance."""
        assert self.step is not None
        if not self._batch.complete:
            return False
        self._batch = self._book.want(elites, [self.step])
        return self._batch.complete

    def enter(self) -> list[Outcome]:
        """End the row; returns what it is charged with."""
        assert self.step is not None
        outcomes = self._book.outcomes(self._ids, [self.step])
        self.step = None
        return outcomes
