"""What a candidate is worth: the expected amount by which the final choice is better for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from racing.rules.rule import Outlook
from racing.special import log_ndtr, ndtr

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_FARTHEST = 10_000
"""Further instances looked ahead to, where nothing says how many can come."""

_POINTS = 96
"""Points of the quadrature; the integrand is smooth, so that it converges geometrically."""

_WILD = 4.0
"""The noise of all is at most this many times the usual one."""

_ROUNDING = 1e-15
"""Share of the squared spread below which a variance is none."""


def horizon(outlook: Outlook, survivors: int) -> int:
    """How many further instances can come for this many survivors; at least 1."""
    by_budget = outlook.affordable / survivors
    return int(max(min(outlook.instances, by_budget, _FARTHEST), 1))


def spreads(y: Floats, leader: int, *, prior: float) -> Floats:
    """(k,) the standard deviation of each column's noise.

    Parameters
    ----------
    y : (n, k) scores, n ≥ 2.
    leader
        A column's own variance is half that of its differences to this one, instance by instance:
        what two candidates have in common on an instance is no noise for their comparison.
    prior
        Weight of the pooled variance in each.
    """
    n, k = y.shape
    residual = y - y.mean(axis=1, keepdims=True)
    residual -= residual.mean(axis=0)
    # One pseudo-observation of the scores' own spread, so that ties alone are not taken for proof
    pooled = (np.vdot(residual, residual) + _unit(y, leader) ** 2) / ((n - 1) * (k - 1) + 1)
    d = y - y[:, [leader]]
    own = ((d - d.mean(axis=0)) ** 2).sum(axis=0) / 2
    usual = float(np.median(np.delete(own, leader))) / (n - 1) if k > 2 else 0.0
    if (
        usual > _ROUNDING * _unit(y, leader) ** 2
    ):  # a few wild costs are the noise of those who had them, not of everybody
        pooled = min(pooled, _WILD * usual)
    variances = (own + prior * pooled) / (n - 1 + prior)
    variances[leader] = pooled
    return np.asarray(np.sqrt(variances))


def _unit(y: Floats, leader: int) -> float:
    """The spread of scores within instances; if there is none, over all, or their size, or 1."""
    within = float((y - y[:, [leader]]).std()) / np.sqrt(2)  # of differences, so that equals give 0
    return within or float(y.std()) or float(np.abs(y).max()) or 1.0


def not_worthwhile(
    means: Floats, errors: Floats, order: Places, *, n: int, ahead: int, price: float
) -> dict[int, tuple[float, float]]:
    """Who is not worth the next evaluations, with the gain and the price; the worst first.

    Parameters
    ----------
    means, errors : (k,)
        Mean score and standard deviation of the noise of each candidate.
    order : (k,)
        The candidates, best first; the leader stays.
    n, ahead
        Instances seen, and the most that can come.
    price
        Of an evaluation, in units of the scores. While k candidates are left it is multiplied by
        k/(k−1), since the challengers also have to pay for the leader's evaluations, and by 1/√k,
        which was found by trial.
    """
    h: Floats = np.exp2(np.arange(int(np.log2(ahead)) + 1))
    t = errors[:, None] * np.sqrt(h / (n * (n + h)))
    return _without_gain(means, t, order, per=h, least=lambda k: price * np.sqrt(k) / (k - 1))


def settled(
    means: Floats, errors: Floats, order: Places, *, n: int, ahead: int, least: float
) -> dict[int, tuple[float, float]]:
    """Who is worth nothing even if all that can come is spent; arguments as `not_worthwhile`.

    Parameters
    ----------
    least
        The gain, in units of the scores, below which there is none.
    """
    t = errors[:, None] * np.sqrt(ahead / (n * (n + ahead)))
    return _without_gain(means, t, order, per=np.ones(1), least=lambda k: least)


def _without_gain(
    means: Floats, t: Floats, order: Places, *, per: Floats, least: Callable[[int], float]
) -> dict[int, tuple[float, float]]:
    """The candidates, worst first, whose gain stays below `least` of how many are left.

    Parameters
    ----------
    t : (k, H)
        By how much each mean can still move, after each of H numbers of further instances.
    per : (H,)
        What the gain after each is divided by; the best of the quotients counts.
    """
    below, log_above, dx = _tails(means, t, int(order[0]))
    nobody_below = log_above.sum(axis=0)
    left = len(means)
    out: dict[int, tuple[float, float]] = {}
    for i in order[:0:-1]:
        without = np.exp(nobody_below - log_above[i])
        gain = float(((below[i] * without).sum(axis=1) * dx / per).max())
        threshold = float(least(left))
        if gain < threshold:
            out[int(i)] = gain, threshold
            nobody_below -= log_above[i]
            left -= 1
    return out


def _tails(means: Floats, t: Floats, leader: int) -> tuple[Floats, Floats, Floats]:
    """P(M < x) and log P(M > x) at points x, both (k, H, points), and the points' distance, (H,).

    The points reach from where nobody's mean can be to where the leader's surely is below.
    """
    low = (means[:, None] - 6 * t).min(axis=0)
    high = means[leader] + 6 * t[leader]
    x = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, _POINTS)
    z = (x - means[:, None, None]) / t[:, :, None]
    return ndtr(z), log_ndtr(-z), (high - low) / (_POINTS - 1)
