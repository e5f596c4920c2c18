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

Floats = NDArray[np.float64]
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
    space: Space,
    configurations: Sequence[Configuration],
    evaluations: NDArray[np.int_],
    failures: NDArray[np.int_],
) -> tuple[Region, ...]:
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


# --- failing ------------------------------------------------------------------------------------


def _failing(
    space: Space, points: Floats, evaluations: NDArray[np.int_], failures: NDArray[np.int_]
) -> list[Region]:
    if not failures.any():
        return []
    ran, bad = evaluations > 0, failures > 0
    parts = [
        (j, cell, mask & ran)
        for j in range(space.encoding.dimension)
        for cell, mask in _parts(space, points, j)
        if (mask & ran).any()
    ]
    p_values = _holm([_fisher(bad & ran, mask, ran) for _, _, mask in parts])
    surest_first = sorted(zip(p_values, parts, strict=True), key=lambda one: one[0])
    return [
        _region(space, j, cell, mask, (evaluations, failures), p)
        for p, (j, cell, mask) in surest_first
        if p < LEVEL
    ]


def _parts(space: Space, points: Floats, j: int) -> list[tuple[int, Mask]]:
    """The cells of a column, and which configurations are in each."""
    column, kind, levels = points[:, j], space.encoding.kinds[j], space.encoding.levels[j]
    count = levels or CELLS
    with np.errstate(invalid="ignore"):
        place = column if kind == "category" else np.minimum(np.floor(column * count), count - 1)
    return [(cell, place == cell) for cell in range(count)]


def _fisher(bad: Mask, inside: Mask, ran: Mask) -> float:
    """P(so many failing configurations inside or more | no difference)."""
    load_scipy()
    from scipy.stats import hypergeom

    total, drawn, failing = int(ran.sum()), int(inside.sum()), int(bad.sum())
    return float(hypergeom.sf(int((bad & inside).sum()) - 1, total, failing, drawn))


def _holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction (Scandinavian Journal of Statistics 6, 1979)."""
    from racing.stats.corrections import holm

    return [] if not p_values else holm(np.array(p_values)).tolist()


def _region(
    space: Space,
    j: int,
    cell: int,
    mask: Mask,
    runs: tuple[NDArray[np.int_], NDArray[np.int_]],
    p_value: float,
) -> Region:
    evaluations, failures = runs
    inside, failed = int(evaluations[mask].sum()), int(failures[mask].sum())
    others = int(evaluations.sum()) - inside
    levels = space.encoding.levels[j]
    name = space.encoding.names[j]
    ends = (cell / CELLS, (cell + 1) / CELLS)
    low, high = (None, None) if levels else (_value(space, j, end) for end in ends)
    return Region(
        kind="failing",
        name=name,
        low=low,
        high=high,
        level=_level(space, name, cell),
        configurations=int(mask.sum()),
        evaluations=inside,
        failures=failed,
        elsewhere=(int(failures.sum()) - failed) / others if others else None,
        p_value=p_value,
    )


# --- unexplored ---------------------------------------------------------------------------------


def _unexplored(space: Space, points: Floats) -> list[Region]:
    found: list[Region] = []
    for j, name in enumerate(space.encoding.names):
        column = points[~np.isnan(points[:, j]), j]
        if not len(column):
            found.append(Region(kind="unexplored", name=name))
        elif space.encoding.levels[j]:
            found += _levels_missed(space, j, column)
        else:
            found += _gaps(space, j, column)
    return found


def _levels_missed(space: Space, j: int, column: Floats) -> list[Region]:
    name, count = space.encoding.names[j], space.encoding.levels[j]
    category = space.encoding.kinds[j] == "category"
    places = column if category else np.floor(column * count)
    if len(column) < EXPECTED * count:
        return []
    return [
        Region(kind="unexplored", name=name, level=_level(space, name, cell))
        for cell in sorted(set(range(count)) - set(places.astype(int).tolist()))
    ]


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


# --- values -------------------------------------------------------------------------------------


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
