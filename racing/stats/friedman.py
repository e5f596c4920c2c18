"""Friedman's test of equal algorithms, with the reference that the p-value needs; and Durbin's, for
incomplete tables, where each instance ran only some algorithms.

Both compare the mean ranks of m algorithms over n instances with what exchangeable columns would
give.

Without an approximation the reference are all arrangements of the ranks, or a sample of them. Under
the null hypothesis every row's ranks (ties included) are equally likely in any order. The
p-value is the share of arrangements whose statistic is at least the observed one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.quantities import Count
from racing.base.special import chdtrc, fdtrc, gammaln
from racing.stats._checks import Bools, Floats, Whole, as_generator, as_reals, blocks, checked
from racing.stats.ranks import random_share, rank_rows, ranks_of

Reference = Literal["chi2", "F", "exact", "permutation"]

_STEPS_AT_MOST = 200_000_000  # (rank-sum vectors) × (arrangements of a row): some ten seconds
_BLOCK = 1 << 19


@dataclass(frozen=True, slots=True, eq=False)
class FriedmanTest:
    """The outcome of a Friedman test.

    `friedman` returns it.

    Attributes
    ----------
    statistic
        χ²_F, or Iman and Davenport's F_F for reference "F" (inf if all rows are ranked alike).
    pvalue
        Probability of a statistic at least as large if the columns are exchangeable.
    df
        Degrees of freedom of the reference; empty for "exact" and "permutation".
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
    df: tuple[int, ...]
    tied: bool
    mean_ranks: Floats
    concordance: float
    p_error: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class DurbinTest:
    """The outcome of Durbin's test.

    `durbin` returns it.

    Attributes
    ----------
    statistic, df, pvalue
        χ² with m − 1 degrees of freedom, or F with m − 1 and nk − n − m + 1.
    reference
        "chi2" or "F".
    mean_ranks
        Shape (m,): the mean rank of each algorithm on its instances, from 1 to k; lower is better.
    k, r, pairs
        The design: algorithms per instance, instances per algorithm, instances per pair.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import durbin
    >>> X = [[3, 1, np.nan], [np.nan, 2, 3], [5, np.nan, 4]]
    >>> found = durbin(X)
    >>> found.k, found.r, found.pairs
    (2, 2, 1)
    >>> found.mean_ranks.tolist()
    [2.0, 1.0, 1.5]
    """

    statistic: float
    df: tuple[int, ...]
    pvalue: float
    reference: Literal["chi2", "F"]
    mean_ranks: Floats
    n: int
    m: int
    k: int
    r: int
    pairs: int


@checked
def friedman(
    X: ArrayLike,
    *,
    reference: Reference = "chi2",
    tie_correction: bool = True,
    ranked: bool = False,
    check: bool = True,
    rng: np.random.Generator | None = None,
    draws: Count = 9_999,
) -> FriedmanTest:
    """Friedman's test of "all columns behave alike".

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better.
    reference
        "chi2" is conservative for small n and m; "F" is the correction of Iman and Davenport
        (1980), less conservative; "exact" enumerates all arrangements of small tables, given the
        ties: up to about n = 200 at m = 3, 50 at m = 4, 14 at m = 5, 7 at m = 6, 4 at m = 7, 2 at
        m = 9; "permutation" takes random arrangements of every row, for any size and any ties.
    tie_correction
        False gives the formula as Demšar (2006) prints it, conservative with ties. Without effect
        on the last two references.
    ranked
        `X` holds ranks (1 = best, average ranks for ties) rather than costs.
    check
        False trusts `X` to be a clean float64 matrix.
    rng, draws
        For "permutation". The observed table counts as one draw, so p is never 0 and the test keeps
        its level whatever the number of draws.

    Raises
    ------
    InputError
        If `X` is no table of costs (or ranks), or too large to enumerate.

    Notes
    -----
    All rows tied, or one column: statistic 0 and p = 1. If all rows are ranked alike, F is infinite
    and its distribution would say p = 0, even after two instances. The p-value is then the exact
    one: the probability that n − 1 random rows agree with the first. One instance alone gives
    p = 1.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import friedman
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> round(float(friedman(X).pvalue), 4)
    0.0057
    >>> round(float(friedman(X, reference="F").pvalue), 4)
    0.0001
    >>> round(float(friedman(X, reference="exact").pvalue), 4)
    0.0017
    """
    sums = RankSums.of(ranks_of(X, ranked=ranked, check=check))
    w = sums.concordance(tie_correction or reference in ("exact", "permutation"))
    statistic, error = sums.n * (sums.m - 1) * w, 0.0
    df: tuple[int, ...] = ()
    if reference == "chi2":
        df, p = (sums.m - 1,), float(chdtrc(sums.m - 1, statistic)) if w > 0 else 1.0
    elif reference == "F":
        df = (sums.m - 1, (sums.m - 1) * (sums.n - 1))
        statistic, p = f_test(w, df, sums.p_all_alike)
    elif reference == "exact":
        p = exact_tail(sums.ranks)
    else:
        rows = _whole_rows(sums.ranks)
        least = _sum_of_squares(rows.sum(axis=0))

        def reached(arranged: Whole) -> Bools:
            return _sum_of_squares(arranged.sum(axis=-2)) >= least

        p, error = random_share(rows, reached, draws, as_generator(rng))
    tied = sums.spread < sums.spread_untied
    return FriedmanTest(statistic, p, df, tied, sums.totals / sums.n, w, error)


