"""New instances for the elites: begun after every K decisions, entered when nobody has to wait."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from racing.experiment import Outcome
from racing.search.book import Book
from racing.search.tasks import Batch


@dataclass(slots=True)
class _Row:
    """One instance, for whom it was begun, and after how many decisions it enters the state."""

    step: int
    ids: list[int]
    batch: Batch
    due: int


class Rows:
    """New instances under way.

    A row begun after decision jK enters the state `lag` decisions later, so that decisions need not
    wait for it. Whoever becomes an elite in between meets the instance too.

    Parameters
    ----------
    lag
        The smallest multiple of K that is no less than the window.
    """

    def __init__(self, book: Book, lag: int) -> None:
        self._book, self._lag = book, lag
        self._rows: deque[_Row] = deque()

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def reserved(self) -> int:
        """How many evaluations of them are not charged yet."""
        return sum(len(row.ids) for row in self._rows)

    def begin(self, step: int, elites: Sequence[int], decisions: int) -> None:
        """Let the elites meet an instance."""
        batch = self._book.want(elites, [step])
        self._rows.append(_Row(step, list(elites), batch, decisions + self._lag))

    def due(self, decisions: int) -> bool:
        """Whether a row is to enter the state now."""
        return bool(self._rows) and self._rows[0].due <= decisions

    def complete(self, elites: Sequence[int]) -> bool:
        """Whether the first can be entered: all who were and are elites have its instance."""
        row = self._rows[0]
        if not row.batch.complete:
            return False
        row.batch = self._book.want(elites, [row.step])
        return row.batch.complete

    def enter(self) -> list[Outcome]:
        """End the first; returns what it is charged with."""
        row = self._rows.popleft()
        return self._book.outcomes(row.ids, [row.step])
