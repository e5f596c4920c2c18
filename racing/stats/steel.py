"""Steel's test: k − 1 independent samples, each ranked with a control alone, family-wise.

The largest |z| of Mann and Whitney's tests is compared with that of normal variables, which are
correlated because all of them share the runs of the control.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import ndtr
from racing.stats._checks import Floats, Ints, as_column
from racing.stats._groups import Groups
from racing.stats._placements import Placements
from racing.stats.mann_whitney import standard_errors

_FAR, _STEP = 9.0, 0.05  # of the trapezoid rule, in standard deviations
_ALMOST_ONE = 1 - 2.0**-53


@dataclass(frozen=True, eq=False)
class SteelTest:
    """Comparisons of k samples with a control; all arrays have shape (k,).

    `steel` returns it.

    Attributes
    ----------
    statistics
        z of Mann and Whitney's test, positive if the sample is better than the control.
    pvalues
        Two-sided, family-wise: not to be corrected again; 1 for the control.
    a
        The chance that a run is better than one of the control, ties half.

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
    control: int


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
    k, sizes = placed.groups.k, placed.groups.sizes
    column = as_column(control, k)
    away, error = placed.u() - placed.pairs / 2, standard_errors(placed)
    z = np.divide(away, error, out=np.zeros_like(away), where=error > 0)[:, column]
    others = np.delete(np.arange(k), column)
    p = np.ones(k)
    if others.size:
        p[others] = _tail(np.abs(z[others]), _shares(sizes[others], int(sizes[column])))
    return SteelTest(z, p, placed.a()[:, column], sizes, column)


def _shares(sizes: Ints, of_control: int) -> Floats:
    """λ_i: z_i and z_j have the correlation λ_i·λ_j.

    Cov(U_i, U_j) = n₀·n_i·n_j/12 and Var(U_i) = n₀·n_i(n₀ + n_i + 1)/12, without ties.
    """
    return np.asarray(np.sqrt(sizes / (sizes + of_control + 1.0)))


def _tail(d: Floats, shares: Floats) -> Floats:
    """P(max |Z_i| > d): given the common part x, the Z_i = λ_i·x + √(1 − λ_i²)·Y_i are independent.

    Computed as a tail, so that small p-values keep their digits.
    """
    x = np.arange(-_FAR - d.max(), _FAR + d.max(), _STEP)
    density = _STEP * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    own, common = np.sqrt(1 - shares**2)[:, None], shares[:, None] * x
    inside = np.zeros((d.size, x.size))
    for each in zip(own, common, strict=True):
        outside = ndtr((each[1] - d[:, None]) / each[0]) + ndtr((-each[1] - d[:, None]) / each[0])
        inside += np.log1p(-np.minimum(outside, _ALMOST_ONE))
    return np.where(d > 0, np.minimum(-np.expm1(inside) @ density, 1.0), 1.0)
