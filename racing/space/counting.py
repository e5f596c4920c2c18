"""Counts and lists the configurations of a space.

Parameters grow row by row, parents first: each partial configuration is repeated for every value
of the next active parameter, and dropped as soon as a forbidden clause holds. Parameters that share
no expression multiply.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from racing.base.errors import InputError
from racing.space.encoding import Units
from racing.space.expressions import holds, names

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
            total *= _counts(space, name, *_domain(space, name, columns, rows))
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
    counts = _counts(space, name, active, low, high)
    if not np.all(np.isfinite(counts)) or counts.sum() > most:
        raise TooMany(f"{name} makes more than {most} combinations")
    times = counts.astype(np.intp)
    rest = np.repeat(np.arange(rows), times)
    step = np.arange(len(rest)) - np.repeat(np.cumsum(times) - times, times)
    on = active[rest]
    grown = {n: column[rest] for n, column in columns.items()}
    with np.errstate(all="ignore"):
        axis = space[name].axis(low[rest], high[rest])
        grown[name] = np.where(on, axis.nth(step), np.nan)
        return grown, weights[rest] + np.where(on, axis.log_share(step), 0.0)


def _domain(space: Space, name: str, columns: dict[str, Any], rows: int) -> tuple[Any, Any, Any]:
    """Whether a parameter is active, and its bounds, row by row."""
    with np.errstate(all="ignore"):
        ends = space.encoding.ends(name, columns)
        low, high = (np.broadcast_to(end, (rows,)) for end in ends)
        return space.encoding.is_active(name, columns, rows), low, high


def _counts(space: Space, name: str, active: Any, low: Any, high: Any) -> Any:
    """The number of values in each row; 1 where the parameter is inactive."""
    with np.errstate(all="ignore"):
        counts = np.nan_to_num(space[name].count(low, high), posinf=np.inf)
    return np.where(active, counts, 1.0)
