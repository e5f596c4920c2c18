"""Steel and Dwass' test: all pairs of k independent samples, each ranked by itself, family-wise.

√2 times the largest |z| of Mann and Whitney's tests is compared with the range of k normal
variables. The result for two algorithms depends on the others only through their number k.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Floats, Ints
from racing.stats._groups import Groups
from racing.stats._placements import Placements
from racing.stats._range import range_sf
from racing.stats.mann_whitney import standard_errors


@dataclass(frozen=True, eq=False)
class SteelDwassTest:
    """Comparisons of all pairs of k samples.

    `steel_dwass` returns it.

    Attributes
    ----------
    statistics
        Shape (k, k), W = √2·z of Mann and Whitney's test, `statistics[i, j] > 0` if i is better
        than j; comparable with tables of the studentized range.
    pvalues
        Shape (k, k), two-sided, family-wise: do not correct them again; 1 on the diagonal.
    a
        Shape (k, k), the chance that i is better than j, ties half.

    Examples
    --------
    >>> from racing.stats import steel_dwass
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = steel_dwass(samples)
    >>> found.a[0].tolist()
    [0.5, 0.875, 1.0]
    >>> found.statistics[0].round(2).tolist()
    [0.0, 2.48, 3.29]
    """

    statistics: Floats
    pvalues: Floats
    a: Floats
    sizes: Ints


def steel_dwass(samples: Iterable[ArrayLike]) -> SteelDwassTest:
    """Steel and Dwass' test of all pairs of k vectors of costs, lower better, ties corrected.

    Raises
    ------
    InputError
        If a sample is no vector of costs.

    Notes
    -----
    Steel (1960); Dwass (1960); for unequal sizes Critchlow and Fligner (1991). An approximation for
    large samples: with few runs no pair can reach small p-values. Like Mann and Whitney's test it
    assumes one distribution under equality, and does not keep its level where spreads and sizes
    differ.

    Examples
    --------
    >>> from racing.stats import steel_dwass
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = steel_dwass(samples)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.1857, 0.0526], [0.1857, 1.0, 0.0526], [0.0526, 0.0526, 1.0]]
    """
    placed = Placements.of(Groups.of(samples))
    away, error = placed.u() - placed.pairs / 2, standard_errors(placed)
    w = math.sqrt(2) * np.divide(away, error, out=np.zeros_like(away), where=error > 0)
    k = placed.groups.k
    p, above = np.ones((k, k)), np.triu_indices(k, 1)
    if k > 1:
        p[above] = range_sf(np.abs(w[above]), k)
        p.T[above] = p[above]
    return SteelDwassTest(w, p, placed.a(), placed.groups.sizes)
