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

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.quantities import Count, Level
from racing.base.special import betaln, ndtr, ndtri, stdtr, stdtrit
from racing.stats._checks import (
    Alternative,
    Bools,
    Floats,
    Ints,
    as_generator,
    checked,
)
from racing.stats._groups import Groups, Placements
from racing.stats._paired import over, p_value
from racing.stats.intervals import newcombe

StudentizedMethod = Literal["t", "normal", "permutation"]


_CELLS = 1 << 19  # runs relabelled at once


_CLOSE = 1e-9  # relative; equal statistics differ by rounding only


_LEAST = 0.1  # scatter of placements is 0 or at least 1/8; below is rounding


@dataclass(frozen=True, eq=False)
class BrunnerMunzel:
    """Brunner and Munzel's test of the first sample against the second (lower cost wins).

    `brunner_munzel` returns it. Of k samples all arrays are (k, k): entry (i, j) tests i against j,
    and p = 1 for a sample against itself.

    `a` is the estimated chance that a run of the first is better, ties half; `low` and `high` are
    its confidence interval (by t or the normal distribution; Newcombe's method 5 for samples that
    do not overlap). `statistic` is positive when the first is better, infinite without overlap.

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

    a: Floats
    low: Floats
    high: Floats
    statistic: Floats
    df: Floats
    pvalue: Floats


@checked
def brunner_munzel(
    x: ArrayLike | Iterable[ArrayLike],
    y: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    method: StudentizedMethod = "t",
    level: Level = 0.95,
    rng: np.random.Generator | None = None,
    draws: Count = 9_999,
) -> BrunnerMunzel:
    """Brunner and Munzel's test of x against y, vectors of at least two costs each.

    Or, with x alone, of all pairs of a sequence of k vectors; the p-values are not corrected for
    their number.

    Parameters
    ----------
    alternative
        "better": x is better more often than not; "worse": the reverse.
    method
        See the head of this module.
    level
        Confidence of each interval.
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
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> brunner_munzel(samples).pvalue.round(4).tolist()
    [[1.0, 0.024, 0.0286], [0.024, 1.0, 0.0286], [0.0286, 0.0286, 1.0]]
    """
    groups = Groups.of(x, y, least=2)
    placed = Placements.of(groups)
    a, (error, df) = placed.a(), _errors(placed)
    df = np.full_like(df, np.inf) if method == "normal" else df
    t = over(a - 0.5, error)
    if method == "permutation":
        p = _relabelled(groups, t, alternative, as_generator(rng), draws)
    else:
        p = p_value(t, lambda t: _cdf(df, t), alternative)
        p = np.where(np.isinf(t), _apart(groups.sizes, t, alternative), p)
    np.fill_diagonal(p, 1.0)
    low, high = _interval(a, error, df, groups.sizes, level)
    return BrunnerMunzel(*map(groups.told, (a, low, high, t, df, p)))


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


def _cdf(df: Floats, t: Floats) -> Floats:
    """Student's distribution function, or the normal one."""
    finite = np.isfinite(df)
    return np.where(finite, stdtr(np.where(finite, df, 1.0), t), ndtr(t))


def _apart(sizes: Ints, t: Floats, alternative: Alternative) -> Floats:
    """The p-value of samples that do not overlap: 1/C(n + m, n) on the side of the better."""
    n, m = sizes[:, None].astype(np.float64), sizes.astype(np.float64)
    chance = np.exp(np.log(n + m + 1) + betaln(n + 1, m + 1))
    if alternative == "two-sided":
        return np.asarray(np.minimum(2 * chance, 1.0))
    return np.asarray(np.where((t > 0) == (alternative == "better"), chance, 1.0))


