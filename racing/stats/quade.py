"""Quade's test: Friedman's test with the instances weighted by the range of their costs.

More powerful than Friedman's for few algorithms when instances differ in difficulty, but the spread
of costs must be comparable across instances: the same unit, or relative costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import fdtrc
from racing.stats._checks import Floats, as_costs
from racing.stats._rope import as_digits
from racing.stats._signed_ranks import rounded_differences
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
    n: int
    m: int


def quade(X: ArrayLike, *, digits: int | None = 9) -> QuadeTest:
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
    weights = rank_rows(_ranges(costs, as_digits(digits))[None, :], check=False)[0]
    ranks = rank_rows(costs, check=False)
    # Conover (1999), 5.8: S_ij = Q_i (r_ij − (m + 1)/2), A = Σ S_ij², B = Σ_j (Σ_i S_ij)²/n
    weighted = weights[:, None] * (ranks - (m + 1) / 2)
    totals = weighted.sum(axis=0)
    spread, between = float(np.vdot(weighted, weighted)), float(totals @ totals) / n
    statistic, p = _f_test(spread, between, ranks)
    df = (m - 1, (m - 1) * (n - 1))
    if p is None:
        p = float(fdtrc(df[0], df[1], statistic)) if statistic > 0 else 1.0
    return QuadeTest(statistic, p, df, totals / weights.sum(), weights, n, m)


def _ranges(costs: Floats, digits: int | None) -> Floats:
    """Largest minus smallest cost of each row, halved; 0 if all are equal, failures included."""
    # Halved, so that the range of two huge costs does not overflow; only its rank is used.
    low, high = costs.min(axis=1) / 2, costs.max(axis=1) / 2
    return rounded_differences(low, high, digits)


def _f_test(spread: float, between: float, ranks: Floats) -> tuple[float, float | None]:
    """F, and its exact p-value if it is infinite."""
    n = ranks.shape[0]
    if spread == 0:
        return 0.0, 1.0
    residual = spread - between
    if residual <= 1e-12 * spread:
        return math.inf, RankSums.of(ranks).p_all_alike()
    return (n - 1) * between / residual, None
