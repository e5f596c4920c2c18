"""Dunn's, and Conover and Iman's, comparisons after Kruskal and Wallis: mean ranks among all runs.

Dunn's are against the normal distribution, Conover and Iman's against t, which is more powerful,
because the variance of the ranks is taken within the samples. The result for two algorithms depends
on the others that are ranked with them, as in every comparison of mean ranks. `brunner_munzel` and
`steel_dwass` use the two alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import gammaln, ndtr, stdtr
from racing.stats._checks import Alternative, Floats, checked
from racing.stats._groups import Groups, tie_sum
from racing.stats._paired import p_value
from racing.stats.comparisons import Comparisons, Contrasts


@checked
def dunn(
    samples: Iterable[ArrayLike],
    *,
    control: int | None = None,
    alternative: Alternative = "two-sided",
    tie_correction: bool = True,
) -> Comparisons:
    """Dunn's test of all pairs of k vectors of costs, or against a control; p-values not adjusted.

    Parameters
    ----------
    samples
        A sequence of k vectors of costs, lower better, of any lengths.
    control
        The number of the sample that all others are compared with; None compares all pairs.
    alternative
        "better": p-values for "the row is better than the other"; "worse" for the reverse.
    tie_correction
        False takes the variance of untied ranks, as some programs do; with ties it is too large.

    Raises
    ------
    InputError
        If a sample is no vector of costs, or `control` is not one of them.

    Notes
    -----
    Dunn (1964). A normal approximation that assumes one distribution of all k samples.

    Examples
    --------
    >>> from racing.stats import dunn
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = dunn(samples)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.2368, 0.0031], [0.2368, 1.0, 0.076], [0.0031, 0.076, 1.0]]
    """
    groups = Groups.of(samples)
    ranks, n = groups.ranks(), groups.total
    # Dunn (1964), eq. 4 and 5: [N(N + 1)/12 − Σ(t³ − t)/(12(N − 1))] (1/n_i + 1/n_j)
    ties = tie_sum(ranks) if tie_correction else 0.0
    variance = n * (n + 1) / 12 - ties / (12 * max(n - 1, 1))
    found = _contrasts(groups, ranks, max(variance, 0.0), control)
    return found.result(p_value(-found.statistic, ndtr, alternative), "normal")


def conover_iman(samples: Iterable[ArrayLike], *, control: int | None = None) -> Comparisons:
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
    ranks, df = groups.ranks(), groups.total - groups.k
    means = groups.sums(ranks) / groups.sizes
    within = float(np.sum((ranks - np.repeat(means, groups.sizes)) ** 2))
    # S²(N − 1 − H)/(N − k) is the mean square within: the sums of squares add up.
    found = _contrasts(groups, ranks, within / df if df else 0.0, control)
    p = 2 * stdtr(max(df, 1), -np.abs(found.statistic))
    return found.result(p if within > 0 else _unmixed(groups, ranks, found.away), "t", df)


def _contrasts(groups: Groups, ranks: Floats, variance: float, control: int | None) -> Contrasts:
    errors = np.sqrt(variance * np.add.outer(1 / groups.sizes, 1 / groups.sizes))
    return Contrasts.of(groups.sums(ranks) / groups.sizes, errors, control)


def _unmixed(groups: Groups, ranks: Floats, away: Floats) -> Floats:
    """At most k!·Πt!/N!, t runs on each rank: random labels leave every sample on one rank."""
    _, t = np.unique(ranks, return_counts=True)
    log = gammaln(groups.k + 1.0) + gammaln(t + 1.0).sum() - gammaln(groups.total + 1.0)
    return np.where(away == 0, 1.0, math.exp(min(float(log), 0.0)))