@checked
def durbin(X: ArrayLike, *, reference: Literal["chi2", "F"] = "F") -> DurbinTest:
    """Durbin's test of "all columns behave alike" in a balanced incomplete block design.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better; NaN where an algorithm was not
        run, +inf where it failed. Every instance needs the same number k of algorithms, every
        algorithm the same number of instances, and so do the common instances of every two.
    reference
        "chi2" is Durbin's statistic (T1); "F" (T2) keeps the level better for few instances.

    Raises
    ------
    InputError
        If `X` is no such table; the message names the part that is not balanced.

    Notes
    -----
    Durbin (1951); ties and F as in Conover (1999), 5.9:
    T1 = (m − 1) Σ_j (R_j − r(k+1)/2)² / (A − C), A = Σ rank², C = nk(k+1)²/4, and
    T2 = [T1/(m − 1)] / [(n(k − 1) − T1)/(nk − n − m + 1)]. With k = m it is Friedman's test. If all
    ranks agree as far as they can, T2 is infinite and p = 0: the χ² reference is then safer.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import durbin
    >>> X = np.array([[3, 1, np.nan], [np.nan, 2, 3], [5, np.nan, 4]])
    >>> round(float(durbin(X).statistic), 4)
    4.0
    """
    costs = _as_blocks(X)
    seen = ~np.isnan(costs)
    k, r, pairs = _balance(seen)
    n, m = costs.shape
    levels = np.full(costs.shape, np.inf)  # failures rank before cells that were not run
    levels[seen] = rank_rows(costs[seen][None], check=False)[0]
    ranks = np.where(seen, rank_rows(levels, check=False), 0)
    totals = ranks.sum(axis=0)
    spread = float((ranks**2).sum()) - n * k * (k + 1) ** 2 / 4
    between = float(((totals - r * (k + 1) / 2) ** 2).sum())
    chi2 = (m - 1) * between / spread if spread > 0 else 0.0
    if reference == "F":
        df: tuple[int, ...] = (m - 1, n * k - n - m + 1)
        statistic, p = f_test(chi2 / (n * (k - 1)), df, lambda: float(df[1] < 1))
    else:
        statistic, df, p = chi2, (m - 1,), float(chdtrc(m - 1, chi2)) if chi2 > 0 else 1.0
    return DurbinTest(statistic, df, p, reference, totals / r, n, m, k, r, pairs)


@dataclass(frozen=True, slots=True, eq=False)
class RankSums:
    """The sums that Friedman's statistics need. They are exact, as ranks are halves."""

    ranks: Floats
    totals: Floats  # the rank sum of each column
    between: float  # Σ_j (R_j − n(m+1)/2)²
    spread: float  # Σ_ij (r_ij − (m+1)/2)², lowered by ties
    n: int
    m: int

    @classmethod
    def of(cls, ranks: Floats) -> RankSums:
        n, m = ranks.shape
        totals = ranks.sum(axis=0)
        away = totals - n * (m + 1) / 2
        # einsum, not vdot: on a busy machine BLAS threads take longer than the whole test
        squares = float(np.einsum("ij,ij->", ranks, ranks))
        spread = squares - n * m * (m + 1) ** 2 / 4
        return cls(ranks, totals, float(away @ away), spread, n, m)

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


def f_test(share: float, df: tuple[int, ...], p_alike: Callable[[], float]) -> tuple[float, float]:
    """F and its p-value, of the share of the variation of ranks that is between columns.

    F = share/df₁ / ((1 − share)/df₂). If it is all of it, F is infinite and p is `p_alike()`.
    For Friedman's W that is Demšar (2006), section 3.2.2: F_F = (N − 1)χ² / (N(k − 1) − χ²), with
    χ² = N(k − 1)W.
    """
    if share == 0:
        return 0.0, 1.0
    if share > 1 - 1e-12:
        return math.inf, p_alike()
    statistic = share / (1 - share) * df[1] / df[0]
    return statistic, f_tail(statistic, df)


def f_tail(statistic: float, df: tuple[int, ...], epsilon: float = 1.0) -> float:
    """P(F >= statistic) with both degrees of freedom times epsilon: 1 at 0, and 0 at infinity."""
    if statistic == 0 or math.isinf(statistic):
        return float(statistic == 0)
    return float(fdtrc(epsilon * df[0], epsilon * df[1], statistic))


