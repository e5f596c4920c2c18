"""Repeated-measures ANOVA with Tukey's and Dunnett's comparisons: the parametric tests.

Demšar (2006, section 3.2.1) prefers rank tests: ANOVA assumes normal errors of one variance and
sphericity, which costs of algorithms seldom have. Failures (inf) are refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from racing.stats._checks import Floats, as_costs
from racing.stats._range import dunnett_sf, studentized_range_sf
from racing.stats.friedman import f_tail
from racing.stats.mean_ranks import Comparisons, Reference

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
    df, f, epsilon = (table.m - 1, table.df), table.f(), table.epsilon()
    all_of_it = table.between + table.within
    effect = table.between / all_of_it if table.between > 0 else 0.0
    p, corrected = f_tail(f, df), f_tail(f, df, epsilon)
    return AnovaTest(f, p, df, epsilon, corrected, table.means, effect)


def tukey(X: ArrayLike) -> Comparisons:
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
    root = math.sqrt(2)
    return table.compared(
        None, lambda t: studentized_range_sf(root * t, table.m, table.df), "range"
    )


def dunnett(X: ArrayLike, *, control: int) -> Comparisons:
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
    return table.compared(control, lambda t: dunnett_sf(t, table.m - 1, table.df), "dunnett")


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """A table split into rows, columns and residuals; sums of squares are 0 if only rounding."""

    means: Floats
    scale: float  # the largest cost, the unit of all that follows
    columns: Floats  # effects
    residuals: Floats
    between: float
    within: float

    @classmethod
    def of(cls, X: ArrayLike) -> _Table:
        costs = as_costs(X, means_for="ANOVA")
        n, m = costs.shape
        scale = float(np.abs(costs).max()) or 1.0
        relative = costs / scale
        centred = relative - relative.mean(axis=1, keepdims=True)
        columns = centred.mean(axis=0)
        residuals = centred - columns
        rounding = n * m * _ROUNDING**2
        between, within = n * float(columns @ columns), float(np.vdot(residuals, residuals))
        between, within = (x if x > rounding else 0.0 for x in (between, within))
        means = relative.mean(axis=0) * scale
        return cls(means, scale, columns, residuals, between, within)

    @property
    def m(self) -> int:
        return int(self.means.size)

    @property
    def df(self) -> int:
        """Degrees of freedom of the residuals."""
        return (self.m - 1) * (len(self.residuals) - 1)

    def compared(
        self, control: int | None, tail: Callable[[Floats], Floats], reference: Reference
    ) -> Comparisons:
        """Differences of the means, those by rounding only being 0; `tail` has their p-values."""
        df, n = self.df, len(self.residuals)
        error = math.sqrt(2 * self.within / df / n) * self.scale if df else 0.0
        least = _ROUNDING * self.scale if self.within == 0 else 0.0

        def p(t: Floats) -> Floats:
            return np.where(t != 0, tail(np.abs(t)) if df else 1.0, 1.0)

        found = Comparisons.of(
            self.columns * self.scale, error, control, p, reference, df,
            least=least if self.between > 0 else math.inf,
        )  # fmt: skip
        return replace(found, means=self.means)

    def f(self) -> float:
        n = len(self.residuals)
        if n == 1 or self.between == 0:
            return 0.0
        return (n - 1) * self.between / self.within if self.within > 0 else math.inf

    def epsilon(self) -> float:
        """(Σλ)²/((m − 1)Σλ²) over the eigenvalues λ of the columns' covariance, centred twice."""
        if self.within == 0 or self.m < 3:
            return 1.0
        covariance = self.residuals.T @ self.residuals
        return float(np.trace(covariance) ** 2 / ((self.m - 1) * np.vdot(covariance, covariance)))
