"""Counts and lists the configurations of a space.

Parameters grow row by row, parents first: each partial configuration is repeated for every value
of the next active parameter, and dropped as soon as a forbidden clause holds. Parameters that share
no expression multiply.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from racing.base.errors import InputError
from racing.space.encoding import Units
from racing.space.expressions import holds, names, number
from racing.space.numeric import Numeric
from racing.space.scale import UnitCells, places_rounding, round_to

if TYPE_CHECKING:
    from racing.space.space import Space

MOST = 1_000_000  # partial configurations that counting looks at
_CELLS, _PER_COLUMN = 250_000_000, 300
"""The most values in all steps (about a second), and the cost of a column in each step, in
values."""


class TooMany(Exception):
    """The rows exceed the limit."""


def size(space: Space) -> float:
    """The number of configurations; see `Space.size`."""
    if space.structure.is_flat:
        return math.prod(parameter.size for parameter in space.values())
    total = 1.0
    for group in groups(space):
        total *= _group_size(space, group)
    return int(total) if math.isfinite(total) else total


def enumerated(space: Space, most: int) -> tuple[Units, Any]:
    """All allowed configurations as columns, shape (n, d), and the log of their probabilities.

    The probability is that of a draw before forbidden ones are rejected.

    Raises
    ------
    InputError
        If there are more than `most`, or a continuum of them.
    """
    if space.size > most:
        raise InputError(
            f"the space has {space.size:g} configurations; at most {most} can be listed"
        )
    try:
        columns, weights = grow(space, list(space.structure.order), max(MOST, most))
    except TooMany as error:
        raise InputError(f"the space is too large to be listed: {error}") from error
    return np.column_stack([columns[name] for name in space]), weights


def groups(space: Space) -> list[list[str]]:
    """The parameters in groups that share no expression, each in the order of dependency."""
    root = {name: name for name in space.structure.order}

    def find(name: str) -> str:
        while root[name] != name:
            root[name] = name = root[root[name]]
        return name

    ties = [(name, *space.structure.parents[name]) for name in space.structure.order]
    for first, *rest in filter(None, [*ties, *map(names, space.structure.forbidden)]):
        for other in rest:
            root[find(other)] = find(first)
    found: dict[str, list[str]] = {}
    for name in space.structure.order:
        found.setdefault(find(name), []).append(name)
    return list(found.values())


def _group_size(space: Space, group: Sequence[str]) -> float:
    """The size of a group; parameters on which no other depends are counted without a list."""
    named = space.structure.named | {
        n for clause in space.structure.forbidden for n in names(clause)
    }
    inner = [name for name in group if name in named]
    try:
        columns, weights = grow(space, inner, MOST)
    except TooMany:
        return _most(space, group)
    rows = len(weights)
    total = np.ones(rows)
    for name in group:
        if name not in named:
            active, low, high = _domain(space, name, columns, rows)
            counts = _counts(space, name, low, high, rows)
            total *= np.where(active, counts, 1.0)
    return float(total.sum())


def _most(space: Space, group: Sequence[str]) -> float:
    """An upper bound: every parameter active or not, dependent domains without an end."""
    sizes = (space[name].size for name in group)
    return math.prod(
        math.inf if math.isnan(size) else float(size + (name in space.structure.conditions))
        for name, size in zip(group, sizes, strict=True)
    )


def grow(space: Space, order: Sequence[str], most: int) -> tuple[dict[str, Any], Any]:
    """Every allowed combination of some parameters, in the order of the structure.

    Returns the columns and the log-probabilities.

    Raises
    ------
    TooMany
        If there are more than `most`, or one of them has a continuum of values, or too many
        parameters depend on each other.
    """
    columns: dict[str, Any] = {}
    weights = np.zeros(1)
    cells = 0
    for name in order:
        columns, weights = _extend(space, name, columns, weights, most)
        cells += (len(weights) + _PER_COLUMN) * len(columns)
        if cells > _CELLS:
            raise TooMany("too many parameters depend on each other")
        for clause in space.structure.clauses_after.get(name, ()):
            if not columns.keys() >= set(names(clause)):
                continue
            with np.errstate(all="ignore"):
                refused = np.broadcast_to(holds(clause, space)(columns), weights.shape)
            columns = {n: column[~refused] for n, column in columns.items()}
            weights = weights[~refused]
    return columns, weights


def _extend(
    space: Space, name: str, columns: dict[str, Any], weights: Any, most: int
) -> tuple[dict[str, Any], Any]:
    rows = len(weights)
    active, low, high = _domain(space, name, columns, rows)
    counts = np.where(active, _counts(space, name, low, high, rows), 1.0)
    if not np.all(np.isfinite(counts)) or counts.sum() > most:
        raise TooMany(f"{name} makes more than {most} combinations")
    times = counts.astype(np.intp)
    rest = np.repeat(np.arange(rows), times)
    step = np.arange(len(rest)) - np.repeat(np.cumsum(times) - times, times)
    values, log_share = _values(space, name, step, low[rest], high[rest])
    on = active[rest]
    grown = {n: column[rest] for n, column in columns.items()}
    grown[name] = np.where(on, values, np.nan)
    return grown, weights[rest] + np.where(on, log_share, 0.0)


def _domain(space: Space, name: str, columns: dict[str, Any], rows: int) -> tuple[Any, Any, Any]:
    """Whether a parameter is active, and its bounds, row by row."""
    active = np.ones(rows, dtype=bool)
    low = high = np.zeros(rows)
    with np.errstate(all="ignore"):
        if (tree := space.structure.conditions.get(name)) is not None:
            active &= np.broadcast_to(holds(tree, space)(columns), (rows,))
        if (trees := space.structure.bounds.get(name)) is not None:
            low, high = (np.broadcast_to(number(t, space)(columns), (rows,)) for t in trees)
            active &= (low == low) & (high == high)
        elif space[name].levels is None:
            parameter = cast(Any, space[name])
            low, high = np.full(rows, float(parameter.low)), np.full(rows, float(parameter.high))
    return active, low, high


def _counts(space: Space, name: str, low: Any, high: Any, rows: int) -> Any:
    levels = space[name].levels
    if levels is not None:
        return np.full(rows, float(len(levels)))
    with np.errstate(all="ignore"):
        return np.nan_to_num(cast(Numeric, space[name]).count(low, high), posinf=np.inf)


def _values(space: Space, name: str, step: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """The `step`-th value of each row's domain, and the log of its probability."""
    levels = space[name].levels
    if levels is not None:
        return step.astype(float), np.full(len(step), -math.log(len(levels)))
    parameter = cast(Any, space[name])
    with np.errstate(all="ignore"):
        if getattr(parameter, "digits", None) is None:
            axis = parameter.axis(low, high)
            if not isinstance(axis, UnitCells):  # an interval that is a single point
                return low, np.zeros(len(step))
            return axis.nth(step), axis.log_share(step)
        least, _ = parameter.ends(low, high)
        rounding = places_rounding(parameter.digits)
        values = round_to(least + step / rounding[0], rounding)
        return values, _log_shares(parameter, values, low, high)


def _log_shares(parameter: Any, values: Any, low: Any, high: Any) -> Any:
    """The log-probabilities of values that are rounded to digits: half a step to either side."""
    axis, half = parameter.axis(low, high), 0.5 / 10.0**parameter.digits
    least, most = parameter.ends(low, high)
    upper = axis.unit(np.minimum(values + half, most))
    lower = axis.unit(np.maximum(values - half, least))
    return np.where(most > least, np.log(upper - lower), 0.0)
