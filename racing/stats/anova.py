"""Repeated-measures ANOVA with Tukey's and Dunnett's comparisons: the parametric tests.

Demšar (2006, section 3.2.1) prefers rank tests: ANOVA assumes normal errors of one variance and
sphericity, which costs of algorithms seldom have. Failures (inf) are refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import fdtrc
from racing.stats._checks import Floats, as_column, as_finite_costs, as_level
from racing.stats._range import (
    dunnett_isf,
    dunnett_sf,
    studentized_range_isf,
    studentized_range_sf,
)

_ROUNDING = float(8 * np.finfo(float).eps)  # rounding noise, relative to the largest cost


@dataclass(frozen=True, slots=True, eq=False)
class AnovaTest:
    """The outcome of a repeated-measures ANOVA.

    `anova` returns it.

    Attributes
    ----------
    statistic, pvalue, df
        F and its upper tail with (m − 1, (m − 1)(n − 1)) degrees of freedom.
    epsilon
        Greenhouse and Geisser's estimate of sphericity: 1 if it holds, at least 1/(m − 1).
    pvalue_corrected
        The p-value with both degrees of freedom multiplied by `epsilon`.
    means
        Shape (m,), the mean cost of each column.
    effect
        Partial η²: the share of the variation within instances that the columns explain.

    Examples
    --------
    >>> from racing.stats import anova
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = anova(X)
    >>> f"F{found.df} = {found.statistic:.1f}, p = {found.pvalue:.4f}, η² = {found.effect:.2f}"
    'F(2, 10) = 19.0, p = 0.0004, η² = 0.79'
    >>> f"without sphericity (ε = {found.epsilon:.2f}): p = {found.pvalue_corrected:.4f}"
    'without sphericity (ε = 0.64): p = 0.0033'
    """

    statistic: float
    pvalue: float
    df: tuple[int, int]
    epsilon: float
    pvalue_corrected: float
    means: Floats
    effect: float
    n: int
    m: int


@dataclass(frozen=True, slots=True, eq=False)
class AnovaComparisons:
    """Comparisons of means after a repeated-measures ANOVA.

    `tukey` and `dunnett` return it.

    Attributes
    ----------
    differences
        Tukey: shape (m, m), mean of i minus mean of j. Dunnett: shape (m,), minus the control.
    pvalues
        Same shape, family-wise, two-sided; 1 for an algorithm against itself.
    standard_error
        Of a difference of two means.
    df
        Of the residual variance, (m − 1)(n − 1).

    Examples
    --------
    >>> from racing.stats import tukey
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = tukey(X)
    >>> found.differences[0].round(2).tolist()
    [0.0, 2.5, 1.5]
    >>> round(found.critical_difference(), 2)
    1.12
    """

    means: Floats
    differences: Floats
    pvalues: Floats
    standard_error: float
    df: int
    n: int
    m: int
    control: int | None
    method: Literal["tukey", "dunnett"]

    def critical_difference(self, alpha: float = 0.05) -> float:
        """The least significant difference of two means at a family-wise level."""
        alpha = as_level(alpha)
        if self.df == 0:
            return math.inf
        if self.method == "tukey":
            return (
                studentized_range_isf(alpha, self.m, self.df) / math.sqrt(2) * self.standard_error
            )
        return dunnett_isf(alpha, self.m - 1, self.df) * self.standard_error


def anova(X: ArrayLike) -> AnovaTest:
    """Repeated-measures (within-subjects) ANOVA of "all columns have one mean".

    Parameters
    ----------
    X
        Finite costs of shape (n instances, m algorithms); instances are the subjects.

    Raises
    ------
    InputError
        If `X` is no table of costs or holds an infinite one.

    Notes
    -----
    No residual variance: F is infinite and p = 0 if the means differ, else F = 0 and p = 1. With
    one instance or one column: F = 0, p = 1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import anova
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = anova(X)
    >>> round(float(found.pvalue), 4)
    0.0004
    """
    table = _Table.of(X)
    n, m = table.residuals.shape
    df = (m - 1, (m - 1) * (n - 1))
    f = table.f()
    eps = table.epsilon()
    return AnovaTest(
        statistic=f,
        pvalue=_f_tail(f, 1.0, df),
        df=df,
        epsilon=eps,
        pvalue_corrected=_f_tail(f, eps, df),
        means=table.means,
        effect=table.between / (table.between + table.within) if table.between > 0 else 0.0,
        n=n,
        m=m,
    )


def tukey(X: ArrayLike) -> AnovaComparisons:
    """Tukey's comparisons of all pairs of columns, family-wise. Parameters as for `anova`.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import tukey
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = tukey(X)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0003, 0.0109], [0.0003, 1.0, 0.0803], [0.0109, 0.0803, 1.0]]
    """
    table = _Table.of(X)
    n, m = table.residuals.shape
    df = (m - 1) * (n - 1)
    away = table.columns[:, None] - table.columns
    p = np.ones((m, m))
    if df > 0:
        above = np.triu_indices(m, 1)
        t = _ratios(np.abs(away[above]), table.error)
        p[above] = studentized_range_sf(math.sqrt(2) * t, m, df)
        p.T[above] = p[above]
        p[away == 0] = 1.0
    error = table.error * table.scale
    return AnovaComparisons(table.means, away * table.scale, p, error, df, n, m, None, "tukey")


def dunnett(X: ArrayLike, *, control: int) -> AnovaComparisons:
    """Dunnett's comparisons of all columns with a control, family-wise, two-sided.

    Parameters as for `anova`; `control` is a column of `X`.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import dunnett
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = dunnett(X, control=0)
    >>> found.pvalues.round(4).tolist()
    [1.0, 0.0002, 0.0079]
    """
    table = _Table.of(X)
    n, m = table.residuals.shape
    control = as_column(control, m)
    df = (m - 1) * (n - 1)
    away = table.columns - table.columns[control]
    p = np.ones(m)
    if df > 0:
        p = dunnett_sf(_ratios(np.abs(away), table.error), m - 1, df)
        p[away == 0] = 1.0
    error = table.error * table.scale
    return AnovaComparisons(table.means, away * table.scale, p, error, df, n, m, control, "dunnett")


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """A table in units of its largest cost, split into rows, columns and residuals."""

    means: Floats  # in the caller's units
    scale: float
    columns: Floats  # effects, relative
    residuals: Floats
    between: float  # sums of squares; 0 if not above rounding
    within: float

    @classmethod
    def of(cls, X: ArrayLike) -> _Table:
        costs = as_finite_costs(X, purpose="ANOVA")
        n, m = costs.shape
        scale = float(np.abs(costs).max()) or 1.0
        relative = costs / scale
        centred = relative - relative.mean(axis=1, keepdims=True)
        columns = centred.mean(axis=0)
        residuals = centred - columns
        rounding = n * m * _ROUNDING**2
        between = n * float(columns @ columns)
        within = float(np.vdot(residuals, residuals))
        if between <= rounding:
            between, columns = 0.0, np.zeros(m)
        within = within if within > rounding else 0.0
        means = relative.mean(axis=0) * scale
        return cls(means, scale, columns, residuals, between, within)

    @property
    def error(self) -> float:
        """The standard error of a difference of two column means, relative."""
        n, m = self.residuals.shape
        df = (m - 1) * (n - 1)
        return math.sqrt(2 * self.within / df / n) if df else 0.0

    def f(self) -> float:
        n, _ = self.residuals.shape
        if n == 1 or self.between == 0:
            return 0.0
        return (n - 1) * self.between / self.within if self.within > 0 else math.inf

    def epsilon(self) -> float:
        """(Σλ)²/((m − 1)Σλ²) over the eigenvalues λ of the columns' covariance, centred twice."""
        _, m = self.residuals.shape
        if self.within == 0 or m < 3:
            return 1.0
        covariance = self.residuals.T @ self.residuals
        return float(np.trace(covariance) ** 2 / ((m - 1) * np.vdot(covariance, covariance)))


def _f_tail(f: float, epsilon: float, df: tuple[int, int]) -> float:
    if f == 0:
        return 1.0
    return float(fdtrc(epsilon * df[0], epsilon * df[1], f)) if math.isfinite(f) else 0.0


def _ratios(away: Floats, error: float) -> Floats:
    return away / error if error > 0 else np.where(away > _ROUNDING, np.inf, 0.0)
