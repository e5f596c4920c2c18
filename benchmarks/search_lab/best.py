"""The best of a landscape, sought with the truth in sight: what regret is measured from.

A local search on the mean over 200 test instances, begun from the best three of 300 random
configurations; the best that it ends in, over all test instances.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.search_lab.dimensions import Dimension
from benchmarks.search_lab.landscapes import Landscape

Floats = NDArray[np.float64]

_STEPS = 1500
_STARTS = 3


def best_known(landscape: Landscape) -> float:
    """The lowest true cost that the local search finds."""
    rng = np.random.default_rng(landscape.number)
    drawn = landscape.random(300, rng)
    rough = np.array([landscape.truth(x, tests=60) for x in drawn])
    starts = drawn[np.argsort(rough)[:_STARTS]]
    return min(landscape.truth(_climb(landscape, x, rng)) for x in starts)


def _climb(landscape: Landscape, x: Floats, rng: np.random.Generator) -> Floats:
    cost = landscape.truth(x, tests=200)
    for step in range(_STEPS):
        near = _moved(landscape, x, 0.3 * math.exp(-4 * step / _STEPS), rng)
        found = landscape.truth(near, tests=200)
        if found <= cost:
            x, cost = near, found
    return x


def _moved(landscape: Landscape, x: Floats, sd: float, rng: np.random.Generator) -> Floats:
    """A neighbour; what becomes active is drawn uniformly."""
    family, moved = landscape.family, x.copy()
    landscape.random(1, rng)  # keeps the draws, and so the file's figures, as they were
    for j, one in enumerate(family.dimensions):
        if one.choices:
            if rng.random() < 0.15 and not math.isnan(x[j]):
                moved[j] = rng.integers(one.choices)
        elif not math.isnan(x[j]) and rng.random() < 0.4:
            moved[j] = _nearby(one, float(x[j]), sd, rng)
    for j, one in enumerate(family.dimensions):
        if one.parent is not None:
            if moved[family.place(one.parent)] not in one.values:
                moved[j] = math.nan
            elif math.isnan(moved[j]):
                moved[j] = one.draw(1, rng)[0]
    return moved


def _nearby(one: Dimension, value: float, sd: float, rng: np.random.Generator) -> float:
    """A value near another on the scale; the same where that would leave the interval."""
    low, high = one.ends
    place = (math.log(value) if one.log else value) + sd * (high - low) * rng.normal()
    if not low <= place <= high:
        return value
    near = math.exp(place) if one.log else place
    return min(max(math.floor(near) if one.integer else near, one.low), one.high)


def rows(families: Iterable[str], numbers: Iterable[int]) -> Iterator[str]:
    """Lines of `data/best_known.csv`."""
    for number in numbers:
        for name in families:
            land = Landscape(name, number)
            yield f"{name},{number},{best_known(land):.10g},{land.truth(land.default):.10g}"
