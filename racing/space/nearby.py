"""Distances and neighbours of configurations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from racing.space.encoding import Units
from racing.space.parameter import Configuration, Values

if TYPE_CHECKING:
    from racing.space.space import Space


def distance(space: Space, one: Configuration, other: Configuration) -> float:
    """The distance of two configurations, from 0 to 1; see `Space.distance`."""
    return float(distances(space, space.encode([one]), space.encode([other]))[0, 0])


def distances(space: Space, ones: Units, others: Units) -> Units:
    """Distances between the rows of two encoded arrays; shape (n, m).

    Gower's coefficient (Biometrics 27, 1971), with one addition: a parameter that is active in one
    row only counts 1.
    """
    a, b = ones[:, None, :], others[None, :, :]
    category = np.array([kind == "category" for kind in space.encoding.kinds])
    in_a, in_b = ~np.isnan(a), ~np.isnan(b)
    apart = np.where(category, a != b, np.abs(a - b))
    apart = np.where(in_a & in_b, apart, (in_a != in_b).astype(float))
    count = (in_a | in_b).sum(axis=2)
    total: Units = apart.sum(axis=2) / np.maximum(count, 1)
    return total


def neighbours(
    space: Space, values: Configuration, rng: np.random.Generator, *, draws: int, sd: float
) -> list[Values]:
    """Allowed configurations that differ in one parameter; see `Space.neighbours`."""
    start = space.encode([values])
    rows = [
        row
        for j in range(space.encoding.dimension)
        for row in _moves(space, start, j, rng, draws, sd)
    ]
    if not rows:
        return []
    units = space.encoding.activate(np.array(rows), rng)
    units = units[space.encoding.allowed(units)]
    known = {space.key(values)}
    found = []
    for near in space.encoding.decode(units):
        if (key := space.key(near)) not in known:
            known.add(key)
            found.append(near)
    return found


def _moves(
    space: Space, start: Units, j: int, rng: np.random.Generator, draws: int, sd: float
) -> Iterator[Units]:
    here = start[0, j]
    if np.isnan(here):
        return
    count = space.encoding.levels[j]
    match space.encoding.kinds[j]:
        case "category":
            places = [float(k) for k in range(count) if k != here]
        case "ordinal":
            places = [p for p in (here - 1 / count, here + 1 / count) if 0 < p < 1]
        case _:
            places = list(np.clip(rng.normal(here, sd, draws), 0.0, 1.0))
    for place in places:
        row = start[0].copy()
        row[j] = place
        yield row
