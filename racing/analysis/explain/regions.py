"""Regions where runs fail more often than elsewhere, and regions without any configuration.

Parameter by parameter: levels one by one, numbers in five cells of their scale. The unit of the
test is the configuration, since the runs of one fail together: it counts as failing if any of its
runs did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.base.special import load_scipy
from racing.space import Configuration, Integer, Space, Value
from racing.stats.corrections import holm

Floats = NDArray[np.float64]
Ints = NDArray[np.int_]
Mask = NDArray[np.bool_]

CELLS = 5
LEVEL = 0.05
WIDE = 0.15
EXPECTED = 5.0
"""A gap is shown if it is this wide on the unit scale, and by chance so many configurations were
expected in it."""


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of one parameter's domain.

    Attributes
    ----------
    kind
        `failing`: runs fail more often there; `unexplored`: nothing was tried there.
    name
        The parameter.
    low, high
        The ends of a range of numbers; None for levels.
    level
        The level of a parameter that has levels.
    configurations
        How many were tried there.
    evaluations, failures
        The runs there, and how many of them failed.
    elsewhere
        The share of runs that fail in the rest of the domain; None if nothing was run there.
    p_value
        Fisher's exact test, one-sided, corrected by Holm over all parts of all parameters; None for
        what is unexplored.
    """

    kind: Literal["failing", "unexplored"]
    name: str
    low: Value | None = None
    high: Value | None = None
    level: Value | None = None
    configurations: int = 0
    evaluations: int = 0
    failures: int = 0
    elsewhere: float | None = None
    p_value: float | None = None


def regions(
    space: Space, configurations: Sequence[Configuration], evaluations: Ints, failures: Ints,
) -> tuple[Region, ...]:  # fmt: skip
    """Regions where runs fail, the surest first, then those without any configuration.

    Parameters
    ----------
    configurations
        All that were tried, k of them.
    evaluations, failures : (k,)
        How often each ran, and how often it failed.
    """
    points = space.encode(configurations)
    failing = _failing(space, points, evaluations, failures)
    return (*failing, *_unexplored(space, points))


def _failing(space: Space, points: Floats, evaluations: Ints, failures: Ints) -> list[Region]:
    if not failures.any():
        return []
    load_scipy()
    from scipy.stats import hypergeom

    ran, bad = evaluations > 0, failures > 0
    parts = [
        (j, cell, inside)
        for j in range(space.encoding.dimension)
        for cell in range(space.encoding.levels[j] or CELLS)
        if (inside := (_cells(space, points[:, j], j) == cell) & ran).any()
    ]
    masks = np.array([inside for _, _, inside in parts]).reshape(-1, len(ran))
    # P(so many failing configurations inside or more | no difference)
    inside_bad, drawn = (masks & bad).sum(axis=1), masks.sum(axis=1)
    p_values = holm(hypergeom.sf(inside_bad - 1, int(ran.sum()), int((bad & ran).sum()), drawn))
    return [
        _region(space, parts[at], evaluations, failures, float(p_values[at]))
        for at in np.argsort(p_values, kind="stable").tolist()
        if p_values[at] < LEVEL
    ]


def _cells(space: Space, column: Floats, j: int) -> Floats:
    """The number of the level, or of the cell of numbers, of each value; NaN where inactive."""
    if space.encoding.kinds[j] == "category":
        return column
    count = space.encoding.levels[j] or CELLS
    return np.minimum(np.floor(column * count), count - 1)


def _region(
    space: Space, part: tuple[int, int, Mask], evaluations: Ints, failures: Ints, p_value: float
) -> Region:
    j, cell, mask = part
    inside, failed = int(evaluations[mask].sum()), int(failures[mask].sum())
    others, name = int(evaluations.sum()) - inside, space.encoding.names[j]
    ends = (cell / CELLS, (cell + 1) / CELLS)
    low, high = (
        (None, None) if space.encoding.levels[j] else (_value(space, j, end) for end in ends)
    )
    return Region(
        kind="failing", name=name, low=low, high=high, level=_level(space, name, cell),
        configurations=int(mask.sum()), evaluations=inside, failures=failed,
        elsewhere=(int(failures.sum()) - failed) / others if others else None, p_value=p_value,
    )  # fmt: skip


def _unexplored(space: Space, points: Floats) -> list[Region]:
    found: list[Region] = []
    for j, name in enumerate(space.encoding.names):
        column, count = points[~np.isnan(points[:, j]), j], space.encoding.levels[j]
        if not len(column):
            found.append(Region(kind="unexplored", name=name))
        elif not count:
            found += _gaps(space, j, column)
        elif len(column) >= EXPECTED * count:
            missed = sorted(set(range(count)) - set(_cells(space, column, j).astype(int).tolist()))
            levels = (_level(space, name, cell) for cell in missed)
            found += [Region(kind="unexplored", name=name, level=level) for level in levels]
    return found


def _gaps(space: Space, j: int, column: Floats) -> list[Region]:
    """Ranges between neighbouring values that were tried, and before and after all of them."""
    ends = np.concatenate([[0.0], np.sort(column), [1.0]])
    widths = np.diff(ends)
    wide = (widths >= WIDE) & (widths * len(column) >= EXPECTED)
    name, last = space.encoding.names[j], len(widths) - 1
    parameter, found = space[name], []
    step = (parameter.step or 1) if isinstance(parameter, Integer) else 0
    for i in np.flatnonzero(wide).tolist():
        low, high = (_value(space, j, float(end)) for end in ends[i : i + 2])
        low, high = low + step * (i > 0), high - step * (i < last)  # these two were tried
        if low <= high:
            found.append(Region(kind="unexplored", name=name, low=low, high=high))
    return found


def _level(space: Space, name: str, cell: int) -> Value | None:
    levels = space[name].levels
    return None if levels is None else levels[cell]


def _value(space: Space, j: int, unit: float) -> float:
    """A place on the unit scale as a value; where bounds vary, those of the default hold."""
    point = np.full((1, space.encoding.dimension), 0.5)
    point[:, [kind == "category" for kind in space.encoding.kinds]] = 0.0
    if not space.without_default():
        default = space.encode([space.default()])
        point = np.where(np.isnan(default), point, default)
    point[0, j] = unit
    return float(space.encoding.values(point)[0, j])
