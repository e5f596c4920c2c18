"""The counts of wins between survivors, kept from test to test."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.stats.sign import Counts, add_rows, no_wins, with_rows

Columns = NDArray[np.intp]


class Wins:
    """Counts of wins, to which each test adds only the new rows.

    Between two tests a race adds rows and drops candidates. Other changes (an earlier cost, the
    order of the rows, a candidate that joins) are detected by comparing the costs, and all wins are
    counted again.
    """

    def __init__(self) -> None:
        self._columns: Columns = np.empty(0, dtype=np.intp)
        self._block = np.empty((0, 0))
        self._wins = no_wins(0)

    def of(self, block: NDArray[np.float64], columns: Columns) -> Counts:
        """(k, k) counts: entry (i, j) is on how many rows i has the lower cost of the two.

        Parameters
        ----------
        block : (n, k) costs without NaN; lower is better, failures (+inf) tie.
        columns : (k,) the candidates, ascending, for comparison at the next call.

        Returns
        -------
        A read-only matrix of small unsigned integers: convert it before subtracting.
        """
        self._keep(block, columns)
        known = len(self._block)
        wins = with_rows(self._wins, len(block))
        wins.flags.writeable = True
        add_rows(wins, block[known:])
        wins.flags.writeable = False
        self._wins, self._block, self._columns = wins, block.copy(), columns.copy()
        return wins

    def _keep(self, block: NDArray[np.float64], columns: Columns) -> None:
        """Keep the counts of the remaining candidates; drop them if the costs have changed."""
        place = np.searchsorted(self._columns, columns)
        there = place < self._columns.size
        same = bool(there.all()) and np.array_equal(self._columns[place], columns)
        if not same or not np.array_equal(self._block[:, place], block[: len(self._block)]):
            self._columns = columns
            self._block, self._wins = block[:0], no_wins(len(columns))
        elif len(columns) < self._columns.size:
            self._wins = self._wins[np.ix_(place, place)]
