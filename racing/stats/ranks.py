"""Ranks within each row: rank 1 is the lowest cost, ties share the average of their ranks.

A matrix of ranks is its own table of costs, `rank_rows(R) == R`, so every test that ranks its rows
takes ranks as well as costs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.stats._checks import Bools, Floats, as_costs, batches, blocks

_CELLS = 1 << 20  # ranks arranged at once

# Cells ranked at once: large enough to hide numpy's overhead, small enough to stay in cache.
_BLOCK = 1 << 18


def rank_rows(X: ArrayLike, *, direction: str = "min", check: bool = True) -> Floats:
    """Ranks of each row of `X`, shape (n, m): rank 1 is the best, ties get average ranks.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms). +inf is worst and ties with every other +inf.
    direction
        "min" if lower is better, "max" if `X` holds scores, higher better (then -inf is worst).
    check
        False trusts `X` to be a float64 matrix without NaN; for callers that checked already.

    Raises
    ------
    InputError
        If `X` is no table of costs; NaN is refused, never ranked.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import rank_rows
    >>> rank_rows(np.array([[3.0, 1.0, 2.0], [4.0, 2.0, 2.0]])).tolist()
    [[3.0, 1.0, 2.0], [3.0, 1.5, 1.5]]
    """
    costs = as_costs(X, direction=direction) if check or direction != "min" else np.asarray(X)
    n, m = costs.shape
    if n * m <= _BLOCK:
        return _rank_block(costs)
    return np.concatenate([_rank_block(costs[part]) for part in blocks(n, m, _BLOCK)])


def _rank_block(costs: Floats) -> Floats:
    n, m = costs.shape
    order = costs.argsort(axis=1)
    order += np.arange(0, n * m, m)[:, None]  # from places in a row to places in the block
    ordered = costs.ravel()[order]
    starts_group = np.empty((n, m), dtype=np.bool_)
    starts_group[:, 0] = True
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=starts_group[:, 1:])
    ranks = np.empty(n * m)
    if starts_group.all():
        ranks[order] = np.arange(1.0, m + 1.0)
    else:
        starts = np.flatnonzero(starts_group)
        sizes = np.diff(starts, append=n * m)
        ranks[order.ravel()] = np.repeat(starts % m + (sizes + 1) / 2, sizes)
    return ranks.reshape(n, m)


def as_ranks(R: ArrayLike) -> Floats:
    """A checked matrix of ranks, e.g. copied from a paper: shape (n, m), rank 1 best.

    Raises
    ------
    InputError
        If a row is no ranking of m numbers (average ranks for ties); names the row.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import as_ranks
    >>> as_ranks(np.array([[1, 2.5, 2.5], [3, 1, 2]])).round(4).tolist()
    [[1.0, 2.5, 2.5], [3.0, 1.0, 2.0]]
    """
    ranks = as_costs(R, name="ranks")
    wrong = np.flatnonzero((rank_rows(ranks, check=False) != ranks).any(axis=1))
    if wrong.size:
        row = ranks[wrong[0]].tolist()
        raise InputError(
            f"ranks must be average ranks, 1 = best, as in 1, 2.5, 2.5, 4; got {row} in row "
            f"{wrong[0]}, which is not a ranking of {ranks.shape[1]}"
        )
    return ranks


def ranks_of(X: ArrayLike, *, ranked: bool = False, check: bool = True) -> Floats:
    """The ranks of a table of costs, or the table itself if it holds ranks already."""
    if not ranked:
        return rank_rows(X, check=check)
    return as_ranks(X) if check else np.asarray(X, dtype=np.float64)


def mean_ranks(X: ArrayLike, *, direction: str = "min") -> Floats:
    """The mean rank of each column of a table of costs (or of ranks), shape (m,); lower better.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import mean_ranks
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> mean_ranks(X).round(4).tolist()
    [3.0, 1.1667, 1.8333]
    """
    return np.asarray(rank_rows(X, direction=direction).mean(axis=0))


def random_share(
    rows: NDArray[Any], reached: Callable[[NDArray[Any]], Bools], draws: int, rng: Generator
) -> tuple[float, float]:
    """A p-value of random arrangements within rows, and its standard error.

    It is the share of arrangements, (d, *rows.shape) at a time, that have `reached` the statistic.
    The one observed counts too, so that p is never 0 and the test keeps its level.
    """
    hits = 1
    for size in batches(draws, rows.size, _CELLS):
        arranged = rng.permuted(np.broadcast_to(rows, (size, *rows.shape)), axis=-1)
        hits += int(np.count_nonzero(reached(arranged)))
    p = hits / (draws + 1)
    return p, math.sqrt(p * (1 - p) / (draws + 1))
