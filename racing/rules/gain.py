"""The gain of a candidate: the expected improvement of the final choice by evaluating it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from racing.base.special import log_ndtr, ndtr
from racing.rules.rule import Outlook

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

Moves = Callable[[Floats], Floats]
"""Numbers of further instances → the variance by which means will move, for a noise of 1."""

_FARTHEST = 10_000
"""The horizon, in further instances, if their number is unlimited."""

_POINTS = 96
"""Points of the quadrature; the integrand is smooth, so that it converges geometrically."""

_WILD = 4.0
"""The noise of all is cut to this many times the median one."""

_ROUNDING = 1e-15
"""Smaller variances count as 0; as a share of the squared spread."""


def horizon(outlook: Outlook, survivors: int) -> int:
    """The number of further instances for this many survivors; at least 1."""
    by_budget = outlook.affordable / survivors
    return int(max(min(outlook.instances, by_budget, _FARTHEST), 1))


def spreads(y: Floats, leader: int, *, prior: float) -> Floats:
    """(k,) the standard deviation of each column's noise.

    Parameters
    ----------
    y : (n, k) scores, n ≥ 2.
    leader
        A column's own variance is half that of its differences to this one, instance by instance:
        effects of an instance that two candidates share are no noise in their comparison.
    prior
        Weight of the pooled variance in each.
    """
    n, k = y.shape
    residual = y - y.mean(axis=1, keepdims=True)
    residual -= residual.mean(axis=0)
    # One pseudo-observation with the scores' spread, so that ties alone are no proof
    pooled = (np.vdot(residual, residual) + _unit(y, leader) ** 2) / ((n - 1) * (k - 1) + 1)
    d = y - y[:, [leader]]
    own = ((d - d.mean(axis=0)) ** 2).sum(axis=0) / 2
    usual = float(np.median(np.delete(own, leader))) / (n - 1) if k > 2 else 0.0
    if (
        usual > _ROUNDING * _unit(y, leader) ** 2
    ):  # a few outliers are noise of their candidates, not of all
        pooled = min(pooled, _WILD * usual)
    variances = (own + prior * pooled) / (n - 1 + prior)
    variances[leader] = pooled
    return np.asarray(np.sqrt(variances))


def _unit(y: Floats, leader: int) -> float:
    """The spread of scores within instances; if it is 0, over all, or their size, or 1."""
    within = float((y - y[:, [leader]]).std()) / np.sqrt(2)  # 0 for equal columns
    return within or float(y.std()) or float(np.abs(y).max()) or 1.0


def not_worthwhile(
    means: Floats,
    errors: Floats,
    order: Places,
    *,
    n: int,
    ahead: int,
    price: float,
    moves: Moves | None = None,
) -> dict[int, tuple[float, float]]:
    """The candidates not worth the next evaluations, with gains and prices; the worst first.

    Parameters
    ----------
    means, errors : (k,)
        Mean score and standard deviation of the noise of each candidate.
    order : (k,)
        The candidates, best first; the leader stays.
    n, ahead
        Instances seen, and the most that can follow.
    price
        Of an evaluation, in units of the scores. With k candidates left it is multiplied by
        k/(k−1), because the challengers share the cost of the leader's evaluations, and by 1/√k, an
        empirical factor.
    moves
        The variance, for a noise of 1, by which means will move after each number of further
        instances; by default that of independent instances.
    """
    h: Floats = np.exp2(np.arange(int(np.log2(ahead)) + 1))
    t = errors[:, None] * np.sqrt(h / (n * (n + h)) if moves is None else moves(h))
    return _without_gain(means, t, order, per=h, least=lambda k: price * np.sqrt(k) / (k - 1))


def settled(
    means: Floats,
    errors: Floats,
    order: Places,
    *,
    n: int,
    ahead: int,
    least: float,
    moves: Moves | None = None,
) -> dict[int, tuple[float, float]]:
    """The candidates without gain on all further instances; arguments as in `not_worthwhile`.

    Parameters
    ----------
    least
        Smaller gains, in units of the scores, count as none.
    """
    h = np.array([float(ahead)])
    t = errors[:, None] * np.sqrt(h / (n * (n + h)) if moves is None else moves(h))
    return _without_gain(means, t, order, per=np.ones(1), least=lambda k: least)


def _without_gain(
    means: Floats, t: Floats, order: Places, *, per: Floats, least: Callable[[int], float]
) -> dict[int, tuple[float, float]]:
    """The candidates, worst first, with a gain below `least` (a function of how many are left).

    Parameters
    ----------
    t : (k, H)
        The standard deviation of the change of each mean, after each of H numbers of further
        instances.
    per : (H,)
        The divisors of the gains; the largest quotient counts.
    """
    below, log_above, dx = _tails(means, t, int(order[0]))
    log_none_below = log_above.sum(axis=0)
    left = len(means)
    out: dict[int, tuple[float, float]] = {}
    for i in order[:0:-1]:
        without = np.exp(log_none_below - log_above[i])
        gain = float(((below[i] * without).sum(axis=1) * dx / per).max())
        threshold = float(least(left))
        if gain < threshold:
            out[int(i)] = gain, threshold
            log_none_below -= log_above[i]
            left -= 1
    return out


def _tails(means: Floats, t: Floats, leader: int) -> tuple[Floats, Floats, Floats]:
    """P(M < x) and log P(M > x) at points x, both (k, H, points), and the points' distance, (H,).

    The points reach from below every mean to above the leader's mean.
    """
    low = (means[:, None] - 6 * t).min(axis=0)
    high = means[leader] + 6 * t[leader]
    x = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, _POINTS)
    with np.errstate(over="ignore"):  # squares of costs below 1e-160 are 0, and so is t
        z = (x - means[:, None, None]) / np.maximum(t, np.finfo(float).tiny)[:, :, None]
    return ndtr(z), log_ndtr(-z), (high - low) / (_POINTS - 1)
