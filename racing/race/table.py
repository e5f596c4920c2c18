"""The growing matrix of costs behind a race."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from racing.results import Results


class Table:
    """Rows are instances by step, columns are candidates by order of entry; both only grow."""

    def __init__(self) -> None:
        self._costs = np.full((8, 8), np.nan)
        self._alive = np.zeros((8, 8), dtype=bool)
        self._rows = 0
        self.candidates: tuple[int, ...] = ()

    def add_column(self, candidate: int) -> int:
        """Give a candidate a column, and return its place."""
        self.candidates = (*self.candidates, candidate)
        self._grow(self._rows, len(self.candidates))
        return len(self.candidates) - 1

    def put(
        self, step: int, columns: Sequence[int], costs: Sequence[float], *, late: bool = False
    ) -> None:
        """Write the costs of these columns on an instance; `late` if it was closed before."""
        self._rows = max(self._rows, step + 1)
        self._grow(self._rows, len(self.candidates))
        self._costs[step, columns] = costs
        self._alive[step, columns] = not late

    def results(self, survivors: Sequence[int], rows: Sequence[int] | None = None) -> Results:
        """What rules see: all rows, or just these in this order."""
        chosen = slice(self._rows) if rows is None else list(rows)
        width = len(self.candidates)
        costs, alive = self._costs[chosen, :width], self._alive[chosen, :width]
        for view in (costs, alive):
            view.flags.writeable = False
        return Results(costs, alive, self.candidates, np.array(survivors, dtype=np.intp))

    def _grow(self, rows: int, columns: int) -> None:
        height, width = self._costs.shape
        if rows <= height and columns <= width:
            return
        shape = (max(height, 2 * rows), max(width, 2 * columns))
        costs, alive = np.full(shape, np.nan), np.zeros(shape, dtype=bool)
        costs[:height, :width], alive[:height, :width] = self._costs, self._alive
        self._costs, self._alive = costs, alive
