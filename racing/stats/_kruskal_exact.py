"""Kruskal and Wallis' test without an approximation: over all assignments of ranks, or a sample.

The statistic depends on the rank sums only. The runs are dealt one after another, best first. A
state is the counts and the rank sums of the groups, with the number of ways to reach it, so there
are far fewer states than assignments.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.stats._checks import Floats, Ints
from racing.stats._groups import Groups

Whole = NDArray[np.int64]

_MOST = 2e9  # steps: some ten seconds, or thirty with ties
_CLOSE = 1e-9  # relative; statistics of equal assignments differ by rounding only
_CELLS = 1 << 20  # ranks dealt at once


def steps(sizes: Ints) -> float:
    """A bound of the states of untied runs times the runs; 2e7 take .2 seconds or less.

    Each group but the largest has n + 1 counts, and n(N − n) + 1 rank sums.
    """
    n, total = np.sort(sizes)[:-1].astype(np.float64), float(sizes.sum())
    return float(np.prod((n + 1) * (n * (total - n) + 1))) * total


def between_groups(totals: Floats, sizes: Ints) -> Floats:
    """Σ (R_i − n_i(N + 1)/2)²/n_i of rank sums of shape (..., k)."""
    away = totals - sizes * (sizes.sum() + 1) / 2
    return np.asarray((away**2 / sizes).sum(axis=-1))


def exact_tail(sizes: Ints, ranks: Floats) -> float:
    """P(H >= observed) over all assignments; `ranks` has shape (N,), group after group."""
    if steps(sizes) > _MOST:
        raise InputError(
            f"method: 'exact' takes at most {_MOST:.0e} steps, here are {steps(sizes):.1e}; "
            "use method='permutation' or 'chi2'"
        )
    starts = np.cumsum(sizes) - sizes
    observed = float(between_groups(np.add.reduceat(ranks, starts), sizes))
    ordered = np.sort(sizes)  # the largest group last: its sums need not be kept
    totals, ways = deal(ordered, np.sort(2 * ranks).astype(np.int64))
    reached = between_groups(totals / 2, ordered) >= observed * (1 - _CLOSE)
    return float(ways[reached].sum() / ways.sum())


def permuted_tail(
    groups: Groups, ranks: Floats, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """The same by random assignments, the observed one included, and its standard error."""
    observed = float(between_groups(groups.sums(ranks), groups.sizes))
    step, reached = max(1, _CELLS // groups.total), 1
    for start in range(0, draws, step):
        dealt = np.repeat(ranks[None], min(step, draws - start), axis=0)
        rng.permuted(dealt, axis=1, out=dealt)
        between = between_groups(groups.sums(dealt), groups.sizes)
        reached += int(np.count_nonzero(between >= observed * (1 - _CLOSE)))
    p = reached / (draws + 1)
    return p, math.sqrt(p * (1 - p) / draws)


def deal(sizes: Ints, twice: Whole) -> tuple[Whole, Floats]:
    """All doubled rank sums, (states, k), and the number of ways to each; `twice` is sorted.

    A state is one whole number: the counts and then the doubled sums of all groups but the last.
    """
    counted = sizes[:-1]
    most = 1 + np.append(0, twice[::-1].cumsum())[counted]  # a group's largest sum, and zero
    units = [math.prod(map(int, [*(counted + 1), *most][:i])) for i in range(2 * counted.size + 1)]
    if units[-1] >= 2**63:
        raise InputError(
            "method: 'exact' has too many groups to count; use 'permutation' or 'chi2'"
        )
    of_counts, of_sums = np.array(units[:-1], dtype=np.int64).reshape(2, -1)
    reached, ways = np.zeros(1, dtype=np.int64), np.ones(1)
    for dealt, rank in enumerate(twice):
        counts = reached[:, None] // of_counts % (counted + 1)
        moves = _moves(counts, dealt, sizes, of_counts + rank * of_sums)
        after = np.concatenate([reached[room] + step for room, step in moves])
        ways = np.concatenate([ways[room] for room, _ in moves])
        reached, where = np.unique(after, return_inverse=True)
        ways = np.asarray(np.bincount(where, ways))
    sums = reached[:, None] // of_sums % most
    return np.column_stack([sums, twice.sum() - sums.sum(axis=1)]), ways


def _moves(
    counts: Whole, dealt: int, sizes: Ints, steps: Whole
) -> list[tuple[NDArray[np.bool_], int]]:
    """For each group: the states in which it has room for another run, and what that adds."""
    last = dealt - counts.sum(axis=1) < sizes[-1]
    room = [counts[:, i] < sizes[i] for i in range(len(steps))]
    return [*zip(room, steps.tolist(), strict=True), (last, 0)]
