"""The probability that one side has most pairs of weighted atoms; used by `dp_signed_rank`.

Atoms z_1..z_N (gains of the first over the second, and the prior's atoms) have Dirichlet weights w.
θ_left = Σ w_i w_j [z_i + z_j > 2·rope] and θ_right = Σ w_i w_j [z_i + z_j < −2·rope].

Sorting the atoms turns the double sums into running sums, N steps per draw. Only a part of the
randomness is drawn. Let V be the weight of the atoms z >= 0. Given how V and 1 − V are divided
within (drawn), both θ are quadratic in V,

    θ_left = V² a + 2V(1 − V) b,    θ_right = (1 − V)² c + 2V(1 − V) d,

and V is a Beta variable, independent of the division. So the probability, given the division, that
one side is the largest is a difference of Beta distribution functions at the roots (Rao and
Blackwell). The remaining noise depends on a, b, c, d nearly linearly, and their means are known, so
they are control variates. One draw is then worth dozens to hundreds of counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from racing.base.special import betainc, ndtr
from racing.stats._checks import Floats, Ints
from racing.stats.sign_posterior import beta_tail

_EPS = float(np.finfo(np.float64).eps)
_NODES = np.linspace(-9.0, 9.0, 2001)  # standard deviations, for the normal approximation


@dataclass(frozen=True, eq=False)
class Atoms:
    """One comparison: sorted atoms `z`, (N,), their places before sorting (`order`), their weights.

    The atoms from `start` on are not negative. z_i + z_j is above the rope for j >= `above[i]`, and
    below it for j < `below[i]`.
    """

    z: Floats
    order: Ints
    weights: Floats
    above: Ints
    below: Ints
    start: int
    rope: float

    @classmethod
    def of(cls, z: Floats, weights: Floats, rope: float) -> Atoms:
        order = np.argsort(z, kind="stable")
        z = z[order]
        # sums that differ by float noise only are equal; opposite infinities cancel
        noise = 4.0 * _EPS * np.where(np.isfinite(z), np.maximum(np.abs(z), 2.0 * rope), 0.0)
        with np.errstate(over="ignore"):  # any edge beyond the data is the same as infinity
            above = np.searchsorted(z, 2.0 * rope - z + noise, side="right")
            below = np.searchsorted(z, -2.0 * rope - z - noise, side="left")
        start = int(np.searchsorted(z, 0.0))
        return cls(z, order, weights[order], above, below, start, rope)


def closed_form(atoms: Atoms) -> float | None:
    """P(θ_left > θ_right) where it is a Beta tail; None elsewhere. For a rope of zero.

    If all differences have one size, θ_left − θ_right = (W₊ − W₋)(1 + W₀), so sizes do not matter;
    if all have one sign, or there are none, the result is certain, or 1/2.
    """
    used = (atoms.z != 0.0) & (atoms.weights > 0.0)
    size = np.abs(atoms.z[used])
    won = float(atoms.weights[used & (atoms.z > 0.0)].sum())
    lost = float(atoms.weights[used & (atoms.z < 0.0)].sum())
    if won > 0.0 and lost > 0.0 and size.min() < size.max():
        return None
    return float(beta_tail(np.array(lost), np.array(won)))


def conditional(atoms: Atoms, parts: Floats) -> tuple[Floats, Floats]:
    """p_left and p_right given the divisions, (D,) each, from their `quadratics`."""
    a, b, c, d = parts
    top = float(atoms.weights[atoms.start :].sum())
    bottom = float(atoms.weights[: atoms.start].sum())
    middle = _crossing(a, b, c, d)
    if atoms.rope == 0.0:
        right = _beta_cdf(top, bottom, middle)
        return 1.0 - right, right
    # left is the largest if θ_left > θ_right and 2θ_left + θ_right > 1
    left, right = np.array([a - 2 * b, 2 * b, 0 * a]), np.array([c - 2 * d, 2 * d - 2 * c, c])
    one = np.array([0.0, 0.0, 1.0])[:, None]
    return (
        _chance(2 * left + right - one, middle, np.ones_like(a), top, bottom),
        _chance(left + 2 * right - one, np.zeros_like(a), middle, top, bottom),
    )


def quadratics(atoms: Atoms, weights: Floats) -> Floats:
    """a, b, c, d of the head of this module, (4, D), from unsorted gamma variates (N, D)."""
    e, start = weights[atoms.order], atoms.start
    running = np.zeros((len(e) + 1, e.shape[1]))
    np.cumsum(e, axis=0, out=running[1:])
    down, both = running[start], running[-1]
    up = both - down
    above, below = atoms.above[start:], atoms.below[:start]
    a = up * up - _dot(e[start:], running, above, start, up=True)
    b = up * down - _dot(e[start:], running, above, start, up=False)
    c = _dot(e[:start], running, below, start, up=False)
    d = _dot(e[:start], running, below, start, up=True)
    squares = np.stack([up * up, up * down, down * down, up * down])
    return _ratio(np.maximum(np.stack([a, b, c, d]), 0.0), squares)


def _dot(e: Floats, running: Floats, reach: Ints, start: int, *, up: bool) -> Floats:
    """Σ e_i × the weight of the atoms before `reach[i]`: of those from `start` on, or before it."""
    if up:
        some = np.flatnonzero(reach > start)
        return np.asarray(np.einsum("id,id->d", e[some], running[reach[some]] - running[start]))
    whole = reach >= start
    part = np.einsum("id,id->d", e[~whole], running[reach[~whole]])
    return np.asarray(part + e[whole].sum(axis=0) * running[start])


def expected_quadratics(atoms: Atoms) -> Floats:
    """The exact means of `quadratics`, (4,): they make its draws control variates."""
    w, start = atoms.weights, atoms.start
    a, b, c, d = quadratics(replace(atoms, order=np.arange(w.size)), w[:, None])[:, 0]
    up, down = float(w[start:].sum()), float(w[:start].sum())
    own = np.arange(w.size)
    twice_up = float(w[start:] @ (atoms.above <= own)[start:])
    twice_down = float(w[:start] @ (atoms.below > own)[:start])
    # E[u_i u_j] = (α_i α_j + [i = j] α_i) / (α(α + 1)) for Dirichlet shares u
    a = (a * up * up + twice_up) / (up * (up + 1.0)) if up > 0.0 else 0.0
    c = (c * down * down + twice_down) / (down * (down + 1.0)) if down > 0.0 else 0.0
    return np.array([a, b, c, d])


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.asarray(np.divide(part, whole, out=np.zeros_like(part), where=whole > 0.0))


def _crossing(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """V where θ_left = θ_right: the one root in [0, 1], since their difference grows with V."""
    # because c >= d and a >= b: the atoms of the other group add less
    square, linear = a - 2 * b - c + 2 * d, 2 * (b - d + c)
    denominator = linear + np.sqrt(np.maximum(linear * linear + 4 * square * c, 0.0))
    root = np.divide(2 * c, denominator, out=np.full_like(c, 0.5), where=denominator > 0.0)
    return np.clip(np.where((c == 0.0) & (a > 0.0), 0.0, root), 0.0, 1.0)


def _chance(quadratic: Floats, low: Floats, high: Floats, top: float, bottom: float) -> Floats:
    """P(low < V < high and quadratic(V) > 0): pieces between the roots, by their middles."""
    ends = np.clip(np.stack([low, *_roots(quadratic), high]), low, high)
    ends.sort(axis=0)
    middles = (ends[1:] + ends[:-1]) / 2
    positive = (quadratic[0] * middles + quadratic[1]) * middles + quadratic[2] > 0.0
    mass = np.diff(_beta_cdf(top, bottom, ends), axis=0)
    return np.asarray((mass * positive).sum(axis=0))


def _roots(quadratic: Floats) -> tuple[Floats, Floats]:
    """Real roots, without cancellation; −1 (outside of every interval) where there is none."""
    square, linear, constant = quadratic
    inside = linear * linear - 4 * square * constant
    q = -(linear + np.copysign(np.sqrt(np.maximum(inside, 0.0)), linear)) / 2
    none = np.full_like(q, -1.0)
    with np.errstate(over="ignore"):
        first = np.divide(q, square, out=none.copy(), where=(inside >= 0.0) & (square != 0.0))
        second = np.divide(constant, q, out=none.copy(), where=(inside >= 0.0) & (q != 0.0))
    return first, second


def _beta_cdf(a: float, b: float, v: Floats) -> Floats:
    """P(Beta(a, b) <= v), where no weight on a side leaves V at 0 or 1."""
    if b == 0.0:
        return np.asarray(v >= 1.0, dtype=np.float64)
    if a == 0.0:
        return np.asarray(v > 0.0, dtype=np.float64)
    return np.asarray(betainc(a, b, v))


def normal_approximation(atoms: Atoms) -> tuple[float, float]:
    """p_left and p_right if (θ_left, θ_right) is taken as normal: exact means, and the variance of
    the linear part (Hájek's projection). N log N steps, however many atoms."""
    w = atoms.weights
    total, own = float(w.sum()), np.arange(w.size)
    running = np.concatenate([[0.0], np.cumsum(w)])
    rows = np.stack([total - running[atoms.above], running[atoms.below]]) / total
    twice = np.stack([atoms.above <= own, atoms.below > own])  # the atom with itself
    means = (total * (rows @ w) + twice @ w) / (total * (total + 1.0))
    centred = rows - (rows @ w)[:, None] / total
    covariance = 4.0 * (centred * w) @ centred.T / (total * (total + 1.0))
    return _normal_sides(float(means[0]), float(means[1]), covariance, atoms.rope)


def _normal_sides(
    left: float, right: float, covariance: Floats, rope: float
) -> tuple[float, float]:
    if rope == 0.0:
        variance = covariance[0, 0] + covariance[1, 1] - 2.0 * covariance[0, 1]
        p = float(ndtr((left - right) / np.sqrt(variance))) if variance > 0.0 else 0.5
        return p, 1.0 - p
    # integrate over θ_left; θ_right given it is normal again
    sd = np.sqrt(max(covariance[0, 0], 1e-300))
    slope = covariance[0, 1] / sd
    rest = np.sqrt(max(covariance[1, 1] - slope * slope, 1e-18))
    theta, given = left + sd * _NODES, right + slope * _NODES
    density = np.exp(-_NODES * _NODES / 2)
    density /= density.sum()
    to_left = ndtr((theta - given) / rest) - ndtr((1 - 2 * theta - given) / rest)
    to_right = ndtr((given - np.maximum(theta, (1 - theta) / 2)) / rest)
    return float(density @ np.maximum(to_left, 0.0)), float(density @ to_right)
