"""Brunner and Munzel's test of A = 1/2 for two independent samples, whatever their spreads.

A = P(X < Y) + P(X = Y)/2 is the chance that a run of the first is better. Its estimate is divided
by a standard error that does not assume equal distributions: Welch's test on placements. So it
keeps its level under unequal spreads, where `mann_whitney` does not.

Where the p-value comes from (`method`):

- "t": Student's t with Welch's degrees of freedom. Rejects slightly too often for ten runs or
  fewer.
- "normal": the limit for many runs.
- "permutation": the statistic under other labels of the runs (Neubert and Brunner, 2007): exact
  where the samples have one distribution, and valid in the limit where spreads differ. All labels
  where these are few, else random ones.

Samples that do not overlap have no standard error. Their p-value is that of the permutation test,
1/C(n + m, n) on one side: never 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.special import betaln, ndtr, ndtri, stdtr, stdtrit
from racing.stats._checks import Floats, Ints, as_count, as_level, as_vector, one_of
from racing.stats._groups import Groups
from racing.stats._intervals import newcombe
from racing.stats._placements import Placements
from racing.stats._relabelled import relabelled_tails
from racing.stats._rope import as_generator
from racing.stats.sign import Alternative

StudentizedMethod = Literal["t", "normal", "permutation"]


@dataclass(frozen=True)
class BrunnerMunzel:
    """Brunner and Munzel's test of the first sample against the second (lower cost wins).

    `brunner_munzel` returns it.

    `a` is the estimated chance that a run of the first is better, ties half; `low` and `high` hold
    it with `level` (by t or the normal distribution; Newcombe's method 5 for samples that do not
    overlap). `statistic` is positive when the first is better, infinite without overlap.

    Examples
    --------
    >>> from racing.stats import brunner_munzel
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = brunner_munzel(x, y)
    >>> f"A = {found.a:.2f}, between {found.low:.2f} and {found.high:.2f}"
    'A = 0.20, between 0.00 and 0.47'
    >>> f"t({found.df:.1f}) = {found.statistic:.2f}"
    't(12.0) = -2.45'
    """

    a: float
    low: float
    high: float
    level: float
    statistic: float
    df: float
    pvalue: float
    sizes: tuple[int, int]
    alternative: Alternative
    method: StudentizedMethod


@dataclass(frozen=True, eq=False)
class BrunnerMunzelPairs:
    """Brunner and Munzel's tests of all pairs of k samples: entry (i, j) tests i against j.

    `brunner_munzel_pairs` returns it.

    All arrays are (k, k). `level` holds for each interval, not jointly, and the p-values are not
    corrected for their number; that of a sample against itself is 1.

    Examples
    --------
    >>> from racing.stats import brunner_munzel_pairs
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = brunner_munzel_pairs(samples)
    >>> found.a[0].round(3).tolist()
    [0.5, 0.875, 1.0]
    >>> found.low[0].round(3).tolist()
    [0.5, 0.569, 0.582]
    """

    a: Floats
    low: Floats
    high: Floats
    level: float
    statistics: Floats
    df: Floats
    pvalues: Floats
    sizes: Ints
    alternative: Alternative
    method: StudentizedMethod


def brunner_munzel(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: StudentizedMethod = "t",
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    draws: int = 9_999,
) -> BrunnerMunzel:
    """Brunner and Munzel's test of x against y, vectors of at least two costs each.

    Parameters
    ----------
    alternative
        "better": x is better more often than not; "worse": the reverse.
    method
        See the head of this module.
    rng, draws
        For "permutation": random labels where there are more than `draws` + 1 in all.

    Raises
    ------
    InputError
        If x or y is no vector of at least two costs, or "permutation" has no `rng`.

    Notes
    -----
    Brunner and Munzel (2000). A failure (+inf) is worst and tied with other failures.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import brunner_munzel
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = brunner_munzel(x, y)
    >>> round(float(found.pvalue), 4)
    0.0304
    """
    pair = as_vector(x, name="x"), as_vector(y, name="y")
    found = brunner_munzel_pairs(
        pair, alternative=alternative, method=method, level=level, rng=rng, draws=draws
    )
    return BrunnerMunzel(
        a=float(found.a[0, 1]),
        low=float(found.low[0, 1]),
        high=float(found.high[0, 1]),
        level=level,
        statistic=float(found.statistics[0, 1]),
        df=float(found.df[0, 1]),
        pvalue=float(found.pvalues[0, 1]),
        sizes=(pair[0].size, pair[1].size),
        alternative=alternative,
        method=method,
    )


def brunner_munzel_pairs(
    samples: Iterable[ArrayLike],
    *,
    alternative: Alternative = "two-sided",
    method: StudentizedMethod = "t",
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    draws: int = 9_999,
) -> BrunnerMunzelPairs:
    """Brunner and Munzel's tests of all pairs of k samples. Options as in `brunner_munzel`.

    Examples
    --------
    >>> from racing.stats import brunner_munzel_pairs
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = brunner_munzel_pairs(samples)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.024, 0.0286], [0.024, 1.0, 0.0286], [0.0286, 0.0286, 1.0]]
    """
    one_of(alternative, ("two-sided", "better", "worse"), name="alternative")
    one_of(method, ("t", "normal", "permutation"), name="method")
    groups = Groups.of(samples, least=2)
    placed = Placements.of(groups)
    a = placed.a()
    error, df = _errors(placed)
    df = np.full_like(df, np.inf) if method == "normal" else df
    t = _ratio(a - 0.5, error)
    if method == "permutation":
        p = _relabelled(groups, t, alternative, rng, as_count(draws, name="draws"))
    else:
        p = _tail(t, df, alternative)
        p = np.where(np.isinf(t), _apart(groups.sizes, t, alternative), p)
    np.fill_diagonal(p, 1.0)
    low, high = _interval(a, error, df, groups.sizes, as_level(level, name="level"))
    return BrunnerMunzelPairs(
        a, low, high, level, t, df, p, groups.sizes, alternative, method
    )  # fmt: skip


def _errors(placed: Placements) -> tuple[Floats, Floats]:
    """Standard errors of A, and Welch's degrees of freedom, (k, k)."""
    n = placed.groups.sizes[:, None].astype(np.float64)
    # Brunner and Munzel (2000), section 3: the variance of the placements of i in j, over n_i.
    part = placed.scatter() / (n.T**2 * (n - 1) * n)
    np.fill_diagonal(part, 0.0)  # a sample against itself
    variance, squared = part + part.T, part**2 / (n - 1)
    below = squared + squared.T
    df = np.divide(variance**2, below, out=np.full_like(below, np.inf), where=below > 0)
    return np.sqrt(variance), df


