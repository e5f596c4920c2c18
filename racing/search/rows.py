"""New instances for the elites, begun after every K decisions and entered some decisions later."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from racing.core.experiment import Outcome
from racing.search.tasks import Batch
from racing.search.trials import Trials


@dataclass(slots=True)
class _Row:
    """One instance, the elites that run on it, and the decision after which it is entered."""

    step: int
    ids: list[int]
    batch: Batch
    due: int


class Rows:
    """The new instances that the elites are running.

    A row begun after decision jK enters the state `lag` decisions later, so that decisions need not
    wait for it. A challenger that becomes an elite meanwhile meets the instance too.

    Parameters
    ----------
    lag
        The smallest multiple of K that is no less than the window.

    Attributes
    ----------
    reserved
        The number of their evaluations that are not charged yet.
    """

    def __init__(self, trials: Trials, lag: int) -> None:
        self._trials, self._lag = trials, lag
        self._rows: deque[_Row] = deque()
        self.reserved = 0

    def __len__(self) -> int:
        return len(self._rows)

    def begin(self, step: int, elites: Sequence[int], decisions: int) -> None:
        """Queue the elites on an instance."""
        batch = self._trials.want(elites, [step])
        self._rows.append(_Row(step, list(elites), batch, decisions + self._lag))
        self.reserved += len(elites)

    @property
    def first(self) -> int:
        """The first of them."""
        return self._rows[0].step

    def due(self, decisions: int) -> bool:
        """Whether a row is to enter the state now."""
        return bool(self._rows) and self._rows[0].due <= decisions

    def complete(self, elites: Sequence[int]) -> bool:
        """Whether all former and current elites have met the instance of the first row."""
        row = self._rows[0]
        if not row.batch.complete:
            return False
        row.batch = self._trials.want(elites, [row.step])
        return row.batch.complete

    def enter(self) -> list[Outcome]:
        """Remove the first row; returns the outcomes to charge."""
        row = self._rows.popleft()
        self.reserved -= len(row.ids)
        return self._trials.outcomes(row.ids, [row.step])
