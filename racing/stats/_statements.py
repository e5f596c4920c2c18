"""From a table of costs to statements "this one is better than that one", sorted for `_prefix`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.stats._checks import Floats, Ints
from racing.stats._dirichlet import Signs
from racing.stats._prefix import Statements, odd_numbers
from racing.stats.ranks import rank_rows
from racing.stats.sign import sign_counts
from racing.stats.sign_posterior import Bound, beta_shapes, beta_tail

_CELLS = 2**22  # costs copied at once to count the wins of given pairs


@dataclass(frozen=True, eq=False)
class Stated:
    """Statements "this one is better than that one" in order, with what `_prefix` needs."""

    better: Ints
    worse: Ints
    sorted: Statements


def stated(
    costs: Floats,
    pairs: tuple[Ints, Ints] | None,
    directed: bool,
    gamma: float,
    s: float,
    bound: Bound,
    counted: Ints | None = None,
) -> Stated:
    """The statements with a marginal error below gamma, most certain first.

    `counted` are the (m, m) wins, if they are known already.
    """
    if pairs is None:
        i, j, wins, losses = _all_pairs(sign_counts(costs) if counted is None else counted)
    else:
        i, j, wins, losses = _some_pairs(costs, *pairs, directed)
    table, level = _error_levels(wins, losses, s, bound)
    kept = np.flatnonzero((table[level] < gamma) & (wins > losses))
    ranks = rank_rows(costs, check=False)
    score = _scores(ranks)
    kept = kept[np.argsort(score[i[kept]] - score[j[kept]])]
    kept = kept[np.argsort(level[kept], kind="stable")]
    better, worse, levels = i[kept], j[kept], rank_levels(ranks)
    a, b = beta_shapes(wins[kept].astype(float), losses[kept].astype(float), s=s, bound=bound)

    def signs(start: int, stop: int) -> Signs:
        return sign_rows(levels, better[start:stop], worse[start:stop], bound)

    return Stated(better, worse, Statements(a, b, table[level[kept]], signs))


def _all_pairs(wins: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Each pair with a winner, as (winner, loser, its wins, its losses)."""
    i, j = np.nonzero(wins > wins.T)
    return i, j, wins[i, j], wins[j, i]


def _some_pairs(costs: Floats, i: Ints, j: Ints, directed: bool) -> tuple[Ints, Ints, Ints, Ints]:
    """The same for given pairs, which may keep their direction."""
    columns = np.ascontiguousarray(costs.T)
    wins, losses = np.empty_like(i), np.empty_like(i)
    step = max(1, _CELLS // columns.shape[1])
    for part in (slice(start, start + step) for start in range(0, i.size, step)):
        first, second = columns[i[part]], columns[j[part]]
        wins[part] = np.count_nonzero(first < second, axis=1)
        losses[part] = np.count_nonzero(first > second, axis=1)
    if directed:
        return i, j, wins, losses
    back = losses > wins
    return (
        np.where(back, j, i),
        np.where(back, i, j),
        np.where(back, losses, wins),
        np.where(back, wins, losses),
    )


def _error_levels(
    wins: Ints, losses: Ints, s: float, bound: Bound
) -> tuple[Floats, NDArray[np.unsignedinteger]]:
    """The distinct marginal errors in order, and where each pair is among them.

    Half a million pairs have only a few distinct counts, and small integers sort in linear time.
    """
    width = int(losses.max(initial=0)) + 1
    seen, place = unique_codes(wins * width + losses)
    a, b = beta_shapes(*(x.astype(float) for x in np.divmod(seen, width)), s=s, bound=bound)
    table, level = np.unique(beta_tail(a, b), return_inverse=True)
    return table, level.astype(np.min_scalar_type(table.size))[place]


def _scores(ranks: Floats) -> NDArray[np.int64]:
    """A whole number for each column. The difference of two orders statements by rank sums, and
    then (below 2³²) by an arbitrary number made of the differences on each instance."""
    twice = (2 * ranks).astype(np.int64)
    codes = (odd_numbers(len(ranks)) @ twice) >> 32
    scores: NDArray[np.int64] = (twice.sum(axis=0) << 34) + codes
    return scores


def rank_levels(ranks: Floats) -> NDArray[np.float32]:
    """Ranks with a row per column of X; halves to 2²³ are exact."""
    return np.ascontiguousarray(ranks.T, dtype=np.float32)


def sign_rows(levels: NDArray[np.float32], better: Ints, worse: Ints, bound: Bound) -> Signs:
    """A row of signs for each statement; the last place is the prior atom, unless it is a tie."""
    rows: Signs = np.sign(levels[worse] - levels[better]).astype(np.int8)
    if bound == "precise":
        return rows
    atom = np.full((len(rows), 1), -1 if bound == "lower" else 1, dtype=np.int8)
    return np.concatenate([rows, atom], axis=1)


def dirichlet_shapes(n: int, s: float, bound: Bound) -> Floats:
    """Dirichlet parameters: (1, ..., 1), and s for the atom where it takes a side."""
    return np.ones(n) if bound == "precise" else np.append(np.ones(n), s)


def as_pairs(pairs: tuple[ArrayLike, ArrayLike], m: int) -> tuple[Ints, Ints]:
    i, j = (np.asarray(side) for side in pairs)
    whole = i.size == 0 or (i.dtype.kind in "iu" and j.dtype.kind in "iu")
    if i.ndim != 1 or i.shape != j.shape or not whole:
        raise InputError("pairs: expected two vectors of column indices, equally long")
    if i.size and (min(i.min(), j.min()) < 0 or max(i.max(), j.max()) >= m):
        raise InputError(f"pairs: expected columns from 0 to {m - 1}, got {i!r} and {j!r}")
    if (i == j).any():
        raise InputError(f"pairs: a column cannot be compared with itself: {i[i == j][0]}")
    return i.astype(np.intp), j.astype(np.intp)


def unique_codes(codes: Ints) -> tuple[Ints, Ints]:
    """`np.unique` of a vector with the inverse, in linear time where the codes are small."""
    size = int(codes.max(initial=0)) + 1
    if size > 4 * codes.size + 10**5:
        return np.unique(codes, return_inverse=True)
    present = np.bincount(codes, minlength=size) > 0
    return np.flatnonzero(present), (present.cumsum() - 1)[codes]
