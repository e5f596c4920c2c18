"""Which configurations are nearly the same, so that the model is restarted.

López-Ibáñez et al. (2016), section 3.4, as irace 4.4 has it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.search.iterated.shape import Shape

Floats = NDArray[np.float64]


def similar(points: Floats, shape: Shape, threshold: float) -> NDArray[np.bool_]:
    """(n,) whether there is another configuration that is nearly the same.

    Two are if the same parameters are active in both, their categories are equal, and no number
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
