"""Configurations drawn around the elites, each by the model of its parent.

López-Ibáñez et al. (2016), section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.search.iterated.model import Model
from racing.search.iterated.shape import Shape
from racing.special import ndtr, ndtri

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def parent_weights(elites: int) -> Floats:
    """(m,) (m − z + 1) / (m (m + 1) / 2) for the z-th elite: the better are drawn more often."""
    return np.arange(elites, 0, -1) / (elites * (elites + 1) / 2)


def around(
    points: Floats, models: Sequence[Model], shape: Shape, n: int, rng: np.random.Generator
) -> tuple[Floats, Places]:
    """`n` points of the unit cube, and the place of each one's parent among the elites.

    Numbers come from a normal around the parent's value, truncated to the domain; categories by
    their probabilities. What the parent has inactive is uniform, categories by their probabilities.
    Every column gets a value; what is inactive is left out afterwards.

    Parameters
    ----------
    points : (m, d)
        The elites on the unit scale, the best first; NaN = inactive.
    models
        Of the elites.
    """
    parents = rng.choice(len(points), size=n, p=parent_weights(len(points)))
    fresh = rng.random((n, len(shape.choices)))
    widths = np.array([model.widths for model in models])[parents]
    moved = truncated_normal(points[parents], widths, fresh)
    found = np.where(np.isnan(moved), fresh, moved)
    for column in np.flatnonzero(shape.choices):
        weights = np.array([model.weights[column] for model in models])[parents]
        level = (fresh[:, [column]] >= weights.cumsum(axis=1)).sum(axis=1)
        count = shape.choices[column]
        found[:, column] = (np.minimum(level, count - 1) + 0.5) / count
    return found, parents


def truncated_normal(mean: Floats, sd: Floats, u: Floats) -> Floats:
    """Normal draws within [0, 1], by inversion of uniform ones; the mean itself where sd is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = ndtr(-mean / sd), ndtr((1 - mean) / sd)
        drawn = np.clip(mean + sd * ndtri(low + u * (high - low)), 0.0, 1.0)
    return np.where(sd > 0, drawn, mean)
