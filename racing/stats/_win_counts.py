"""Wins of every column over every other, counted row by row into one matrix.

For few rows and many columns: ten thousand columns are 10⁸ pairs. Cells of the matrix are only as
wide as the number of rows requires, rows are compared as small whole numbers, and the matrix is
filled in blocks that stay in cache.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.stats._checks import Floats
from racing.stats.ranks import rank_rows

Counts: TypeAlias = NDArray[np.unsignedinteger]

_BLOCK = 1 << 18  # cells of the matrix that are worked on at once
_BYTE = 255  # the most rows that a byte can count


def no_wins(m: int) -> Counts:
    """(m, m) counts before the first row: all zero."""
    return np.zeros((m, m), dtype=np.uint8)


def with_rows(wins: Counts, rows: int) -> Counts:
    """The same counts in cells wide enough for so many rows."""
    width = np.min_scalar_type(max(rows, 1))
    return wins.astype(width) if width.itemsize > wins.dtype.itemsize else wins


def add_rows(wins: Counts, costs: Floats) -> None:
    """Count the rows of (n, m) costs into `wins`, whose cells must be wide enough.

    `wins[i, j]` grows by the number of rows with costs[:, i] < costs[:, j].
    """
    n, m = costs.shape
    # average ranks are halves, and twice a rank fits into two bytes for up to 32,767 columns
    codes = (2 * rank_rows(costs, check=False)).astype(np.min_scalar_type(2 * m))
    step = max(1, _BLOCK // m)
    for first in range(0, m, step):
        part = slice(first, first + step)
        for start in range(0, n, _BYTE):
            _add(wins[part], codes[start : start + _BYTE], part)


def _add(wins: Counts, codes: NDArray[np.unsignedinteger], part: slice) -> None:
    """Count up to 255 rows of codes into the rows `part` of the matrix."""
    less = np.empty(wins.shape, dtype=np.bool_)
    if wins.dtype == np.uint8 or len(codes) == 1:
        into = wins
    else:
        into = np.zeros(wins.shape, dtype=np.uint8)
    for row in codes:
        np.less(row[part, None], row, out=less)
        np.add(into, less.view(np.uint8), out=into)
    if into is not wins:
        np.add(wins, into, out=wins)
