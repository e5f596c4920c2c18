"""Ranks among all candidates of a race, also on instances that some of them never saw.

Also the memory of a race from look to look: of these ranks, and of who beat whom how often.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from racing.stats.ranks import rank_rows
from racing.wins import Wins

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Columns = NDArray[np.intp]

_NEAR = 0.2
"""Bandwidth within which the medians of two instances are alike, in shares of all levels."""

_LEAST = 1e-3
"""Weight of an instance that is like no other, against 1 for one that is alike."""

_BLOCK = 100_000
"""Weights held in memory at a time: few enough to stay in cache."""


def field_ranks(costs: Floats, survivors: Columns) -> Floats:
    """Ranks of the survivors among all candidates, 1 best, estimated where somebody did not run.

    A candidate that was dropped would have had a cost on later instances too, and so a part in the
    ranks there. The chance that it would have beaten a survivor is read off the instances that it
    saw: how far it was behind the survivors' median there, against how far that survivor is behind
    the median here. Distances are in levels, a level being a cost's rank among all costs, so that
    no monotone transform of the costs matters; and the more alike the medians of two instances are,
    the more the one counts for the other.

    Why not rank the survivors alone: the mean rank that a race is after is the one among all, and
    ranks among the last few say only who won. Where candidates are good on different instances, who
    wins a duel need not be who is best in the field.

    Parameters
    ----------
    costs : (n, m)
        Lower is better, +inf = failed, NaN = did not run. Levels are among the costs up to the row,
        or up to the last row that anybody but the survivors ran on: so that no rank changes while
        nobody leaves.
    survivors : (k,)
        Columns.

    Returns
    -------
    (n', k) array
        For the rows that all survivors have seen. Where everybody ran, the ranks of the row.
    """
    return Field().ranks(costs, survivors)


class Field:
    """The field ranks of a race as it goes on: made anew when somebody leaves, else row by row.

    Attributes
    ----------
    wins
        Who of the survivors beat whom on how many instances, remembered as well.
    """

    def __init__(self) -> None:
        self.wins = Wins()
        self._known = np.empty((0, 0))
        self._of: tuple[bytes, ...] = ()

    def ranks(self, costs: Floats, survivors: Columns) -> Floats:
        """`field_ranks`, of which those that have not changed since are kept."""
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
    """What the ranks of the rows in `seen` depend on: costs that are there do not change."""
    return seen.tobytes(), complete[: len(seen)].tobytes(), survivors.tobytes()


def _estimate(costs: Floats, survivors: Columns, start: int) -> Floats:
    """Ranks on the rows from `start` on, with levels among all of these costs."""
    seen = ~np.isnan(costs)
    if seen[start:].all():
        return rank_rows(costs[start:], check=False)[:, survivors]
    levels = _levels(costs)
    ranks: Floats = rank_rows(levels[start:], check=False)[:, survivors]  # the absent come last
    if (seen.any(axis=0) & ~seen[start:].all(axis=0)).any():
        ranks += _ahead(levels, seen, survivors, start)
    return ranks


def _ahead(levels: Floats, seen: Flags, survivors: Columns, start: int) -> Floats:
    """(rows, k): how many of the absent are expected to have been ahead of each survivor."""
    block = levels[:, survivors]
    centre = np.median(block, axis=1, keepdims=True)
    row, column = np.nonzero(seen & ~seen[start:].all(axis=0))
    behind = levels[row, column] - centre[row, 0]
    order = np.argsort(behind, kind="stable")
    row, column, behind = row[order], column[order], behind[order]
    alike, share = _kernel(centre[:, 0] / seen.sum(), seen, start)
    mine = (block - centre)[start:]
    ahead = np.zeros(mine.shape)
    for part, lacking in _alike_rows(~seen[start:]):
        of = np.flatnonzero(lacking[column])  # what the candidates that these rows lack have seen
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
    """What an observation counts for the rows from `start` on: by its row, and by its column.

    The weight of an observation is the product. For every column that a row lacks, the weights of
    its observations add up to 1.
    """
    alike = np.exp(-0.5 * ((centre[start:, None] - centre) / _NEAR) ** 2) + _LEAST
    share = ~seen[start:] / np.maximum(alike @ seen, _LEAST)  # only empty columns fall short of it
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
    """Ranks within each row of an (n, m) matrix among those who ran; NaN for who did not."""
    return np.where(np.isnan(costs), np.nan, rank_rows(_levels(costs), check=False))


def _levels(costs: Floats) -> Floats:
    """The rank of each cost among all costs, failures tied; +inf, behind them, where none is."""
    seen = ~np.isnan(costs)
    levels = np.full(costs.shape, np.inf)
    levels[seen] = rank_rows(costs[seen][None], check=False)[0] if seen.any() else []
    return levels
