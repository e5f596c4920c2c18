"""A random regression tree, grown only as far as it is asked (Geurts et al., 2006)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROUNDING = 1e-9
"""What two sums may differ by, relatively, and be equal."""


def guesses(
    points: Floats,
    scores: Floats,
    weights: Floats,
    queries: Floats,
    *,
    leaf: int,
    rng: np.random.Generator,
) -> Floats:
    """(q,) what an extremely randomized tree says of the queries.

    A node draws a threshold for every column, evenly between the least and the greatest value
    there, and splits where the weighted sum of squared deviations falls most, which is where

        (Σ_left w·y)² / Σ_left w + (Σ_right w·y)² / Σ_right w

    is largest. A leaf says the weighted mean of its scores. Only nodes that a query comes to are
    grown.

    Parameters
    ----------
    points : (n, d)
        Without NaN.
    scores, weights : (n,)
        Weights are positive.
    queries : (q, d)
    leaf
        Each side of a split keeps at least so many points.
    """
    found = np.empty(len(queries))
    nodes = [(np.arange(len(points)), np.arange(len(queries)))]
    while nodes:
        here, asked = nodes.pop()
        split = _split(points[here], scores[here], weights[here], leaf, rng)
        if split is None:
            found[asked] = np.average(scores[here], weights=weights[here])
            continue
        column, threshold = split
        low, below = points[here, column] < threshold, queries[asked, column] < threshold
        for side, part in ((here[low], asked[below]), (here[~low], asked[~below])):
            if part.size:
                nodes.append((side, part))
    return found


def _split(
    points: Floats, scores: Floats, weights: Floats, leaf: int, rng: np.random.Generator
) -> tuple[int, float] | None:
    """The best of one random threshold a column; None where no split leaves enough points."""
    n, d = points.shape
    if n < 2 * leaf:
        return None
    least = points.min(axis=0)
    thresholds = least + rng.random(d) * (points.max(axis=0) - least)
    low = points < thresholds
    count = low.sum(axis=0)
    possible = (count >= leaf) & (n - count >= leaf)
    if not possible.any():
        return None
    share = low.astype(float)
    weighted = weights * scores
    mass, total = weights @ share, weighted @ share
    with np.errstate(divide="ignore", invalid="ignore"):
        fall = total**2 / mass + (weighted.sum() - total) ** 2 / (weights.sum() - mass)
    best = first_best(-np.where(possible, fall, -np.inf))
    return best, float(thresholds[best])


def first_best(values: Floats) -> int:
    """The place of the lowest value; of those that are equal but for rounding the first.

    Sums may be rounded otherwise on another machine, which must not draw otherwise.
    """
    lowest = float(values.min())
    return int(np.argmax(values <= lowest + _ROUNDING * abs(lowest)))
