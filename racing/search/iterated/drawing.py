"""Draws points around the elites by the models of their parents, and finds similar ones.

López-Ibáñez et al. (2016), sections 3.2 and 3.4, as in irace 4.4.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.search.iterated.model import Model, Shape
from racing.search.truncated import truncated_normal

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def parent_weights(elites: int) -> Floats:
    """(m,) (m − z + 1) / (m (m + 1) / 2) for the z-th elite: better ones are drawn more often."""
    return np.arange(elites, 0, -1) / (elites * (elites + 1) / 2)


def around(
    points: Floats, models: Sequence[Model], shape: Shape, n: int, rng: np.random.Generator
) -> tuple[Floats, Places]:
    """`n` points of the unit cube, and the place of each one's parent among the elites.

    Numbers come from a normal around the parent's value, truncated to the domain; categories by
    their probabilities. Parameters that are inactive in the parent are uniform, categories by their
    probabilities. Every column gets a value; inactive ones are removed afterwards.

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


def similar(points: Floats, shape: Shape, threshold: float) -> NDArray[np.bool_]:
    """(n,) whether there is another configuration that is nearly the same.

    Two are similar if the same parameters are active, the categories are equal, and no number
    differs by more than `threshold` on the unit scale.

    Parameters
    ----------
    points : (n, d)
        On the unit scale, NaN = inactive.
    """
    found = np.zeros(len(points), dtype=bool)
    categories = shape.choices > 0
    groups: dict[bytes, list[int]] = {}
    for row, point in enumerate(points):
        key = np.isnan(point).tobytes() + np.nan_to_num(point[categories]).tobytes()
        groups.setdefault(key, []).append(row)
    for rows in groups.values():
        numbers = np.nan_to_num(points[rows][:, ~categories])
        for place, row in enumerate(rows[:-1]):
            distance = np.abs(numbers[place + 1 :] - numbers[place]).max(axis=1, initial=0.0)
            near = np.array(rows[place + 1 :])[distance <= threshold]
            found[near] = True
            found[row] |= len(near) > 0
    return found
