"""Comparisons of algorithms by means: of all pairs, or of each with a control.

What is compared are mean ranks or mean costs. Tests differ in the standard error of a difference
and in the distribution that it is held against; their results have one form.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from racing.base.quantities import Level
from racing.base.special import ndtri, stdtrit
from racing.stats._checks import Floats, as_column, checked
from racing.stats._paired import over
from racing.stats._range import dunnett_isf, studentized_range_isf

Reference: TypeAlias = Literal["normal", "t", "range", "dunnett"]


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

    @checked
    def critical_difference(self, alpha: Level = 0.05) -> Any:
        """The least significant difference of two means at a two-sided level."""
        m = self.means.size
        if self.df == 0:
            return math.inf
        if self.reference == "normal":
            quantile = -float(ndtri(alpha / 2))
        elif self.reference == "t":
            quantile = -float(stdtrit(self.df, alpha / 2))
        elif self.reference == "dunnett":
            quantile = dunnett_isf(alpha, m - 1, self.df)
        else:
            quantile = studentized_range_isf(alpha, m, self.df) / math.sqrt(2)
        return quantile * self.standard_error


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Differences of means, of all pairs or from a control, and their standard errors."""

    means: Floats
    away: Floats
    errors: Any
    control: int | None

    @classmethod
    def of(cls, means: Floats, errors: Any, control: int | None) -> Contrasts:
        """From the means, (m,), and a standard error for all, or one for each pair, (m, m)."""
        if control is None:
            return cls(means, means[:, None] - means, errors, None)
        at = as_column(control, means.size)
        return cls(means, means - means[at], errors[:, at] if np.ndim(errors) else errors, at)

    @cached_property
    def statistic(self) -> Floats:
        return over(self.away, self.errors)

    def result(self, pvalues: Floats, reference: Reference, df: float = math.inf) -> Comparisons:
        """The record, in which an algorithm against itself has p = 1."""
        p = np.array(pvalues)
        if self.control is None:
            np.fill_diagonal(p, 1.0)
        else:
            p[self.control] = 1.0
        return Comparisons(self.means, self.statistic, p, self.errors, df, self.control, reference)
