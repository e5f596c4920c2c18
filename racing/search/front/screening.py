"""The screening test of a challenger for a front.

For elite j and metric k, let p_jk be the probability that the challenger is better, by their paired
differences (`racing.search.scores.probability_better`). Then max_k p_jk is that j does not dominate
it, and the least of these over j that no elite does:

    P = min_j max_k p_jk

It is dropped if P is `Settings.drop` or less; or unless it is in the better half of the latest
challengers at this rung, by its gap max_j min_k d_jk / sd_k.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from racing.core.fronts import TradeOffs

Floats = NDArray[np.float64]

_ROUNDING = 1e-12
_MOST = 1e9


def gaps_to(seen: TradeOffs, noise: Floats, prior: float) -> Floats:
    """(m,) by how much each of the others dominates the last candidate, in standard errors.

    -inf for those that failed more often than it; +inf if it failed more often than another.

    Parameters
    ----------
    seen
        The elites, then the challenger, on n instances.
    noise : (K,)
        The standard deviation of a score of each metric among the elites.
    prior
        Weight of the noise, in instances.
    """
    if not seen.reliable[-1]:
        return np.where(seen.reliable[:-1], np.inf, -np.inf)
    d = seen.values[:, -1:, :] - seen.values[:, :-1, :]
    ran = ~np.isnan(d)
    n = np.maximum(ran.sum(axis=0), 1)
    mean = np.where(ran, d, 0.0).sum(axis=0) / n
    square = np.square(np.where(ran, d - mean, 0.0)).sum(axis=0)
    variance = (prior * 2 * noise**2 + square) / np.maximum(prior - 1 + n, 1)
    size = np.abs(seen.means).max(axis=0)
    variance = np.where(variance > (_ROUNDING * size) ** 2, variance, 0.0)
    equal = np.abs(mean) <= seen.ropes + _ROUNDING * size
    left_out = np.where((variance == 0) | (seen.ropes > 0), np.inf, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(equal, left_out, mean / np.sqrt(variance / n))
    found = np.where(equal.all(axis=1), 0.0, np.clip(z.min(axis=1), -_MOST, _MOST))
    return np.where(seen.reliable[:-1], found, -np.inf)


def probability(gap: float) -> float:
    """The probability that a candidate with this largest gap is not dominated."""
    return 0.5 * math.erfc(gap / math.sqrt(2))
