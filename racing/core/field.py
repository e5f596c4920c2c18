"""Ranks among all candidates of a race, also on instances that some did not run.

Also keeps these ranks, and the counts of wins, from test to test.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from racing.core.means import median
from racing.stats.ranks import rank_rows
from racing.stats.sign import Counts, add_rows, no_wins, with_rows

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
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


_NEAR = 0.2
"""Bandwidth within which the medians of two instances are alike, in shares of all levels."""

_LEAST = 1e-3
"""Weight of an instance that is unlike all others, relative to 1 for a similar one."""

_BLOCK = 100_000
"""The most weights in memory at a time, so that they stay in cache."""


def field_ranks(costs: Floats, survivors: Columns) -> Floats:
    """Ranks of the survivors among all candidates, 1 is best; estimated where some did not run.

    A dropped candidate has no cost on later instances. The chance that it would have beaten a
    survivor there is estimated from the instances that it ran: its distance behind the survivors'
    median there, against the survivor's distance behind the median here. Distances are in levels (a
    cost's rank among all costs), so monotone transforms of the costs have no effect. Instances with
    similar medians have more weight.

    Ranks among the survivors alone are not enough: a race looks for the best mean rank among all
    candidates. If candidates are good on different instances, the winner of a pair need not have
    it.

    Parameters
    ----------
    costs : (n, m)
        Lower is better, +inf = failed, NaN = did not run. Levels are among the costs up to the row,
        or up to the last row that a dropped candidate ran on, so that ranks change only when a
        candidate is dropped.
    survivors : (k,)
        Columns.

    Returns
    -------
    (n', k) array
        For the rows that all survivors have seen. Where all candidates ran, the ranks of the row.
    """
    return Field().ranks(costs, survivors)


class Field:
    """The field ranks of a race: computed again after a drop, else row by row.

    Attributes
    ----------
    wins
        The counts of wins between survivors, kept as well.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.core.field import Field
    >>> costs = np.array([[1.0, 2.0, 3.0], [5.0, 4.0, 6.0], [2.0, 3.0, np.nan]])
    >>> Field().ranks(costs, np.array([0, 1])).round(1).tolist()
    [[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]]
    """

    def __init__(self) -> None:
        self.wins = Wins()
        self._known = np.empty((0, 0))
        self._of: tuple[bytes, ...] = ()

    def ranks(self, costs: Floats, survivors: Columns) -> Floats:
        """`field_ranks`; unchanged ones are kept from the last call."""
        seen = ~np.isnan(costs)
        complete = np.flatnonzero(seen[:, survivors].all(axis=1))
        costs, seen = costs[complete], seen[complete]
        others = np.flatnonzero(seen.sum(axis=1) > len(survivors))
        shared = others[-1] + 1 if len(others) else 0  # rows with others than the survivors
        known = len(self._known)
        if not shared <= known <= len(costs) or self._of != _key(seen[:known], complete, survivors):
            self._known, known = _estimate(costs[:shared], survivors, 0), shared
        rows = [_estimate(costs[: j + 1], survivors, j) for j in range(known, len(costs))]
        self._known, self._of = np.vstack([self._known, *rows]), _key(seen, complete, survivors)
        self._known.flags.writeable = False
        return self._known


def _key(seen: Flags, complete: Columns, survivors: Columns) -> tuple[bytes, ...]:
    """The key of the ranks of the rows in `seen`, as known costs do not change."""
    return seen.tobytes(), complete[: len(seen)].tobytes(), survivors.tobytes()


def _estimate(costs: Floats, survivors: Columns, start: int) -> Floats:
    """Ranks on the rows from `start` on, with levels among all of these costs."""
    seen = ~np.isnan(costs)
    if seen[start:].all():
        return rank_rows(costs[start:], check=False)[:, survivors]
    levels = _levels(costs)
    ranks: Floats = rank_rows(levels[start:], check=False)[:, survivors]  # absent ones last
    if (seen.any(axis=0) & ~seen[start:].all(axis=0)).any():
        ranks += _ahead(levels, seen, survivors, start)
    return ranks


def _ahead(levels: Floats, seen: Flags, survivors: Columns, start: int) -> Floats:
    """(rows, k): the expected number of absent candidates ahead of each survivor."""
    block = levels[:, survivors]
    centre = median(block)
    row, column = np.nonzero(seen & ~seen[start:].all(axis=0))
    behind = levels[row, column] - centre[row, 0]
    order = np.argsort(behind, kind="stable")
    row, column, behind = row[order], column[order], behind[order]
    alike, share = _kernel(centre[:, 0] / seen.sum(), seen, start)
    mine = (block - centre)[start:]
    ahead = np.zeros(mine.shape)
    for part, lacking in _alike_rows(~seen[start:]):
        of = np.flatnonzero(lacking[column])  # the rows that the absent candidates have seen
        sides = [np.searchsorted(behind[of], mine[part], side=side) for side in ("left", "right")]
        step = max(_BLOCK // max(len(of), 1), 1)
        for first in range(0, len(part), step):
            some = part[first : first + step]
            up_to = np.zeros((len(some), len(of) + 1))
            weights = up_to[:, 1:]
            np.take(alike[some], row[of], axis=1, mode="clip", out=weights)
            weights *= np.take(share[some], column[of], axis=1, mode="clip")
            np.cumsum(weights, axis=1, out=weights)
            at = [side[first : first + step] for side in sides]
            ahead[some] = sum(np.take_along_axis(up_to, to, axis=1) for to in at) / 2  # ties half
    return ahead


def _kernel(centre: Floats, seen: Flags, start: int) -> tuple[Floats, Floats]:
    """The weights of observations for the rows from `start` on: by row, and by column.

    The weight of an observation is the product. For every column that a row lacks, the weights of
    its observations sum to 1.
    """
    alike = np.exp(-0.5 * ((centre[start:, None] - centre) / _NEAR) ** 2) + _LEAST
    share = ~seen[start:] / np.maximum(alike @ seen, _LEAST)  # smaller in empty columns only
    return alike, share


def _alike_rows(lacking: Flags) -> Iterator[tuple[Columns, Flags]]:
    """Rows that lack the same candidates, and these candidates."""
    rows_of: dict[bytes, list[int]] = {}
    for j, row in enumerate(lacking):
        rows_of.setdefault(row.tobytes(), []).append(j)
    for rows in rows_of.values():
        if lacking[rows[0]].any():
            yield np.array(rows), lacking[rows[0]]


def row_ranks(costs: Floats) -> Floats:
    """Ranks within each row of an (n, m) matrix; NaN stays NaN."""
    return np.where(np.isnan(costs), np.nan, rank_rows(_levels(costs), check=False))


def _levels(costs: Floats) -> Floats:
    """The rank of each cost among all costs, failures tied; +inf where there is no cost."""
    seen = ~np.isnan(costs)
    levels = np.full(costs.shape, np.inf)
    levels[seen] = rank_rows(costs[seen][None], check=False)[0] if seen.any() else []
    return levels
