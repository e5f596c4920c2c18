"""Comparisons of algorithms by means: of all pairs, or of each with a control.

What is compared are mean ranks or mean costs. Tests differ in the standard error of a difference
and in the distribution that it is held against; their results have one form.

Comparisons of algorithms by their mean ranks, and Conover's of their rank sums.

The result for two algorithms depends on the others in the table, see `pool_dependence`; Benavoli,
Corani and Mangili (2016) advise against it. Conover's test, after Friedman's, is more powerful,
because its standard error shrinks as the rows agree. irace's F-test race drops candidates by it.

Omnibus tests by ranks that weigh instances by their differences: Quade's, and aligned ranks.

Quade's test is Friedman's with the instances weighted by the range of their costs. The
aligned-ranks test ranks all cells together, after subtracting the mean of each row. Both are
stronger than Friedman's test for few algorithms, because costs are compared across instances; so
the costs of different instances must be commensurable, as in Wilcoxon's test. The aligned ranks of
a pair depend on which other algorithms are in the table, as mean ranks do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError, must_be
from racing.base.quantities import Count, Level
from racing.base.special import chdtrc, ndtr, ndtri, stdtr, stdtrit
from racing.stats._checks import Alternative, Digits, Floats, Several, as_column, as_costs, checked
from racing.stats._range import dunnett_isf, studentized_range_isf, studentized_range_sf
from racing.stats._samples import differences, over, p_value
from racing.stats.friedman import RankSums, f_test
from racing.stats.ranks import rank_rows, ranks_of

Reference: TypeAlias = Literal["normal", "t", "range", "dunnett"]
Control: TypeAlias = int | Literal["best"] | None


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Comparisons of the means of m algorithms.

    `mean_ranks_test`, `nemenyi`, `conover`, `tukey`, `dunnett`, `dunn`, `conover_iman` return it.

    Attributes
    ----------
    means
        Shape (m,): mean ranks, or mean costs; lower is better.
    statistic
        Differences of means over their standard error. All pairs: shape (m, m), positive in (i, j)
        if i is worse than j. Against a control: shape (m,), positive if i is worse than it.
    pvalues
        Same shape; 1 for an algorithm against itself.
    standard_error
        Of a difference of two means; of the shape of `statistic` where samples differ in size.
    df
        Degrees of freedom; inf if the reference is normal.
    control
        The control's number, or None for all pairs.
    reference
        "normal" or "t", of each pair by itself; "range" or "dunnett", of all pairs, or all
        comparisons with the control, together (family-wise).

    Examples
    --------
    >>> from racing.stats import mean_ranks_test
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = mean_ranks_test(X, control=1)
    >>> found.means.round(2).tolist()
    [3.0, 1.17, 1.83]
    >>> found.statistic.round(2).tolist()
    [3.18, 0.0, 1.15]
    >>> round(found.critical_difference(), 2)
    1.13
    """

    means: Floats
    statistic: Floats
    pvalues: Floats
    standard_error: Any
    df: float
    control: int | None
    reference: Reference

    @classmethod
    def of(
        cls,
        means: Floats,
        errors: Any,
        control: int | None,
        tail: Callable[[Floats], Floats],
        reference: Reference,
        df: float = math.inf,
        *,
        least: float = 0.0,
    ) -> Comparisons:
        """From the means, (m,), and a standard error for all, or one for each pair, (m, m).

        `tail` gives the p-values of the statistics. Differences up to `least` are 0.
        """
        itself: Any = np.diag_indices(means.size)
        away = means[:, None] - means
        if control is not None:
            control = itself = as_column(control, means.size)
            away, errors = away[:, control], errors[:, control] if np.ndim(errors) else errors
        statistic = over(np.where(np.abs(away) > least, away, 0.0), errors)
        p = np.array(tail(statistic))
        p[itself] = 1.0
        return cls(means, statistic, p, errors, df, control, reference)

    @checked
    def critical_difference(self, alpha: Level = 0.05) -> Any:
        """The least significant difference of two means at a two-sided level."""
        m = self.means.size
        if self.df == 0:
            return math.inf
        if self.reference in ("normal", "t"):
            quantile = -float(stdtrit(self.df, alpha / 2))
        elif self.reference == "dunnett":
            quantile = dunnett_isf(alpha, m - 1, self.df)
        else:
            quantile = studentized_range_isf(alpha, m, self.df) / math.sqrt(2)
        return quantile * self.standard_error


