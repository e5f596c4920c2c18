"""Confidence intervals of effect sizes: order statistics, Walsh averages, probabilities."""

from __future__ import annotations

import numpy as np

from racing.base.errors import InputError
from racing.base.special import bdtr, betaincinv, ndtri
from racing.stats._checks import Floats
from racing.stats._signed_ranks import sum_distribution

EXACT_RANKS = 200  # differences up to which the signed-rank quantile is exact
_MOST_WALSH = 5000  # differences whose n(n+1)/2 averages still fit in memory


def median_interval(d: Floats, level: float) -> tuple[float, float, float, float, float]:
    """(estimate, low, high, level, coverage) of the median, by order statistics."""
    n = d.size
    counts = np.arange(n // 2 + 1)
    tail = bdtr(counts.astype(float), n, 0.5)  # P(B <= c), B ~ Binomial(n, 1/2)
    return _order_interval(np.sort(d), tail, level)


def hodges_lehmann_interval(d: Floats, level: float) -> tuple[float, float, float, float, float]:
    """(estimate, low, high, level, coverage) of the centre of symmetry, by Walsh averages."""
    n = d.size
    if n > _MOST_WALSH:
        raise InputError(
            f"estimator: 'hodges-lehmann' holds all n(n+1)/2 averages, so n <= {_MOST_WALSH}; "
            f"got n = {n}: use estimator='median'"
        )
    i, j = np.triu_indices(n)
    walsh = np.sort(_midpoint(d[i], d[j]))
    if n <= EXACT_RANKS:
        tail = np.cumsum(sum_distribution(np.arange(1, n + 1)))  # P(T+ <= t)
        return _order_interval(walsh, tail[: walsh.size // 2 + 1], level)
    spread = np.sqrt(n * (n + 1.0) * (2 * n + 1) / 24)
    drop = max(0, int(np.floor(n * (n + 1) / 4 + float(ndtri((1 - level) / 2)) * spread)))
    return _middle(walsh), float(walsh[drop]), float(walsh[-1 - drop]), level, level


def _order_interval(
    ordered: Floats, tail: Floats, level: float
) -> tuple[float, float, float, float, float]:
    """Interval between the order statistics number r + 1 from both ends.

    It misses the parameter with probability 2 * tail[r]; r is the largest for which that is at
    most 1 - level. If r = 0 is not small enough, the interval is the whole line.
    """
    r = int(np.searchsorted(2 * tail, 1 - level + 1e-12, side="right")) - 1
    if r < 0:
        return _middle(ordered), -np.inf, np.inf, level, 1.0
    coverage = float(1 - 2 * tail[r])
    return _middle(ordered), float(ordered[r]), float(ordered[-1 - r]), level, coverage


def _middle(ordered: Floats) -> float:
    n = ordered.size
    return float(_midpoint(ordered[[(n - 1) // 2]], ordered[[n // 2]])[0])


def _midpoint(a: Floats, b: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        middle: Floats = a / 2 + b / 2
    middle[np.isnan(middle)] = 0.0  # between -inf and +inf
    return middle


def clopper_pearson(wins: float, n: int, level: float) -> tuple[float, float]:
    miss = (1 - level) / 2
    low = float(betaincinv(wins, n - wins + 1, miss)) if wins > 0 else 0.0
    high = float(betaincinv(wins + 1, n - wins, 1 - miss)) if wins < n else 1.0
    return low, high


def newcombe(a: float, m: int, n: int, level: float) -> tuple[float, float]:
    """The interval of all t with |a - t| <= z sqrt(V(t)), by bisection on either side of a.

    Newcombe (2006, part 2), method 5: V(t) = t(1-t) [1 + N ((1-t)/(2-t) + t/(1+t))] / (mn),
    N = (m+n)/2 - 1.
    """
    z2, extra = float(ndtri(0.5 + level / 2)) ** 2, (m + n) / 2 - 1

    def inside(t: float) -> bool:
        spread = t * (1 - t) * (1 + extra * ((1 - t) / (2 - t) + t / (1 + t))) / (m * n)
        return (a - t) ** 2 <= z2 * spread

    def end(outer: float) -> float:
        inner = a
        if inside(outer):
            return outer
        for _ in range(60):
            middle = (inner + outer) / 2
            inner, outer = (middle, outer) if inside(middle) else (inner, middle)
        return inner

    return end(0.0), end(1.0)
