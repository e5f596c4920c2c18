"""Friedman's test without an approximation: all arrangements of the ranks, or a sample of them.

Under the null hypothesis every row's ranks (ties included) are equally likely in any order. The
p-value is the share of arrangements whose statistic is at least the observed one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.stats._checks import Floats

Whole = NDArray[np.int64]


_STEPS_AT_MOST = 200_000_000  # (rank-sum vectors) × (arrangements of a row): some ten seconds


_BLOCK = 1 << 19


def exact_tail(ranks: Floats) -> float:
    """P(Σ R_j² >= observed) over all arrangements, on sorted rank-sum vectors, row by row."""
    rows = _whole_rows(ranks)
    if len(rows) <= 1:
        return 1.0
    observed = _sum_of_squares(rows.sum(axis=0))
    states, weights = np.sort(rows[:1], axis=1), np.ones(1)
    for row in rows[1:-1]:
        states, weights = _convolve(states, weights, _arrangements(row))
    last = _arrangements(rows[-1])
    _refuse(len(states) * len(last) > _STEPS_AT_MOST)
    p = 0.0
    step = max(1, _BLOCK // len(last))
    lengths, last_length = _sum_of_squares(states), _sum_of_squares(last[0])
    for start in range(0, len(states), step):
        part = slice(start, start + step)
        squares = lengths[part, None] + 2 * (states[part] @ last.T) + last_length
        p += float(weights[part] @ (squares >= observed).mean(axis=1))
    return min(p, 1.0)


def permuted_tail(ranks: Floats, rng: np.random.Generator, draws: int) -> tuple[float, float]:
    """The same over random arrangements, the observed one included, and its standard error."""
    rows = _whole_rows(ranks)
    observed = _sum_of_squares(rows.sum(axis=0))
    block, hits = max(1, _BLOCK // ranks.size), 1
    for start in range(0, draws, block):
        shape = (min(block, draws - start), *rows.shape)
        totals = rng.permuted(np.broadcast_to(rows, shape), axis=2).sum(axis=1)
        hits += int((_sum_of_squares(totals) >= observed).sum())
    p = hits / (draws + 1)
    return p, math.sqrt(p * (1 - p) / (draws + 1))


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


def _convolve(states: Whole, weights: Floats, arranged: Whole) -> tuple[Whole, Floats]:
    """The distribution after one more row: states × arrangements, equal vectors merged."""
    m = states.shape[1]
    _refuse(len(states) * len(arranged) > _STEPS_AT_MOST)
    base = int(states.max() + arranged.max()) + 1
    _refuse(base**m >= 2**63)
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
    _refuse(number * row.size > _STEPS_AT_MOST)
    prefixes, left = np.empty((1, 0), dtype=np.int64), counts[None, :]
    for _ in range(row.size):
        line, choice = np.nonzero(left)
        prefixes = np.column_stack([prefixes[line], values[choice]])
        left = left[line]
        left[np.arange(line.size), choice] -= 1
    return prefixes


def _refuse(too_large: bool) -> None:
    if too_large:
        raise InputError(
            "X: too large for the exact Friedman test; take reference='permutation' or 'F'"
        )
