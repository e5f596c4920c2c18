"""The growing matrix of costs behind a race."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.field import field_ranks
from racing.results import Results


class Table:
    """Rows are instances by step, columns are candidates by order of entry; both only grow."""

    def __init__(self) -> None:
        self._costs = np.full((8, 8), np.nan)
        self._alive = np.zeros((8, 8), dtype=bool)
        self._ranks = np.full((8, 8), np.nan)
        self._rows = 0
        self._columns: dict[int, int] = {}  # by the candidate's id

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self._columns)

    def add_column(self, candidate: int) -> None:
        """Give a candidate the next column."""
        self._columns[candidate] = self.width
        self._grow(self._rows, self.width)

    def put(
        self, step: int, candidates: Sequence[int], costs: Sequence[float], *, late: bool = False
    ) -> None:
        """Write the costs of these candidates on an instance; `late` if it was closed before."""
        self._rows = max(self._rows, step + 1)
        self._grow(self._rows, self.width)
        columns = self._places(candidates)
        self._costs[step, columns] = costs
        self._alive[step, columns] = not late
        whole = np.s_[: self._rows, : self.width]
        self._ranks[step, : self.width] = field_ranks(self._costs[whole], self._alive[whole], step)

    def results(self, survivors: Sequence[int], rows: Sequence[int] | None = None) -> Results:
        """What rules see: all rows, or just these in this order."""
        chosen = slice(self._rows) if rows is None else list(rows)
        tables = (self._costs, self._alive, self._ranks)
        costs, alive, ranks = (table[chosen, : self.width] for table in tables)
        for view in (costs, alive, ranks):
            view.flags.writeable = False
        return Results(costs, alive, tuple(self._columns), self._places(survivors), ranks)

    def _places(self, candidates: Sequence[int]) -> NDArray[np.intp]:
        return np.array([self._columns[id] for id in candidates], dtype=np.intp)

    def _grow(self, rows: int, columns: int) -> None:
        height, width = self._costs.shape
        if rows <= height and columns <= width:
            return
        shape = (max(height, 2 * rows), max(width, 2 * columns))
        costs, ranks = np.full(shape, np.nan), np.full(shape, np.nan)
        alive = np.zeros(shape, dtype=bool)
        for new, old in ((costs, self._costs), (alive, self._alive), (ranks, self._ranks)):
            new[:height, :width] = old
        self._costs, self._alive, self._ranks = costs, alive, ranks