def _interval(
    a: Floats, error: Floats, df: Floats, sizes: Ints, level: float
) -> tuple[Floats, Floats]:
    finite = np.isfinite(df)
    tail = (1 - level) / 2
    reach = -np.where(finite, stdtrit(np.where(finite, df, 1.0), tail), ndtri(tail)) * error
    apart, ends = (error == 0) & (a != 0.5), newcombe(a, sizes[:, None], sizes, level)
    low = np.where(apart, ends[0], np.maximum(a - reach, 0.0))
    return low, np.where(apart, ends[1], np.minimum(a + reach, 1.0))


def _relabelled(
    groups: Groups, t: Floats, alternative: Alternative, rng: np.random.Generator, draws: int
) -> Floats:
    samples, p = groups.split(groups.costs), np.ones_like(t)
    mirrored = {"two-sided": "two-sided", "better": "worse", "worse": "better"}[alternative]
    for i, j in zip(*np.triu_indices(groups.k, 1), strict=True):
        tails = relabelled_tails(samples[i], samples[j], float(t[i, j]), rng, draws)
        p[i, j], p[j, i] = tails[alternative], tails[mirrored]
    return p


def relabelled_tails(
    x: Floats, y: Floats, t: float, rng: np.random.Generator, draws: int
) -> dict[str, float]:
    """P(|T| >= |t|), P(T >= t) and P(T <= t) over all labels of the runs, or random ones.

    All labels if there are at most `draws` + 1; else random ones, the observed one included.
    """
    ordered, n = np.sort(np.concatenate([x, y])), x.size
    below = np.searchsorted(ordered, ordered, side="left")
    upto = np.searchsorted(ordered, ordered, side="right")
    every = math.comb(ordered.size, n) <= draws + 1
    labels = _all_labels(ordered.size, n) if every else _random_labels(ordered.size, n, rng, draws)
    step = max(1, _CELLS // ordered.size)
    parts = [labels[at : at + step] for at in range(0, len(labels), step)]
    other = np.concatenate([_statistics(part, below, upto, n) for part in parts])
    least, seen = _CLOSE * abs(t) if math.isfinite(t) else 0.0, 0 if every else 1
    reached = {
        "two-sided": np.abs(other) >= abs(t) - least,
        "better": other >= t - least,
        "worse": other <= t + least,
    }
    total = len(labels) + seen
    return {side: (np.count_nonzero(each) + seen) / total for side, each in reached.items()}


def _all_labels(total: int, n: int) -> Bools:
    chosen = np.array(list(combinations(range(total), n)), dtype=np.intp)
    labels = np.zeros((len(chosen), total), dtype=np.bool_)
    labels[np.arange(len(chosen))[:, None], chosen] = True
    return labels


def _random_labels(total: int, n: int, rng: np.random.Generator, draws: int) -> Bools:
    labels = np.zeros((draws, total), dtype=np.bool_)
    labels[:, :n] = True
    return np.asarray(rng.permuted(labels, axis=1))


def _statistics(labels: Bools, below: Ints, upto: Ints, n: int) -> Floats:
    """T of each row of labels: true for the first sample, runs in order of their costs.

    `below` and `upto` bound the runs that are equal to each: a run beats those after `upto`, and
    half of those between.
    """
    m = labels.shape[1] - n
    counts = np.zeros((len(labels), labels.shape[1] + 1))
    np.cumsum(labels, axis=1, out=counts[:, 1:])
    over_first = n - (counts[:, below] + counts[:, upto]) / 2
    over_second = n + m - (below + upto) / 2 - over_first
    first = np.where(labels, over_second, 0.0)
    second = np.where(labels, 0.0, over_first)
    u = first.sum(axis=1)
    scatter_x = (first**2).sum(axis=1) - u**2 / n
    scatter_y = (second**2).sum(axis=1) - (n * m - u) ** 2 / m
    variance = scatter_x / (m**2 * (n - 1) * n) + scatter_y / (n**2 * (m - 1) * m)
    some = scatter_x + scatter_y > _LEAST
    return over(u / (n * m) - 0.5, np.sqrt(np.where(some, variance, 0.0)))
