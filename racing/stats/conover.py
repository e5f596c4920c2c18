"""Conover's comparisons after Friedman: rank sums against a t distribution.

More powerful than mean ranks, because the standard error shrinks as the rows agree. irace's F-test
race drops candidates by it. Like mean ranks, it depends on the other algorithms in the table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.special import stdtr, stdtrit
from racing.stats._checks import Floats, as_column, as_level
from racing.stats.friedman import RankSums
from racing.stats.ranks import ranks_of


@dataclass(frozen=True, slots=True, eq=False)
class ConoverTest:
    """Comparisons of rank sums.

    `conover` returns it.

    Attributes
    ----------
    mean_ranks
        Shape (m,), lower is better.
    t
        All pairs: shape (m, m), `t[i, j] > 0` if i is worse than j. Against a control: shape
        (m,), `t[i] > 0` if i is worse than the control. Infinite if all rows are ranked alike.
    pvalues
        Two-sided, same shape, not adjusted; 1 for an algorithm against itself.
    standard_error
        Of a difference of two mean ranks; 0 if all rows are ranked alike.
    df
        Degrees of freedom, (n − 1)(m − 1).
    control
        The control's column, or None for all pairs.

    Examples
    --------
    >>> from racing.stats import conover
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = conover(X)
    >>> found.mean_ranks.round(2).tolist()
    [3.0, 1.17, 1.83]
    >>> round(found.critical_difference(), 2)
    0.53
    """

    mean_ranks: Floats
    t: Floats
    pvalues: Floats
    standard_error: float
    df: int
    n: int
    m: int
    control: int | None

    def critical_difference(self, alpha: float = 0.05) -> float:
        """The least significant difference of two mean ranks at a two-sided level, per pair."""
        if self.df == 0:
            return math.inf
        return -float(stdtrit(self.df, as_level(alpha) / 2)) * self.standard_error


def conover(
    X: ArrayLike,
    *,
    control: int | Literal["best"] | None = None,
    ranked: bool = False,
    check: bool = True,
) -> ConoverTest:
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
    column = _control(control, means)
    away = means[:, None] - means if column is None else means - means[column]
    t, p = _t_and_p(away, error, df, sums)
    return ConoverTest(means, t, p, error, df, sums.n, sums.m, column)


def _control(control: int | str | None, means: Floats) -> int | None:
    if control is None:
        return None
    if control == "best":
        return int(np.argmin(means))
    if isinstance(control, str):
        raise InputError(f"control: expected a column index, 'best' or None, got {control!r}")
    return as_column(control, means.size)


def _t_and_p(away: Floats, error: float, df: int, sums: RankSums) -> tuple[Floats, Floats]:
    unequal = away != 0
    if error == 0:
        t = np.where(unequal, np.copysign(np.inf, away), 0.0)
        return t, np.where(unequal, sums.p_all_alike(), 1.0)
    t = away / error
    p: Floats = 2 * stdtr(df, -np.abs(t))
    return t, np.where(unequal, p, 1.0)