@checked
def mean_ranks_test(
    X: ArrayLike,
    *,
    control: int | None = None,
    alternative: Alternative = "two-sided",
    tie_correction: bool = False,
    ranked: bool = False,
    check: bool = True,
) -> Comparisons:
    """z tests of mean ranks, all pairs or against a control column; p-values not adjusted.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better.
    control
        Column that all others are compared with; None compares all pairs.
    alternative
        "better": p-values for "the row (or: the column of X) is better than the other"; "worse"
        for the reverse.
    tie_correction
        Lower the standard error by the ties in `X`; the papers do not, which is conservative.
    ranked, check
        As for `friedman`.

    Raises
    ------
    InputError
        If `X` is no table of costs or `control` no column of it.

    Notes
    -----
    A normal approximation, for n > 10 or so (Benavoli et al., 2016, eq. 4).

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import mean_ranks_test
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = mean_ranks_test(X)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0015, 0.0433], [0.0015, 1.0, 0.2482], [0.0433, 0.2482, 1.0]]
    """
    sums = RankSums.of(ranks_of(X, ranked=ranked, check=check))
    error = standard_error(sums.m, sums.n)
    if tie_correction:  # under random orders of each row's own, tied, ranks
        error = math.sqrt(2 * sums.spread / (sums.m - 1)) / sums.n if sums.m > 1 else 0.0
    means = sums.totals / sums.n
    return Comparisons.of(means, error, control, lambda t: p_value(-t, ndtr, alternative), "normal")


def nemenyi(X: ArrayLike, *, ranked: bool = False, check: bool = True) -> Comparisons:
    """Nemenyi's test of all pairs: p-values of |z|√2 as the range of m normals (family-wise).

    The same decisions as comparing the differences of mean ranks with `nemenyi_cd`. Demšar (2006)
    uses this form; what García and Herrera (2008) call Nemenyi is Bonferroni over all pairs.

    Parameters and errors as for `mean_ranks_test`.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import nemenyi
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = nemenyi(X)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0043, 0.1072], [0.0043, 1.0, 0.4804], [0.1072, 0.4804, 1.0]]
    """
    sums = RankSums.of(ranks_of(X, ranked=ranked, check=check))
    means, error = sums.totals / sums.n, standard_error(sums.m, sums.n)

    def tail(z: Floats) -> Floats:
        return studentized_range_sf(math.sqrt(2) * np.abs(z), sums.m, math.inf)

    return Comparisons.of(means, error, None, tail, "range")


def conover(
    X: ArrayLike, *, control: Control = None, ranked: bool = False, check: bool = True
) -> Comparisons:
    """Conover's test of all pairs, or against a control column, ties accounted for.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better.
    control
        A column; "best" for the one with the lowest mean rank (the first of several); None for
        all pairs.
    ranked, check
        As for `friedman`.

    Raises
    ------
    InputError
        If `X` is no table of costs or `control` is not a column of it.

    Notes
    -----
    For use after a test of all columns: it keeps its level only after a significant `friedman`, and
    only for one comparison (Fisher's protected least significant difference).

    If all rows are ranked alike the standard error is 0 and t infinite; the p-value of unequal
    columns is then that of the whole table, the chance that n − 1 random rows agree with the
    first, instead of 0. With one instance it is 1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import conover
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = conover(X)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0, 0.0006], [0.0, 1.0, 0.0179], [0.0006, 0.0179, 1.0]]
    """
    sums = RankSums.of(ranks_of(X, ranked=ranked, check=check))
    df = (sums.n - 1) * (sums.m - 1)
    # Conover (1999), 5.8: √(2(n·Σr² − ΣR_j²)/((n − 1)(m − 1))) for rank sums; here for means.
    residual = max(sums.n * sums.spread - sums.between, 0.0)
    error = math.sqrt(2 * residual / df) / sums.n if df else 0.0
    means = sums.totals / sums.n
    if isinstance(control, str) and control != "best":
        raise InputError(must_be("control", "a column, 'best' or None", control))

    def tail(t: Floats) -> Floats:
        p = 2 * stdtr(df, -np.abs(t)) if error > 0 else sums.p_all_alike()
        return np.where(t != 0, p, 1.0)

    at = int(np.argmin(means)) if control == "best" else control
    return Comparisons.of(means, error, at, tail, "t", df)


