"""Vargha and Delaney's A of all pairs of k independent samples, with intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Floats, Ints, as_level
from racing.stats._groups import Groups
from racing.stats._intervals import newcombe
from racing.stats._placements import Placements


@dataclass(frozen=True, eq=False)
class SuperiorityPairs:
    """A of all pairs of k samples; (k, k), entry (i, j) is i against j; larger means that i is
    better.

    `superiority_pairs` returns it.

    `wins` and `ties` count pairs of runs, `a` = (wins + ties/2)/(n_i n_j). `low` and `high` hold
    each A with `level`, one pair at a time.

    Examples
    --------
    >>> from racing.stats import superiority_pairs
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = superiority_pairs(samples)
    >>> found.wins[0].tolist(), found.ties[0].tolist()
    ([6, 13, 16], [4, 2, 0])
    >>> f"A = {found.a[0, 1]:.2f}, between {found.low[0, 1]:.2f} and {found.high[0, 1]:.2f}"
    'A = 0.88, between 0.45 and 0.98'
    """

    a: Floats
    low: Floats
    high: Floats
    wins: Ints
    ties: Ints
    level: float
    sizes: Ints
    interval: str = "Newcombe (2006), method 5"


def superiority_pairs(samples: Iterable[ArrayLike], *, level: float = 0.95) -> SuperiorityPairs:
    """Vargha and Delaney's A of all pairs of k vectors of costs, lower better, of any lengths.

    The same numbers as `vargha_delaney(x, y, paired=False)` of each pair. Newcombe's interval
    stays sensible where samples do not overlap, and assumes that the distributions differ about as
    much in spread as in place; that of `brunner_munzel_pairs` assumes neither.

    Raises
    ------
    InputError
        If a sample is no vector of costs, or `level` no probability.

    Examples
    --------
    >>> from racing.stats import superiority_pairs
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = superiority_pairs(samples)
    >>> found.a.round(4).tolist()
    [[0.5, 0.875, 1.0], [0.125, 0.5, 1.0], [0.0, 0.0, 0.5]]
    """
    as_level(level, name="level")
    placed = Placements.of(Groups.of(samples))
    a, ties, k = placed.a(), placed.ties(), placed.groups.k
    low, high = np.full((k, k), 0.5), np.full((k, k), 0.5)
    sizes = placed.groups.sizes.tolist()
    for i, j in zip(*np.triu_indices(k, 1), strict=True):
        low[i, j], high[i, j] = newcombe(float(a[i, j]), sizes[i], sizes[j], level)
        low[j, i], high[j, i] = 1 - high[i, j], 1 - low[i, j]
    wins = np.rint(placed.u() - ties / 2).astype(np.intp)
    np.fill_diagonal(a, 0.5)
    return SuperiorityPairs(a, low, high, wins, ties.astype(np.intp), level, placed.groups.sizes)
