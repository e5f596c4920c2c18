"""Draws from normals that are truncated to the unit interval.

By the standard library: loading `scipy.special` for this takes longer than all else that `racing
show` and `racing plan` do with a search.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_STANDARD = NormalDist()


def truncated_normal(mean: ArrayLike, sd: ArrayLike, u: ArrayLike) -> Floats:
    """Normal draws within [0, 1], by inversion of uniform ones; the mean itself where sd is 0.

    Parameters
    ----------
    mean, sd, u
        Arrays of one shape, or numbers. NaN gives NaN.
    """
    return np.asarray(_drawn(mean, sd, u), dtype=np.float64)


def _draw(mean: float, sd: float, u: float) -> float:
    if not sd > 0 or math.isnan(mean):
        return mean
    low, high = _below(-mean / sd), _below((1 - mean) / sd)
    share = low + u * (high - low)
    if not 0 < share < 1:  # the normal has nothing beyond, in floating point
        return float(share >= 1)
    return min(max(mean + sd * _STANDARD.inv_cdf(share), 0.0), 1.0)


_drawn = np.vectorize(_draw, otypes=[np.float64])


def _below(x: float) -> float:
    """The probability of a standard normal below x, precise also where it is tiny."""
    return math.erfc(-x / math.sqrt(2)) / 2
