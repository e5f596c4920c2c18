"""Comparisons of algorithms by their mean ranks, and Conover's of their rank sums.

The result for two algorithms depends on the others in the table, see `pool_dependence`; Benavoli,
Corani and Mangili (2016) advise against it. Conover's test, after Friedman's, is more powerful,
because its standard error shrinks as the rows agree. irace's F-test race drops candidates by it.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError, must_be
from racing.base.quantities import Count, Level
from racing.base.special import ndtr, ndtri, stdtr
from racing.stats._checks import Alternative, Floats, Several, checked
from racing.stats._paired import p_value
from racing.stats._range import studentized_range_isf, studentized_range_sf
from racing.stats.comparisons import Comparisons, Contrasts
from racing.stats.friedman import RankSums
from racing.stats.ranks import ranks_of


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
    ranks = ranks_of(X, ranked=ranked, check=check)
    n, m = ranks.shape
    error = _tied_error(ranks) if tie_correction else standard_error(m, n)
    found = Contrasts.of(ranks.sum(axis=0) / n, error, control)
    return found.result(p_value(-found.statistic, ndtr, alternative), "normal")


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
    ranks = ranks_of(X, ranked=ranked, check=check)
    n, m = ranks.shape
    found = Contrasts.of(ranks.sum(axis=0) / n, standard_error(m, n), None)
    p = studentized_range_sf(math.sqrt(2) * np.abs(found.statistic), m, math.inf)
    return found.result(p, "range")


def conover(
    X: ArrayLike,
    *,
    control: int | Literal["best"] | None = None,
    ranked: bool = False,
    check: bool = True,
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
    found = Contrasts.of(means, error, int(np.argmin(means)) if control == "best" else control)
    p = 2 * stdtr(df, -np.abs(found.statistic)) if error > 0 else sums.p_all_alike()
    return found.result(np.where(found.away != 0, p, 1.0), "t", df)


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


def _tied_error(ranks: Floats) -> float:
    """The standard error under random orders of each row's own, tied, ranks."""
    n, m = ranks.shape
    if m == 1:
        return 0.0
    spread = float(np.vdot(ranks, ranks)) - n * m * (m + 1) ** 2 / 4
    return float(np.sqrt(2 * spread / (m - 1)) / n)
