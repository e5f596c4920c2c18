"""Ranks among all candidates of a race, also on instances that some of them never saw."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_NEAR = 0.2
"""Bandwidth within which the medians of two instances are alike, in shares of all levels."""

_LEAST = 1e-3
"""Weight of an instance that is like no other, against 1 for one that is alike."""


def field_ranks(costs: Floats, alive: Flags, row: int) -> Floats:
    """Ranks on one instance among all candidates, 1 best; NaN for who did not run.

    A candidate that was dropped would have had a cost on later instances too, and so a part in the
    ranks there. The chance that it would have beaten somebody is read off the instances that it
    saw: how far it was behind the median of those who were still alive in this row, against how far
    that somebody is behind their median in this row. Distances are in levels, a level being a
    cost's rank among all costs so far, so that no monotone transform of the costs matters; and the
    more alike the medians of two instances are, the more the one counts for the other.

    Why not rank the survivors alone: the mean rank that a race is after is the one among all, and
    ranks among the last few say only who won. Where candidates are good on different instances, who
    wins a duel need not be who is best in the field.

    Only what was known when the row was closed counts for who was absent, so a rank never changes
    but for late-comers who run on the instance afterwards, and count like anybody who ran.

    Parameters
    ----------
    costs, alive : (n, m)
        As in `racing.results.Results`. Rows after `row` do not matter.
    row
        Which one.

    Returns
    -------
    (m,) array
        Where everybody ran, the ranks of the row.
    """
    ranks: Floats = row_ranks(costs[[row]])[0]
    ran = np.flatnonzero(~np.isnan(ranks))
    absent = np.flatnonzero(alive[: row + 1].any(axis=0) & np.isnan(costs[row]))
    if len(absent) and alive[row].any():
        settled = np.where(alive[: row + 1], costs[: row + 1], np.nan)
        ranks[ran] += _ahead(settled, absent, costs[row, ran])
    return ranks


def all_field_ranks(costs: Floats, alive: Flags) -> Floats:
    """(n, m) field ranks on all instances."""
    rows = [field_ranks(costs, alive, row) for row in range(len(costs))]
    return np.array(rows).reshape(costs.shape)


def row_ranks(costs: Floats) -> Floats:
    """Ranks within each row of an (n, m) matrix among those who ran; NaN for who did not."""
    seen = ~np.isnan(costs)
    levels = np.full(costs.shape, np.inf)  # behind all levels are those who did not run
    levels[seen] = _levels(np.sort(costs[seen]), costs[seen])
    return np.where(seen, rank_rows(levels, check=False), np.nan)


def _ahead(costs: Floats, absent: NDArray[np.intp], mine: Floats) -> Floats:
    """How many of the absent are expected to have been ahead of these costs on the last row."""
    seen = ~np.isnan(costs)
    here = np.flatnonzero(seen[-1])
    rows = np.flatnonzero(seen[:, here].all(axis=1) & seen[:, absent].any(axis=1))
    pool = np.sort(costs[seen])
    last = _levels(pool, costs[-1, here])
    centre = np.median(_levels(pool, costs[np.ix_(rows, here)]), axis=1)
    row, column = np.nonzero(seen[np.ix_(rows, absent)])
    behind = _levels(pool, costs[rows[row], absent[column]]) - centre[row]
    apart = (centre - np.median(last)) / (_NEAR * len(pool))
    alike = np.exp(-(apart**2) / 2)[row] + _LEAST
    weights = alike / np.bincount(column, alike)[column]
    order = np.argsort(behind, kind="stable")
    up_to = np.append(0.0, weights[order].cumsum())
    place = _levels(pool, mine) - np.median(last)
    left, right = (np.searchsorted(behind[order], place, side=side) for side in ("left", "right"))
    ahead: Floats = (up_to[left] + up_to[right]) / 2  # ties count half
    return ahead


def _levels(pool: Floats, costs: Floats) -> Floats:
    """The ranks of costs in a sorted pool, ties averaged; who is not in it comes in between."""
    below, up_to = (np.searchsorted(pool, costs, side=side) for side in ("left", "right"))
    levels: Floats = (below + up_to + 1) / 2
    return levels
