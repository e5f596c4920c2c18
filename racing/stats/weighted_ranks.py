"""Omnibus tests by ranks that weigh instances by their differences: Quade's, and aligned ranks.

Quade's test is Friedman's with the instances weighted by the range of their costs. The
aligned-ranks test ranks all cells together, after subtracting the mean of each row. Both are
stronger than Friedman's test for few algorithms, because costs are compared across instances; so
the costs of different instances must be commensurable, as in Wilcoxon's test. The aligned ranks of
a pair depend on which other algorithms are in the table, as mean ranks do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import chdtrc, fdtrc, ndtr
from racing.stats._checks import Digits, Floats, as_costs, as_finite_costs, checked
from racing.stats._paired import differences, p_value
from racing.stats.comparisons import Comparisons, Contrasts
from racing.stats.friedman import RankSums
from racing.stats.ranks import rank_rows


@dataclass(frozen=True, slots=True, eq=False)
class QuadeTest:
    """The outcome of Quade's test.

    `quade` returns it.

    Attributes
    ----------
    statistic
        F, inf if all rows are ranked alike and have ranges of one rank.
    pvalue
        From the F distribution with `df`; exact if F is infinite.
    scores
        Shape (m,): the weighted mean rank of each column, centred at 0, lower is better.
    weights
        Shape (n,): the rank of each row's range among the n ranges, 1 = the smallest.

    Examples
    --------
    >>> from racing.stats import quade
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = quade(X)
    >>> found.weights.tolist()
    [2.0, 2.0, 6.0, 2.0, 4.5, 4.5]
    >>> found.scores.round(2).tolist()
    [1.0, -0.9, -0.1]
    """

    statistic: float
    pvalue: float
    df: tuple[int, int]
    scores: Floats
    weights: Floats


@dataclass(frozen=True, slots=True, eq=False)
class AlignedRanksTest:
    """The outcome of Friedman's aligned-ranks test, and of its comparisons.

    `aligned_ranks` returns it.

    Attributes
    ----------
    statistic, df, pvalue
        χ² with m − 1 degrees of freedom.
    comparisons
        Of mean aligned ranks, which go from 1 to nm; two-sided, not adjusted.

    Examples
    --------
    >>> from racing.stats import aligned_ranks
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = aligned_ranks(X)
    >>> f"χ²({found.df}) = {found.statistic:.2f}, p = {found.pvalue:.3f}"
    'χ²(2) = 9.47, p = 0.009'
    >>> found.comparisons.means.round(2).tolist()
    [15.5, 4.33, 8.67]
    """

    statistic: float
    df: int
    pvalue: float
    comparisons: Comparisons


@checked
def quade(X: ArrayLike, *, digits: Digits | None = 9) -> QuadeTest:
    """Quade's test of "all columns behave alike".

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better, of one scale over all instances.
    digits
        Ranges are rounded to so many significant digits of the larger cost, as differences are in
        Wilcoxon's test, so that 0.3 − 0.2 and 0.2 − 0.1 tie; None rounds nothing.

    Raises
    ------
    InputError
        If `X` is no table of costs.

    Notes
    -----
    A row with some failures (+inf) has an infinite range, the largest weight; a row of failures
    only has range 0. Rows without differences have no effect. Statistic 0 and p = 1 if no row
    holds a difference, and for one column.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import quade
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = quade(X)
    >>> round(float(found.pvalue), 4)
    0.0008
    """
    costs = as_costs(X)
    n, m = costs.shape
    weights = rank_rows(_ranges(costs, digits)[None, :], check=False)[0]
    ranks = rank_rows(costs, check=False)
    # Conover (1999), 5.8: S_ij = Q_i (r_ij − (m + 1)/2), A = Σ S_ij², B = Σ_j (Σ_i S_ij)²/n
    weighted = weights[:, None] * (ranks - (m + 1) / 2)
    totals, df = weighted.sum(axis=0), (m - 1, (m - 1) * (n - 1))
    spread, between = float(np.vdot(weighted, weighted)), float(totals @ totals) / n
    if spread == 0 or spread - between > 1e-12 * spread:
        statistic = (n - 1) * between / (spread - between) if spread else 0.0
        p = float(fdtrc(df[0], df[1], statistic)) if statistic > 0 else 1.0
    else:
        statistic, p = math.inf, RankSums.of(ranks).p_all_alike()
    return QuadeTest(statistic, p, df, totals / weights.sum(), weights)


@checked
def aligned_ranks(
    X: ArrayLike, *, control: int | None = None, digits: Digits | None = 9
) -> AlignedRanksTest:
    """Friedman's aligned-ranks test of "all columns behave alike", and comparisons of columns.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better, of one scale over all instances.
        Means are taken, so failures (+inf) are refused.
    control
        A column that all others are compared with; None for all pairs.
    digits
        Aligned costs are rounded to so many significant digits of the larger of the cost and the
        mean, so that equal differences tie; None rounds nothing.

    Raises
    ------
    InputError
        If `X` is no table of finite costs, or `control` is not a column.

    Notes
    -----
    Hodges and Lehmann (1962); the statistic as in García et al. (2010), section 3. They print
    z = (R̂_i − R̂_j)/√(m(n+1)/6) for comparisons; the p-values that they print, and the variance of
    ranks, need the nm cells instead of the n instances: √(m(nm+1)/6), as here. Ties are not
    corrected for beyond average ranks. Statistic 0 and p = 1 if no row holds a difference.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import aligned_ranks
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = aligned_ranks(X)
    >>> round(float(found.pvalue), 4)
    0.0088
    """
    costs = as_finite_costs(X, purpose="the aligned-ranks test")
    n, m = costs.shape
    means = np.broadcast_to(costs.mean(axis=1, keepdims=True), costs.shape)
    aligned = differences(means.copy(), costs, digits)
    ranks = rank_rows(aligned.reshape(1, -1), check=False).reshape(n, m)
    statistic = _statistic(ranks)
    p = float(chdtrc(m - 1, statistic)) if statistic > 0 else 1.0
    found = Contrasts.of(ranks.mean(axis=0), math.sqrt(m * (n * m + 1) / 6), control)
    pairs = found.result(p_value(found.statistic, ndtr, "two-sided"), "normal")
    return AlignedRanksTest(statistic, m - 1, p, pairs)


def _ranges(costs: Floats, digits: int | None) -> Floats:
    """Largest minus smallest cost of each row, halved; 0 if all are equal, failures included."""
    # Halved, so that the range of two huge costs does not overflow; only its rank is used.
    return differences(costs.min(axis=1) / 2, costs.max(axis=1) / 2, digits)


def _statistic(ranks: Floats) -> float:
    """(m − 1)[Σ_j R̂_j² − (mn²/4)(mn + 1)²] / {mn(mn + 1)(2mn + 1)/6 − Σ_i R̂_i²/m}.

    García et al. (2010), with sums of squares about their means, which loses no digits. The first
    sum of the denominator is Σ r² without ties; with them Σ r² itself is smaller, and the printed
    form is kept.
    """
    n, m = ranks.shape
    cells = n * m
    centre = (cells + 1) / 2
    between = float(((ranks.sum(axis=0) - n * centre) ** 2).sum())
    rows = float(((ranks.sum(axis=1) - m * centre) ** 2).sum())
    spread = cells * (cells**2 - 1) / 12 - rows / m
    return (m - 1) * between / spread if between > 0 else 0.0
