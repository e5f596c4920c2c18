"""Friedman's aligned-ranks test: ranks all cells together, after subtracting the mean of each row.

Stronger than Friedman's test for few algorithms, because ranks are compared across instances; so
the costs of different instances must be commensurable, as in Wilcoxon's and Quade's tests. The
ranks of a pair depend on which other algorithms are in the table, as mean ranks do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import chdtrc, ndtr
from racing.stats._checks import Floats, as_column, as_finite_costs
from racing.stats._rope import as_digits
from racing.stats._signed_ranks import rounded_differences
from racing.stats.ranks import rank_rows


@dataclass(frozen=True, slots=True, eq=False)
class AlignedRanksTest:
    """The outcome of Friedman's aligned-ranks test, and of its comparisons.

    `aligned_ranks` returns it.

    Attributes
    ----------
    statistic, df, pvalue
        χ² with m − 1 degrees of freedom.
    mean_ranks
        Shape (m,): mean aligned ranks, from 1 to nm, lower is better.
    z
        All pairs: shape (m, m), `z[i, j] > 0` if i is worse than j. Against a control: shape (m,).
    pvalues
        Two-sided, same shape, not adjusted; 1 for an algorithm against itself.

    Examples
    --------
    >>> from racing.stats import aligned_ranks
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = aligned_ranks(X)
    >>> f"χ²({found.df}) = {found.statistic:.2f}, p = {found.pvalue:.3f}"
    'χ²(2) = 9.47, p = 0.009'
    >>> found.mean_ranks.round(2).tolist()
    [15.5, 4.33, 8.67]
    """

    statistic: float
    df: int
    pvalue: float
    mean_ranks: Floats
    z: Floats
    pvalues: Floats
    n: int
    m: int
    control: int | None


def aligned_ranks(
    X: ArrayLike, *, control: int | None = None, digits: int | None = 9
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
    aligned = rounded_differences(means.copy(), costs, as_digits(digits))
    ranks = rank_rows(aligned.reshape(1, -1), check=False).reshape(n, m)
    statistic = _statistic(ranks)
    p = float(chdtrc(m - 1, statistic)) if statistic > 0 else 1.0
    mean_ranks = ranks.mean(axis=0)
    column = None if control is None else as_column(control, m)
    against = mean_ranks[None, :] if column is None else mean_ranks[column]
    away = (mean_ranks[:, None] if column is None else mean_ranks) - against
    z = away / math.sqrt(m * (n * m + 1) / 6)
    pvalues = np.minimum(2 * ndtr(-np.abs(z)), 1.0)
    return AlignedRanksTest(statistic, m - 1, p, mean_ranks, z, pvalues, n, m, column)


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
