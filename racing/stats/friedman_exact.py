"""Friedman's test without an approximation: all arrangements of the ranks, or a sample of them.

Under the null hypothesis every row's ranks (ties included) are equally likely in any order. The
p-value is the share of arrangements whose statistic is at least the observed one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.stats._checks import Floats, as_count
from racing.stats.friedman import FriedmanTest, RankSums
from racing.stats.ranks import ranks_of

Whole = NDArray[np.int64]

_STEPS_AT_MOST = 200_000_000  # (rank-sum vectors) × (arrangements of a row): some ten seconds
_BLOCK = 1 << 19


def friedman_exact(X: ArrayLike, *, ranked: bool = False, check: bool = True) -> FriedmanTest:
    """Friedman's test with its exact p-value, conditional on the ties, for small tables.

    Reaches about n = 200 at m = 3, 50 at m = 4, 14 at m = 5, 7 at m = 6, 4 at m = 7, 2 at m = 9.

    Parameters as for `friedman`.

    Raises
    ------
    InputError
        If `X` is no table of costs, or too large to enumerate.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import friedman_exact
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = friedman_exact(X)
    >>> round(float(found.pvalue), 4)
    0.0017
    """
    sums = RankSums.of(ranks_of(X, ranked=ranked, check=check))
    rows = _whole_rows(sums.ranks)
    p = _tail(rows) if len(rows) else 1.0
    w = sums.concordance(True)
    return sums.result(sums.n * (sums.m - 1) * w, p, "exact", (), True)


def friedman_permutation(
    X: ArrayLike,
    rng: np.random.Generator,
    *,
    n_draws: int = 9_999,
    ranked: bool = False,
    check: bool = True,
) -> FriedmanTest:
    """Friedman's test by `n_draws` random arrangements of every row; any size, any ties.

    The observed table counts as one draw, so p is never 0 and the test keeps its level whatever
    the number of draws. `p_error` is the Monte Carlo standard error.

    Raises
    ------
    InputError
        If `X` is no table of costs or `n_draws` is below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import friedman_permutation
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = friedman_permutation(X, np.random.default_rng(1))
    >>> round(float(found.pvalue), 4)
    0.0014
    """
    n_draws = as_count(n_draws, name="n_draws")
    sums = RankSums.of(ranks_of(X, ranked=ranked, check=check))
    rows = _whole_rows(sums.ranks)
    observed = _sum_of_squares(rows.sum(axis=0))
    block = max(1, _BLOCK // sums.ranks.size)
    hits = 0
    for start in range(0, n_draws, block):
        shape = (min(block, n_draws - start), *rows.shape)
        totals = rng.permuted(np.broadcast_to(rows, shape), axis=2).sum(axis=1)
        hits += int((_sum_of_squares(totals) >= observed).sum())
    p = (hits + 1) / (n_draws + 1)
    error = math.sqrt(p * (1 - p) / (n_draws + 1))
    w = sums.concordance(True)
    return sums.result(sums.n * (sums.m - 1) * w, p, "permutation", (), True, error)


def _whole_rows(ranks: Floats) -> Whole:
    """The ranks as small whole numbers from 0, without the rows that are tied throughout.

    Only the order of Σ_j R_j² matters below. Shifting a row changes it by a constant; scaling all
    rows changes it by a factor; so both are free.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    doubled -= doubled.min(axis=1, keepdims=True)
    informative = doubled[doubled.any(axis=1)]
    return informative // max(int(np.gcd.reduce(informative, axis=None)), 1)


def _sum_of_squares(totals: Whole) -> Whole:
    squares: Whole = np.einsum("...j,...j->...", totals, totals)
    return squares


def _tail(rows: Whole) -> float:
    """P(Σ R_j² >= observed) by convolution over the rows, on sorted rank-sum vectors.

    The statistic does not see which column is which, so vectors that differ by a permutation of
    the columns are one state, and the first row is not permuted.
    """
    observed = _sum_of_squares(rows.sum(axis=0))
    states, weights = np.sort(rows[:1], axis=1), np.ones(1)
    for row in rows[1:-1]:
        states, weights = _convolve(states, weights, _arrangements(row))
    if len(rows) == 1:
        return 1.0
    last = _arrangements(rows[-1])
    _refuse_if_large(len(states), len(last))
    p = 0.0
    step = max(1, _BLOCK // len(last))
    lengths, last_length = _sum_of_squares(states), _sum_of_squares(last[0])
    for start in range(0, len(states), step):
        part = slice(start, start + step)
        squares = lengths[part, None] + 2 * (states[part] @ last.T) + last_length
        p += float(weights[part] @ (squares >= observed).mean(axis=1))
    return min(p, 1.0)


def _convolve(states: Whole, weights: Floats, arranged: Whole) -> tuple[Whole, Floats]:
    """The distribution after one more row: states × arrangements, equal vectors merged."""
    m = states.shape[1]
    _refuse_if_large(len(states), len(arranged))
    base = int(states.max() + arranged.max()) + 1
    if base**m >= 2**63:
        _refuse()
    place_values = base ** np.arange(m, dtype=np.int64)
    keys: Whole = np.empty(0, dtype=np.int64)
    masses: Floats = np.empty(0)
    step = max(1, _BLOCK // len(arranged))
    for start in range(0, len(states), step):
        part = slice(start, start + step)
        grown = np.sort((states[part, None, :] + arranged).reshape(-1, m), axis=1)
        mass = np.repeat(weights[part] / len(arranged), len(arranged))
        keys, place = np.unique(np.append(keys, grown @ place_values), return_inverse=True)
        masses = np.bincount(place, weights=np.append(masses, mass)).astype(np.float64)
    return keys[:, None] // place_values % base, masses


def _arrangements(row: Whole) -> Whole:
    """All distinct orders of the cells of a row, one per line."""
    values, counts = np.unique(row, return_counts=True)
    number = math.factorial(row.size) // math.prod(math.factorial(int(c)) for c in counts)
    _refuse_if_large(number, row.size)
    prefixes, left = np.empty((1, 0), dtype=np.int64), counts[None, :]
    for _ in range(row.size):
        line, choice = np.nonzero(left)
        prefixes = np.column_stack([prefixes[line], values[choice]])
        left = left[line]
        left[np.arange(line.size), choice] -= 1
    return prefixes


def _refuse_if_large(states: int, arrangements: int) -> None:
    if states * arrangements > _STEPS_AT_MOST:
        _refuse()


def _refuse() -> None:
    raise InputError(
        "X: too large for the exact Friedman test; use friedman_permutation, or iman_davenport"
    )
