"""Tail probabilities of the ranges behind all-pairs and many-to-one comparisons, by quadrature.

    range           max X_i − min X_i of k standard normals             (Nemenyi)
    many-to-one     max |X_i − X_0| over k normals against a control    (Dunnett, infinite df)
    common          max |Z_i| over normals that share a part            (Steel)
    studentized     either of them divided by an independent χ_ν/√ν     (Tukey, Dunnett)

Tails are computed as such, never as 1 − cdf, so that small p-values keep their digits. The
trapezoid rule on a smooth integrand that vanishes at both ends converges exponentially.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np

from racing.base.special import gammaln, ndtr
from racing.stats._checks import Floats
from racing.stats.intervals import last_inside

Tail = Callable[[Floats, int], Floats]

_FAR = 50.0  # beyond it every tail is below 1e-260
_STEP = 0.1  # of the trapezoid rule, in standard deviations: enough for k in the ten thousands
_MOST = 9.0  # standard deviations beyond which a normal density is left out
_MARGIN = 6.5  # standard deviations around a Gaussian hump of variance 1/2: e^(−42) is left out
_GRID = 0.05  # of the table that many arguments are interpolated in
_POINTS = 8  # of the interpolating polynomial
_ALMOST_ONE = 1 - 2.0**-53


def studentized_range_sf(q: Floats, k: int, df: float) -> Floats:
    """P(studentized range of k normals with df degrees of freedom > q), for an array of q >= 0.

    With df = inf it is the range of k standard normals.
    """
    return _studentized(_range_tail, q, k, df)


def dunnett_sf(d: Floats, k: int, df: float) -> Floats:
    """P(max |T_i| > d) over k comparisons with one control (equal sizes), for an array d >= 0."""
    return _studentized(_control_tail, np.sqrt(2.0) * d, k, df)


def common_tail(d: Floats, shares: Floats) -> Floats:
    """P(max |Z_i| > d) of normals with correlations λ_i·λ_j, for an array of d >= 0.

    Given the common part x, the Z_i = λ_i·x + √(1 − λ_i²)·Y_i are independent.
    """
    x = np.arange(-_MOST - d.max(initial=0.0), _MOST + d.max(initial=0.0), _STEP / 2)
    density = _STEP / 2 * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    inside = np.zeros((d.size, x.size))
    for share in shares:
        own, common = math.sqrt(1 - share**2), share * x
        outside = ndtr((common - d[:, None]) / own) + ndtr((-common - d[:, None]) / own)
        inside += np.log1p(-np.minimum(outside, _ALMOST_ONE))
    return np.where(d > 0, np.minimum(-np.expm1(inside) @ density, 1.0), 1.0)


@lru_cache(maxsize=1024)
def studentized_range_isf(alpha: float, k: int, df: float) -> float:
    """The q with P(studentized range > q) = alpha."""
    return _solve(partial(studentized_range_sf, k=k, df=df), alpha)


@lru_cache(maxsize=1024)
def dunnett_isf(alpha: float, k: int, df: float) -> float:
    """The d with P(max |T_i| > d) = alpha."""
    return _solve(partial(dunnett_sf, k=k, df=df), alpha)


def _range_tail(w: Floats, k: int) -> Floats:
    """∫ kφ(z)Φ(z)^(k−1) · [1 − (1 − Φ(z−w)/Φ(z))^(k−1)] dz: given the maximum z, some X < z − w."""
    z = np.arange(-_MARGIN, max(_MOST, float(w.max()) / 2 + _MARGIN), _STEP)
    below = ndtr(z)
    density = _STEP * k * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) * below ** (k - 1)
    share = np.minimum(ndtr(z - w[:, None]) / below, _ALMOST_ONE)
    return np.asarray(np.minimum(-np.expm1((k - 1) * np.log1p(-share)) @ density, 1.0))


def _control_tail(a: Floats, k: int) -> Floats:
    """∫ φ(z) · [1 − (1 − Φ(z−a) − Φ(−z−a))^k] dz: given the control at z, some |X_i − z| > a."""
    far = max(_MOST, float(a.max()) / 2 + _MARGIN)
    z = np.arange(-far, far, _STEP)
    density = _STEP * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    outside = np.minimum(ndtr(z - a[:, None]) + ndtr(-z - a[:, None]), _ALMOST_ONE)
    return np.asarray(np.minimum(-np.expm1(k * np.log1p(-outside)) @ density, 1.0))


def _tabulated(tail: Tail, x: Floats, k: int) -> Floats:
    """`tail` at many places: directly for few, by interpolating its logarithm for more."""
    flat = x.ravel()
    near = flat < _FAR
    inside = flat[near]
    result = np.zeros(flat.size)
    if inside.size > 200:
        reach = 10 * math.ceil(float(inside.max()) / 10)  # few sizes, so tables are reused
        result[near] = np.exp(_interpolated(_log_table(tail, k, reach), inside))
    elif inside.size > 0:
        result[near] = tail(inside, k)
    return np.minimum(result, 1.0).reshape(x.shape)


@lru_cache(maxsize=64)
def _log_table(tail: Tail, k: int, reach: int) -> Floats:
    """The logarithm of a tail on a grid from 0 to beyond `reach`."""
    points = round(reach / _GRID) + _POINTS
    table: Floats = np.log(tail(_GRID * np.arange(points, dtype=np.float64), k))
    table.flags.writeable = False
    return table


def _interpolated(table: Floats, x: Floats) -> Floats:
    """Lagrange's polynomial through the 8 grid points around each x."""
    place = x / _GRID
    first = np.clip(place.astype(np.intp) - _POINTS // 2 + 1, 0, table.size - _POINTS)
    away = place - first - np.arange(_POINTS)[:, None]
    value = np.zeros(x.size)
    for i in range(_POINTS):
        others = [j for j in range(_POINTS) if j != i]
        scale = math.prod(i - j for j in others)
        value += table[first + i] * np.prod(away[others], axis=0) / scale
    return value


def _studentized(tail: Tail, q: Floats, k: int, df: float) -> Floats:
    """E[tail(q·S)] for S = χ_ν/√ν, by the trapezoid rule in t = log S."""
    finite = np.isfinite(q)
    result = np.zeros(q.shape)
    if not finite.any():
        return result
    if df > 1e8:
        result[finite] = _tabulated(tail, q[finite], k)
        return result
    t, density = _log_chi(df, float(q[finite].max()))
    given_s = _tabulated(tail, q[finite, None] * np.exp(t), k)
    result[finite] = np.minimum(given_s @ density, 1.0)
    return result


def _log_chi(df: float, q: float) -> tuple[Floats, Floats]:
    """Nodes in log S and their masses, wide enough for tails at up to q.

    The density is e^(νt − νe^(2t)/2), a hump of width 1/√(2ν) with a slow left side e^(νt). A tail
    that falls like e^(−q²S²/4) moves the hump to −½ log(1 + q²/2ν).
    """
    width = 1 / math.sqrt(2 * df)
    left = -0.5 * math.log1p(q**2 / (2 * df)) - 9 * width - 36 / df
    right = min(9 * width, 3.0)
    step = 0.2 * min(width, 0.25)  # the tail itself falls within a few tenths when k is large
    t = np.arange(left, right, step)
    scale = math.log(2) + df / 2 * math.log(df / 2) - float(gammaln(df / 2))
    return t, step * np.exp(scale + df * (t - np.exp(2 * t) / 2))


def _solve(tail: Callable[[Floats], Floats], alpha: float) -> float:
    """The place where a decreasing tail equals alpha."""
    low, high = 0.0, 8.0
    while tail(np.array([high]))[0] > alpha:
        low, high = high, 2 * high
    above = last_inside(lambda x: tail(x) > alpha, np.array([low]), np.array([high]))
    return float(above[0])