def _ratio(away: Floats, error: Floats) -> Floats:
    """away/error; where the error is 0, ±inf or 0."""
    certain = np.where(away == 0, 0.0, np.copysign(np.inf, away))
    return np.asarray(np.divide(away, error, out=certain, where=error > 0))


def _tail(t: Floats, df: Floats, alternative: Alternative) -> Floats:
    x = {"two-sided": -np.abs(t), "better": -t, "worse": t}[alternative]
    finite = np.isfinite(df)
    p = np.where(finite, stdtr(np.where(finite, df, 1.0), x), ndtr(x))
    return np.minimum(2 * p, 1.0) if alternative == "two-sided" else np.asarray(p)


def _apart(sizes: Ints, t: Floats, alternative: Alternative) -> Floats:
    """The p-value of samples that do not overlap: 1/C(n + m, n) on the side of the better."""
    n, m = sizes[:, None].astype(np.float64), sizes.astype(np.float64)
    chance = np.exp(np.log(n + m + 1) + betaln(n + 1, m + 1))
    if alternative == "two-sided":
        return np.asarray(np.minimum(2 * chance, 1.0))
    return np.asarray(np.where((t > 0) == (alternative == "better"), chance, 1.0))


def _relabelled(
    groups: Groups,
    t: Floats,
    alternative: Alternative,
    rng: np.random.Generator | None,
    draws: int,
) -> Floats:
    if rng is None:
        raise InputError("rng: method='permutation' needs a numpy.random.Generator, got None")
    samples, p = groups.split(groups.costs), np.ones_like(t)
    for i, j in zip(*np.triu_indices(groups.k, 1), strict=True):
        tails = relabelled_tails(samples[i], samples[j], float(t[i, j]), as_generator(rng), draws)
        both, better, worse = tails
        p[i, j] = {"two-sided": both, "better": better, "worse": worse}[alternative]
        p[j, i] = {"two-sided": both, "better": worse, "worse": better}[alternative]
    return p


def _interval(
    a: Floats, error: Floats, df: Floats, sizes: Ints, level: float
) -> tuple[Floats, Floats]:
    finite = np.isfinite(df)
    tail = (1 - level) / 2
    reach = -np.where(finite, stdtrit(np.where(finite, df, 1.0), tail), ndtri(tail)) * error
    low, high = np.maximum(a - reach, 0.0), np.minimum(a + reach, 1.0)
    for i, j in np.argwhere((error == 0) & (a != 0.5)):
        low[i, j], high[i, j] = newcombe(float(a[i, j]), int(sizes[i]), int(sizes[j]), level)
    return low, high