@checked
def standard_error(m: Count, n: Count) -> float:
    """Standard error of a difference of two mean ranks, m algorithms on n instances, no ties.

    Examples
    --------
    >>> from racing.stats import standard_error
    >>> round(float(standard_error(5, 30)), 4)
    0.4082
    """
    return float(np.sqrt(m * (m + 1) / (6 * n)))  # Demsar (2006), section 3.2.2


@checked
def nemenyi_q(m: Several, *, alpha: Level = 0.05) -> float:
    """Critical value for all pairs of m algorithms: studentized range, infinite df, over √2.

    Examples
    --------
    >>> from racing.stats import nemenyi_q
    >>> round(float(nemenyi_q(5)), 4)
    2.7278
    """
    # Demsar (2006), Table 5(a)
    return float(studentized_range_isf(alpha, m, math.inf) / math.sqrt(2))


@checked
def bonferroni_dunn_q(m: Several, *, alpha: Level = 0.05) -> float:
    """Critical value for m − 1 algorithms against a control, two-sided.

    Examples
    --------
    >>> from racing.stats import bonferroni_dunn_q
    >>> round(float(bonferroni_dunn_q(5)), 4)
    2.4977
    """
    return -float(ndtri(alpha / (2 * (m - 1))))  # Demsar (2006), Table 5(b)


def nemenyi_cd(m: int, n: int, *, alpha: float = 0.05) -> float:
    """Critical difference of mean ranks for all pairs of m algorithms on n instances.

    Examples
    --------
    >>> from racing.stats import nemenyi_cd
    >>> round(float(nemenyi_cd(5, 30)), 4)
    1.1136
    """
    return nemenyi_q(m, alpha=alpha) * standard_error(m, n)


def bonferroni_dunn_cd(m: int, n: int, *, alpha: float = 0.05) -> float:
    """Critical difference of mean ranks to a control, m algorithms with the control, n instances.

    Examples
    --------
    >>> from racing.stats import bonferroni_dunn_cd
    >>> round(float(bonferroni_dunn_cd(5, 30)), 4)
    1.0197
    """
    return bonferroni_dunn_q(m, alpha=alpha) * standard_error(m, n)


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
    # Halved, so that the range of two huge costs does not overflow; only its rank is used.
    ranges = differences(costs.min(axis=1) / 2, costs.max(axis=1) / 2, digits)
    weights = rank_rows(ranges[None, :], check=False)[0]
    ranks = rank_rows(costs, check=False)
    # Conover (1999), 5.8: S_ij = Q_i (r_ij − (m + 1)/2), A = Σ S_ij², B = Σ_j (Σ_i S_ij)²/n
    weighted = weights[:, None] * (ranks - (m + 1) / 2)
    totals, df = weighted.sum(axis=0), (m - 1, (m - 1) * (n - 1))
    spread, between = float(np.vdot(weighted, weighted)), float(totals @ totals) / n
    share = between / spread if spread else 0.0
    statistic, p = f_test(share, df, RankSums.of(ranks).p_all_alike)
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
    costs = as_costs(X, means_for="the aligned-ranks test")
    n, m = costs.shape
    means = np.broadcast_to(costs.mean(axis=1, keepdims=True), costs.shape)
    aligned = differences(means.copy(), costs, digits)
    ranks = rank_rows(aligned.reshape(1, -1), check=False).reshape(n, m)
    # García et al. (2010) print (m − 1)[Σ_j R̂_j² − (mn²/4)(mn + 1)²] over
    # mn(mn + 1)(2mn + 1)/6 − Σ_i R̂_i²/m; here with sums of squares about their means, which loses
    # no digits. The first sum of the denominator is Σ r² without ties; with them Σ r² itself is
    # smaller, and the printed form is kept.
    cells, centre = n * m, (n * m + 1) / 2
    between = float(((ranks.sum(axis=0) - n * centre) ** 2).sum())
    rows = float(((ranks.sum(axis=1) - m * centre) ** 2).sum())
    spread = cells * (cells**2 - 1) / 12 - rows / m
    statistic = (m - 1) * between / spread if between > 0 else 0.0
    p = float(chdtrc(m - 1, statistic)) if statistic > 0 else 1.0
    error = math.sqrt(m * (n * m + 1) / 6)
    pairs = Comparisons.of(
        ranks.mean(axis=0), error, control, lambda z: p_value(z, ndtr, "two-sided"), "normal"
    )
    return AlignedRanksTest(statistic, m - 1, p, pairs)
