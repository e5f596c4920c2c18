"""Steel's tests of k independent samples, each two ranked alone, family-wise.

Against a control, the largest |z| of Mann and Whitney's tests is compared with that of normal
variables, which are correlated because all of them share the runs of the control. Of all pairs
(Steel and Dwass), √2 times the largest |z| is compared with the range of k normal variables. The
result for two algorithms depends on the others only through their number and sizes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Floats, Ints, as_column
from racing.stats._groups import Groups, Placements
from racing.stats._paired import over
from racing.stats._range import common_tail, studentized_range_sf
from racing.stats.mann_whitney import standard_errors


@dataclass(frozen=True, eq=False)
class SteelTest:
    """Comparisons of k samples with a control, (k,), or of all pairs, (k, k).

    `steel` and `steel_dwass` return it.

    Attributes
    ----------
    statistics
        z of Mann and Whitney's test, positive if the sample is better than the control; of all
        pairs W = √2·z, positive if i is better than j, as tables of the studentized range have it.
    pvalues
        Two-sided, family-wise: not to be corrected again; 1 for a sample against itself.
    a
        The chance that a run is better than one of the control, or of j, ties half.

    Examples
    --------
    >>> from racing.stats import steel
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = steel(samples, control=1)
    >>> found.a.tolist()
    [0.875, 0.5, 0.0]
    >>> found.statistics.round(2).tolist()
    [1.75, 0.0, -2.32]
    """

    statistics: Floats
    pvalues: Floats
    a: Floats
    sizes: Ints


def steel(samples: Iterable[ArrayLike], *, control: int) -> SteelTest:
    """Steel's test of k vectors of costs, lower better, ties corrected, against one of them.

    Parameters
    ----------
    samples
        A sequence of k vectors of costs of any lengths.
    control
        The number of the sample that all others are compared with.

    Raises
    ------
    InputError
        If a sample is no vector of costs, or `control` none of them.

    Notes
    -----
    Steel (1959), with the correlations of samples of unequal sizes in place of his tables. An
    approximation for large samples that assumes one distribution under equality, as Mann and
    Whitney's test does.

    Examples
    --------
    >>> from racing.stats import steel
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = steel(samples, control=0)
    >>> found.pvalues.round(4).tolist()
    [1.0, 0.1439, 0.0382]
    """
    placed = Placements.of(Groups.of(samples))
    sizes = placed.groups.sizes
    column = as_column(control, sizes.size)
    z = over(placed.u() - placed.pairs / 2, standard_errors(placed))[:, column]
    shares = _shares(np.delete(sizes, column), int(sizes[column]))
    p = np.insert(common_tail(np.abs(np.delete(z, column)), shares), column, 1.0)
    return SteelTest(z, p, placed.a()[:, column], sizes)


def steel_dwass(samples: Iterable[ArrayLike]) -> SteelTest:
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
    w = math.sqrt(2) * over(away, error)
    p = studentized_range_sf(np.abs(w), len(w), math.inf)
    np.fill_diagonal(p, 1.0)
    return SteelTest(w, p, placed.a(), placed.groups.sizes)


def _shares(sizes: Ints, of_control: int) -> Floats:
    """λ_i: z_i and z_j have the correlation λ_i·λ_j."""
    return np.asarray(np.sqrt(sizes / (sizes + of_control + 1.0)))
