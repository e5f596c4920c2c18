"""The moments of A = P(X < Y) + P(X = Y)/2 under independent Dirichlet weights of the runs.

A = Σ w_a v_b h_ab with h = 1, 1/2 or 0, w ~ Dir(1, …, 1, s), v ~ Dir(1, …, 1, s): each sample has
one atom of weight s besides its runs, and h is q where one of the two is an atom. q = 0: the first
sample's atom is worse than everything, the second's better; q = 1: the reverse; q = 1/2: both tie.

Mean and variance have closed forms, from placements. The Beta distribution with both is close to
the posterior.
"""

from __future__ import annotations

import numpy as np

from racing.base.special import betainc, betaincinv
from racing.stats._checks import Bools, Floats
from racing.stats._placements import Placements


def moments(placed: Placements, s: float, q: float) -> tuple[Floats, Floats]:
    """Mean and variance of A_ij of all pairs, each (k, k); the diagonal has no meaning."""
    n = placed.groups.sizes[:, None].astype(np.float64)
    m, u, squares = n.T, placed.u(), placed.squares()
    # E[w_a w_b] = (α_a α_b + α_a·1{a = b})/(S(S + 1)): four sums of products of α and h.
    extra = s * (n + m + s)  # Σ of α_a α_b over the cells of an atom
    total = u + q * extra
    rows = squares + 2 * s * q * u + n * (s * q) ** 2 + s * (q * (m + s)) ** 2
    lost = squares.T + n**2 * m - 2 * n * u.T  # a run of j has n − placement of i against it
    columns = lost + 2 * s * q * u + m * (s * q) ** 2 + s * (q * (n + s)) ** 2
    cells = u - placed.ties() / 4 + q**2 * extra  # h² is h but for ties
    first, second = n + s, m + s
    mean = total / (first * second)
    square = (total**2 + rows + columns + cells) / (first * (first + 1) * second * (second + 1))
    return mean, np.maximum(square - mean**2, 0.0)


def beta_above(mean: Floats, variance: Floats, t: float) -> Floats:
    """P(A > t) for the Beta distribution of these moments; without variance, where the mean is."""
    a, b, some = _shapes(mean, variance)
    certain = np.where(mean == t, 0.5, mean > t)
    return np.asarray(np.where(some, betainc(b, a, 1 - t), certain))


def beta_interval(mean: Floats, variance: Floats, level: float) -> tuple[Floats, Floats]:
    """The central interval of A of that probability; the mean where there is no variance."""
    a, b, some = _shapes(mean, variance)
    tail = (1 - level) / 2
    low, high = betaincinv(a, b, tail), betaincinv(a, b, 1 - tail)
    return np.where(some, low, mean), np.where(some, high, mean)


def _shapes(mean: Floats, variance: Floats) -> tuple[Floats, Floats, Bools]:
    spread = mean * (1 - mean)
    some = (variance > 1e-14) & (spread > variance)
    weight = np.divide(spread, variance, out=np.full_like(mean, 2.0), where=some) - 1
    return np.where(some, mean * weight, 1.0), np.where(some, (1 - mean) * weight, 1.0), some
