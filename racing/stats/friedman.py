"""Friedman's test of equal algorithms, and its correction by Iman and Davenport.

Both compare the mean ranks of m algorithms over n instances with what exchangeable columns would
give. `friedman_exact` holds the versions that need no approximation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.special import chdtrc, fdtrc, gammaln
from racing.stats._checks import Floats
from racing.stats.ranks import ranks_of

Reference = Literal["chi2", "F", "exact", "permutation"]


@dataclass(frozen=True, slots=True, eq=False)
class FriedmanTest:
    """The outcome of a Friedman test.

    `friedman`, `iman_davenport`, `friedman_exact` and `friedman_permutation` return it.

    Attributes
    ----------
    statistic
        χ²_F, or F_F for the Iman-Davenport test (inf if all rows are ranked alike).
    pvalue
        Probability of a statistic at least as large if the columns are exchangeable.
    reference
        Source of the p-value: "chi2", "F", "exact" or "permutation".
    df
        Degrees of freedom of that distribution; empty for "exact" and "permutation".
    tie_correction
        Whether the statistic accounts for ties. It makes no difference if `tied` is False.
    tied
        Whether any row holds ties.
    mean_ranks
        Shape (m,), lower is better.
    concordance
        Kendall's W from 0 (no agreement of the rows) to 1 (all rows ranked alike): the effect.
    p_error
        Standard error of a Monte Carlo p-value; 0 for the others.

    Examples
    --------
    >>> from racing.stats import friedman
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = friedman(X)
    >>> found.mean_ranks.round(2).tolist()
    [3.0, 1.17, 1.83]
    >>> f"χ²({found.df[0]}) = {found.statistic:.1f}, W = {found.concordance:.2f}"
    'χ²(2) = 10.3, W = 0.86'
    """

    statistic: float
    pvalue: float
    reference: Reference
    df: tuple[int, ...]
    tie_correction: bool
    tied: bool
    n: int
    m: int
    mean_ranks: Floats
    concordance: float
    p_error: float = 0.0


def friedman(
    X: ArrayLike, *, tie_correction: bool = True, ranked: bool = False, check: bool = True
) -> FriedmanTest:
    """Friedman's χ² test of "all columns behave alike".

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better.
    tie_correction
        False gives the formula as Demšar (2006) prints it, conservative with ties.
    ranked
        `X` holds ranks (1 = best, average ranks for ties) rather than costs.
    check
        False trusts `X` to be a clean float64 matrix.

    Raises
    ------
    InputError
        If `X` is no table of costs (or ranks).

    Notes
    -----
    The χ² distribution is conservative for small n and m: prefer `iman_davenport`, or the exact
    test. All rows tied, or one column: statistic 0 and p = 1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import friedman
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = friedman(X)
    >>> round(float(found.pvalue), 4)
    0.0057
    """
    sums = RankSums.of(ranks_of(X, ranked=ranked, check=check))
    w = sums.concordance(tie_correction)
    statistic = sums.n * (sums.m - 1) * w
    p = float(chdtrc(sums.m - 1, statistic)) if w > 0 else 1.0
    return sums.result(statistic, p, "chi2", (sums.m - 1,), tie_correction)


def iman_davenport(
    X: ArrayLike, *, tie_correction: bool = True, ranked: bool = False, check: bool = True
) -> FriedmanTest:
    """Friedman's test with the F distribution of Iman and Davenport (1980), less conservative.

    Parameters and errors as for `friedman`.

    Notes
    -----
    If all rows are ranked alike, F is infinite and its distribution would say p = 0, even after
    two instances. The p-value is then the exact one: the probability that n − 1 random rows agree
    with the first. One instance alone gives p = 1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import iman_davenport
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = iman_davenport(X)
    >>> round(float(found.pvalue), 4)
    0.0001
    """
    sums = RankSums.of(ranks_of(X, ranked=ranked, check=check))
    n, m = sums.n, sums.m
    w = sums.concordance(tie_correction)
    df = (m - 1, (m - 1) * (n - 1))
    if w > 1 - 1e-9 and (sums.ranks == sums.ranks[0]).all():
        return sums.result(math.inf, sums.p_all_alike(), "F", df, tie_correction)
    # Demsar (2006), section 3.2.2: F_F = (N − 1)χ² / (N(k − 1) − χ²), with χ² = N(k − 1)W
    statistic = (n - 1) * w / (1 - w)
    p = float(fdtrc(df[0], df[1], statistic)) if statistic > 0 else 1.0
    return sums.result(statistic, p, "F", df, tie_correction)


@dataclass(frozen=True, slots=True, eq=False)
class RankSums:
    """The sums that Friedman's statistics need. They are exact, as ranks are halves."""

    ranks: Floats
    totals: Floats  # the rank sum of each column
    between: float  # Σ_j (R_j − n(m+1)/2)²
    spread: float  # Σ_ij (r_ij − (m+1)/2)², lowered by ties

    @classmethod
    def of(cls, ranks: Floats) -> RankSums:
        n, m = ranks.shape
        totals = ranks.sum(axis=0)
        away = totals - n * (m + 1) / 2
        # einsum, not vdot: on a busy machine BLAS threads take longer than the whole test
        squares = float(np.einsum("ij,ij->", ranks, ranks))
        spread = squares - n * m * (m + 1) ** 2 / 4
        return cls(ranks, totals, float(away @ away), spread)

    @property
    def n(self) -> int:
        return int(self.ranks.shape[0])

    @property
    def m(self) -> int:
        return int(self.ranks.shape[1])

    @property
    def spread_untied(self) -> float:
        return self.n * self.m * (self.m**2 - 1) / 12

    def concordance(self, tie_correction: bool) -> float:
        """Kendall's W = Σ_j(R_j − R̄)² / (n Σ_ij(r_ij − r̄)²); 0 if no columns differ."""
        spread = self.spread if tie_correction else self.spread_untied
        return min(self.between / (self.n * spread), 1.0) if spread > 0 else 0.0

    def p_all_alike(self) -> float:
        """The probability that n − 1 random arrangements of the first row's ranks equal it."""
        _, group_sizes = np.unique(self.ranks[0], return_counts=True)
        log_arrangements = gammaln(self.m + 1) - gammaln(group_sizes + 1).sum()
        return math.exp(-(self.n - 1) * float(log_arrangements))

    def result(
        self,
        statistic: float,
        pvalue: float,
        reference: Reference,
        df: tuple[int, ...],
        tie_correction: bool,
        p_error: float = 0.0,
    ) -> FriedmanTest:
        return FriedmanTest(
            statistic=float(statistic),
            pvalue=pvalue,
            reference=reference,
            df=df,
            tie_correction=tie_correction,
            tied=self.spread < self.spread_untied,
            n=self.n,
            m=self.m,
            mean_ranks=self.totals / self.n,
            concordance=self.concordance(tie_correction),
            p_error=p_error,
        )