def _as_blocks(X: ArrayLike) -> Floats:
    costs = as_reals(X, "X")
    if costs.ndim != 2 or costs.size == 0:
        raise InputError(
            "X must be numbers of shape (n instances, m algorithms), NaN where not run; got shape "
            f"{costs.shape}"
        )
    if np.isneginf(costs).any():
        raise InputError("X: a cost of -inf is infinitely good; a failure is +inf")
    return costs


def _balance(seen: Bools) -> tuple[int, int, int]:
    """k, r and the number of instances of each pair, of a balanced design."""
    common = seen.T.astype(int) @ seen.astype(int)
    counted = {
        "algorithms on each instance": seen.sum(axis=1),
        "instances of each algorithm": seen.sum(axis=0),
        "common instances of every two algorithms": common[~np.eye(len(common), dtype=bool)],
    }
    for what, counts in counted.items():
        low, high = counts.min(initial=counts.max(initial=0)), counts.max(initial=0)
        if low != high or low < 1:
            raise InputError(
                f"X: Durbin's test needs a balanced design, but the number of {what} goes from "
                f"{low} to {high}; leave out rows or columns, or compare pairs on what both ran on"
            )
    k, r, pairs = (int(counts[0]) for counts in counted.values())
    return k, r, pairs


def exact_tail(ranks: Floats) -> float:
    """P(Σ R_j² >= observed) over all arrangements, on sorted rank-sum vectors, row by row."""
    rows = _whole_rows(ranks)
    if len(rows) <= 1:
        return 1.0
    observed = _sum_of_squares(rows.sum(axis=0))
    states, weights = np.sort(rows[:1], axis=1), np.ones(1)
    for row in rows[1:-1]:
        states, weights = _convolve(states, weights, _arrangements(row))
    last = _arrangements(rows[-1])
    _refuse(len(states) * len(last) > _STEPS_AT_MOST)
    p = 0.0
    lengths, last_length = _sum_of_squares(states), _sum_of_squares(last[0])
    for part in blocks(len(states), len(last), _BLOCK):
        squares = lengths[part, None] + 2 * (states[part] @ last.T) + last_length
        p += float(weights[part] @ (squares >= observed).mean(axis=1))
    return min(p, 1.0)


def _whole_rows(ranks: Floats) -> Whole:
    """The ranks as small whole numbers from 0, without the rows that are tied throughout.

    Only the order of Σ_j R_j² matters below. Shifting a row changes it by a constant; scaling all
    rows changes it by a factor; so both are free.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    doubled -= doubled.min(axis=1, keepdims=True)
    informative = doubled[doubled.any(axis=1)]
    return informative // max(int(np.gcd.reduce(informative, axis=None)), 1)


def _sum_of_squares(totals: Whole) -> Whole:
    return np.asarray(np.einsum("...j,...j->...", totals, totals))


def _convolve(states: Whole, weights: Floats, arranged: Whole) -> tuple[Whole, Floats]:
    """The distribution after one more row: states × arrangements, equal vectors merged."""
    m = states.shape[1]
    _refuse(len(states) * len(arranged) > _STEPS_AT_MOST)
    base = int(states.max() + arranged.max()) + 1
    _refuse(base**m >= 2**63)
    place_values = base ** np.arange(m, dtype=np.int64)
    keys: Whole = np.empty(0, dtype=np.int64)
    masses: Floats = np.empty(0)
    for part in blocks(len(states), len(arranged), _BLOCK):
        grown = np.sort((states[part, None, :] + arranged).reshape(-1, m), axis=1)
        mass = np.repeat(weights[part] / len(arranged), len(arranged))
        keys, place = np.unique(np.append(keys, grown @ place_values), return_inverse=True)
        masses = np.bincount(place, weights=np.append(masses, mass)).astype(np.float64)
    return keys[:, None] // place_values % base, masses


def _arrangements(row: Whole) -> Whole:
    """All distinct orders of the cells of a row, one per line."""
    values, counts = np.unique(row, return_counts=True)
    number = math.factorial(row.size) // math.prod(math.factorial(int(c)) for c in counts)
    _refuse(number * row.size > _STEPS_AT_MOST)
    prefixes, left = np.empty((1, 0), dtype=np.int64), counts[None, :]
    for _ in range(row.size):
        line, choice = np.nonzero(left)
        prefixes = np.column_stack([prefixes[line], values[choice]])
        left = left[line]
        left[np.arange(line.size), choice] -= 1
    return prefixes


def _refuse(too_large: bool) -> None:
    if too_large:
        raise InputError(
            "X is too large for the exact Friedman test; use reference='permutation' or 'F'"
        )
