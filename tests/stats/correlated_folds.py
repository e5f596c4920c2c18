"""Differences on folds of cross-validation, drawn with their correlation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

RHO = 0.2


def correlated(
    rng: np.random.Generator, mu: ArrayLike, sigma: ArrayLike, n: int
) -> NDArray[np.float64]:
    """(..., n) differences with mean mu, deviation sigma and correlation RHO."""
    shared = rng.normal(size=(*np.shape(mu), 1)) * np.sqrt(RHO)
    own = rng.normal(size=(*np.shape(mu), n)) * np.sqrt(1 - RHO)
    mean, deviation = np.asarray(mu)[..., None], np.asarray(sigma)[..., None]
    found: NDArray[np.float64] = mean + deviation * (shared + own)
    return found
