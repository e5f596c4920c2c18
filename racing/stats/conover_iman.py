"""Conover and Iman's comparisons after Kruskal and Wallis: mean ranks among all runs against t.

More powerful than Dunn's, because the variance of the ranks is taken within the samples. Like
Dunn's, it depends on the other algorithms that are ranked with the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import gammaln, stdtr
from racing.stats._checks import Floats, Ints, as_column
from racing.stats._groups import Groups
from racing.stats.dunn import differences, itself


@dataclass(frozen=True, eq=False)
class ConoverImanTest:
    """Comparisons of mean ranks of k independent samples.

    `conover_iman` returns it.

    Attributes
    ----------
    mean_ranks
        Shape (k,), among all runs; lower is better.
    t
        All pairs: shape (k, k), `t[i, j] > 0` if i is worse than j. Against a control: shape
        (k,). Infinite if no run is ranked within another sample.
    pvalues
        Two-sided, same shape, not adjusted; 1 for a sample against itself.
    standard_errors
        Same shape, of the difference of the two mean ranks.
    df
        Degrees of freedom, N − k.

    Examples
    --------
    >>> from racing.stats import conover_iman
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = conover_iman(samples, control=0)
    >>> found.mean_ranks.tolist()
    [3.0, 6.0, 10.5]
    >>> found.t.round(2).tolist(), found.df
    ([0.0, 2.43, 6.07], 9)
    """

    mean_ranks: Floats
    t: Floats
    pvalues: Floats
    standard_errors: Floats
    df: int
    sizes: Ints
    control: int | None


def conover_iman(samples: Iterable[ArrayLike], *, control: int | None = None) -> ConoverImanTest:
    """Conover and Iman's test of all pairs of k vectors of costs, or against a control.

    Parameters
    ----------
    samples
        A sequence of k vectors of costs, lower better, of any lengths.
    control
        The number of the sample that all others are compared with; None compares all pairs.

    Raises
    ------
    InputError
        If a sample is no vector of costs, or `control` is not one of them.

    Notes
    -----
    Conover and Iman (1979); Conover (1999), 5.2, eq. 6. For use after a significant `kruskal`;
    correct the p-values if it is used alone.

    If all runs of each sample are equal, the standard error is 0 and t infinite; the p-value is
    then an upper bound of the chance of that under random labels, instead of 0. With one run for
    each sample it is 1.

    Examples
    --------
    >>> from racing.stats import conover_iman
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = conover_iman(samples)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0382, 0.0002], [0.0382, 1.0, 0.0054], [0.0002, 0.0054, 1.0]]
    """
    groups = Groups.of(samples)
    ranks = groups.ranks()
    means, df = groups.sums(ranks) / groups.sizes, groups.total - groups.k
    within = float(np.sum((ranks - np.repeat(means, groups.sizes)) ** 2))
    # S²(N − 1 − H)/(N − k) is the mean square within: the sums of squares add up.
    column = None if control is None else as_column(control, groups.k)
    away, errors = differences(means, groups.sizes, within / df if df else 0.0, column)
    certain = np.where(away == 0, 0.0, np.copysign(np.inf, away))
    t = np.divide(away, errors, out=certain, where=errors > 0)
    p = 2 * stdtr(max(df, 1), -np.abs(t)) if within > 0 else _unmixed(groups, ranks, away)
    p[itself(groups.k, column)] = 1.0
    return ConoverImanTest(means, t, p, errors, df, groups.sizes, column)


def _unmixed(groups: Groups, ranks: Floats, away: Floats) -> Floats:
    """At most k!·Πt!/N!, t runs on each rank: random labels leave every sample on one rank."""
    _, t = np.unique(ranks, return_counts=True)
    log = gammaln(groups.k + 1.0) + gammaln(t + 1.0).sum() - gammaln(groups.total + 1.0)
    return np.where(away == 0, 1.0, math.exp(min(float(log), 0.0)))
