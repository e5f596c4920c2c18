"""Confidence intervals of shares, of Vargha and Delaney's A, and of means.

`bounded_mean` is for means where the worst values are rare, such as running times with timeouts.
Of 30 instances without a timeout, Student's interval says that there is none, though one in nine
may have one. Here an observation is added that was not made, at the least possible value for the
lower end and at the largest for the upper: the ends are quantiles of

    Σ_g w_g S_g + w_0 n̄ b  over  Σ_g w_g n_g + w_0 n̄,    w exponential, b the least or largest value

with the sum S_g and the size n_g of each group, and the mean size n̄. That is the prior of weight 1
of Benavoli, Mangili, Ruggeri and Zaffalon (2015), and the bound of Learned-Miller and Thomas (2019,
A new confidence interval for the mean of a bounded random variable, arXiv:1905.06208), which is
conjectured to hold at its level for every distribution between the two values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError, must_be
from racing.base.special import betaincinv, ndtri, stdtrit
from racing.stats._checks import Bools, Floats, Ints

STEPS = 60  # halvings, each of which gives a bit
DRAWS = 2000


def clopper_pearson(wins: ArrayLike, n: int, level: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's (1934) intervals of shares of n, elementwise; `wins` may be halves."""
    w, miss = np.asarray(wins, dtype=np.float64), (1 - level) / 2
    low = np.where(w > 0, betaincinv(np.maximum(w, 0.5), n - w + 1, miss), 0.0)
    high = np.where(w < n, betaincinv(w + 1, np.maximum(n - w, 0.5), 1 - miss), 1.0)
    return low[()], high[()]


def newcombe(a: Floats, m: ArrayLike, n: ArrayLike, level: float) -> tuple[Floats, Floats]:
    """The intervals of all t with |a - t| <= z sqrt(V(t)), by bisection on either side of a.

    Newcombe (2006, part 2), method 5: V(t) = t(1-t) [1 + N ((1-t)/(2-t) + t/(1+t))] / (mn),
    N = (m+n)/2 - 1; elementwise, for A of m runs over n.
    """
    first, second = np.asarray(m, dtype=np.float64), np.asarray(n, dtype=np.float64)
    z2, extra = float(ndtri(0.5 + level / 2)) ** 2, (first + second) / 2 - 1

    def inside(t: Floats) -> Bools:
        spread = t * (1 - t) * (1 + extra * ((1 - t) / (2 - t) + t / (1 + t))) / (first * second)
        return np.asarray((a - t) ** 2 <= z2 * spread)

    low, high = (last_inside(inside, a, np.full_like(a, end)) for end in (0.0, 1.0))
    return low, high


def last_inside(inside: Callable[[Floats], Bools], inner: Floats, outer: Floats) -> Floats:
    """The last place, from `inner` that is inside to `outer`, that still is; elementwise."""
    inner = np.where(inside(outer), outer, inner)
    for _ in range(STEPS):
        middle = (inner + outer) / 2
        kept = inside(middle)
        inner, outer = np.where(kept, middle, inner), np.where(kept, outer, middle)
    return np.asarray(inner)


def half_width(freedom: int, confidence: float) -> float:
    """The t > 0 with P(−t ≤ T ≤ t) = confidence, for T of Student's distribution.

    Parameters
    ----------
    freedom
        Degrees of freedom, at least 1.
    confidence
        From 0 to below 1.
    """
    return float(stdtrit(freedom, 0.5 + confidence / 2))


def numbered(labels: Iterable[Hashable]) -> Ints:
    """The number of each label, from 0 in the order of appearance; equal ones have the same."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(one, len(numbers)) for one in labels], dtype=np.intp)


def bounded_mean(
    values: Floats,
    *,
    least: float,
    most: float,
    groups: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> tuple[float, float]:
    """The ends of an interval for the mean of values between two bounds.

    Parameters
    ----------
    values : (n,)
    least, most : float
        The smallest and the largest value that an observation may have.
    groups : (n,)
        What values have in common, such as their problem: a group is one observation. By default
        each is one of its own.
    level
        Of the interval; each end has half of the error.

    Raises
    ------
    InputError
        If there is no value, or one is beyond a bound.

    Examples
    --------
    >>> times = np.linspace(1, 10, 30)
    >>> low, high = bounded_mean(times, least=0, most=1000)
    >>> round(low, 1), round(high)
    (4.3, 118)
    """
    if not len(values) or not least <= values.min() <= values.max() <= most:
        raise InputError(must_be("values", f"one or more from {least} to {most}", values))
    labels = range(len(values)) if groups is None else groups
    group = numbered(labels)
    usual = len(values) / (1 + int(group.max()))
    sums, sizes = np.bincount(group, values), np.append(np.bincount(group), usual)
    weights = np.random.default_rng(1).standard_exponential((DRAWS, len(sizes)))
    # no dot product of BLAS, whose last digits depend on the processor
    seen, all_ = np.einsum("dg,g->d", weights[:, :-1], sums), np.einsum("dg,g->d", weights, sizes)
    added = weights[:, -1] * usual
    tail = (1 - level) / 2
    low = np.quantile((seen + added * least) / all_, tail)
    high = np.quantile((seen + added * most) / all_, 1 - tail)
    return max(float(low), least), min(float(high), most)  # sums are rounded
