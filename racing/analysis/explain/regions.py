"""Regions where runs fail more often than elsewhere, and regions without any configuration.

Parameter by parameter: levels one by one, numbers in five cells of their scale. The unit of the
test is the configuration, since the runs of one fail together: it counts as failing if any of its
runs did.

Parts of two parameters are named together where each fails more often with the other than without
it: the larger of the two p-values counts, an intersection-union test (Berger, 1982, Technometrics
24, 295-300), which holds its level though one of them explains all failures. So where nothing but
chance makes runs fail, a part is named in 5 % of runs at most, and a pair in as many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.base.special import load_scipy
from racing.space import Configuration, Integer, Space, Value
from racing.stats.corrections import holm

Floats = NDArray[np.float64]
Ints = NDArray[np.int_]
Mask = NDArray[np.bool_]
Part = tuple[int, int, Mask]
"""The column of a parameter, the number of a level or cell, and which configurations are there."""

CELLS = 5
LEVEL = 0.05
WIDE = 0.15
EXPECTED = 5.0
"""A gap is shown if it is this wide on the unit scale, and by chance so many configurations were
expected in it."""


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of one parameter's domain, or of the domains of two.

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
        Fisher's exact test, one-sided, corrected by Holm over all parts of all parameters, or over
        all pairs of parts; None for what is unexplored.
    other
        The part of another parameter, where runs fail more often if both hold than by either alone;
        counts and share are of both together. None where it is one part.
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
    other: Region | None = None


def regions(
    space: Space, configurations: Sequence[Configuration], evaluations: Ints, failures: Ints,
) -> tuple[Region, ...]:  # fmt: skip
    """Regions where runs fail, parts before pairs, the surest first; then those never tried.

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
    alone = holm(hypergeom.sf(inside_bad - 1, int(ran.sum()), int((bad & ran).sum()), drawn))
    both, both_bad = (masks.astype(float) @ (masks & of).T for of in (ran, bad))
    within = np.asarray(hypergeom.sf(both_bad - 1, drawn[:, None], inside_bad[:, None], both))
    columns = np.array([j for j, _, _ in parts])
    pairs = np.argwhere((columns[:, None] < columns) & (both >= EXPECTED))
    joint = holm(np.maximum(within, within.T)[tuple(pairs.T)])
    groups = [[at] for at in range(len(parts))], [*map(list, pairs.tolist())]
    return [
        _region(space, [parts[one] for one in group], evaluations, failures, p_value)
        for of, p_values in zip(groups, (alone, joint), strict=True)
        for p_value, group in sorted(zip(p_values.tolist(), of, strict=True), key=itemgetter(0))
        if p_value < LEVEL
    ]


def _cells(space: Space, column: Floats, j: int) -> Floats:
    """The number of the level, or of the cell of numbers, of each value; NaN where inactive."""
    if space.encoding.kinds[j] == "category":
        return column
    count = space.encoding.levels[j] or CELLS
    return np.minimum(np.floor(column * count), count - 1)


def _region(
    space: Space, parts: Sequence[Part], evaluations: Ints, failures: Ints, p_value: float
) -> Region:
    """One part, or two together."""
    first, *second = (_place(space, j, cell) for j, cell, _ in parts)
    mask: Mask = np.logical_and.reduce([inside for _, _, inside in parts])
    inside, failed = int(evaluations[mask].sum()), int(failures[mask].sum())
    others = int(evaluations.sum()) - inside
    return replace(
        first, configurations=int(mask.sum()), evaluations=inside, failures=failed,
        elsewhere=(int(failures.sum()) - failed) / others if others else None, p_value=p_value,
        other=second[0] if second else None,
    )  # fmt: skip


def _place(space: Space, j: int, cell: int) -> Region:
    """A level, or a cell of numbers."""
    name = space.encoding.names[j]
    if space.encoding.levels[j]:
        return Region(kind="failing", name=name, level=_level(space, name, cell))
    low, high = (_value(space, j, end / CELLS) for end in (cell, cell + 1))
    return Region(kind="failing", name=name, low=low, high=high)


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
