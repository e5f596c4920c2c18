"""What is wrong with a space beyond its syntax, told before anything runs.

Exact where the parameters concerned have at most 20,000 combinations, which are all looked at, or
where interval arithmetic proves it. Elsewhere 5120 points stand for the space: a Latin hypercube,
corners, and the constants of the expressions; a message then says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from racing.space.configurations import Reading
from racing.space.counting import TooMany, grow
from racing.space.encoding import Units, empty_domain
from racing.space.errors import PlacedError
from racing.space.expressions import Compare, Name, Node, holds, names, number, render
from racing.space.expressions import Number as NumberNode
from racing.space.expressions.ranges import Range, possible

if TYPE_CHECKING:
    from racing.space.space import Space

EXACT = 20_000
_SPREAD, _CORNERS = 2**12, 2**10


@dataclass(frozen=True)
class Sampled:
    """Combinations of parameters: columns as expressions see them, and whether they are all."""

    columns: Mapping[str, Any]
    rows: int
    exact: bool


def space_errors(space: Space) -> Iterator[PlacedError]:
    """Everything that is wrong with a space whose expressions are sound."""
    if not space.structure.is_flat:
        probes = _Probes(space)
        found = [*_bounds(space, probes), *_conditions(space, probes), *_clauses(space, probes)]
        yield from found
        if found:
            return
    for name, message in Reading(space, {}).errors:
        if space[name].default is not None:
            yield PlacedError((name, "default"), f"the configuration of all defaults: {message}")


def _conditions(space: Space, probes: _Probes) -> Iterator[PlacedError]:
    for name, tree in space.structure.conditions.items():
        path = (name, "when")
        if not possible(tree, probes.domains).true:
            yield PlacedError(path, f"the condition {render(tree, space)} is never true")
            continue
        table = probes.table(names(tree))
        if not np.any(_holds(space, tree, table)):
            how = "is never true" if table.exact else (
                f"is true in none of {table.rows} sampled configurations")  # fmt: skip
            yield PlacedError(path, f"the condition {render(tree, space)} {how}")


def _bounds(space: Space, probes: _Probes) -> Iterator[PlacedError]:
    for name in space.structure.bounds:
        parents = space.structure.parents[name]
        table = probes.table(parents)
        low, high = (_number(space, tree, table) for tree in space.structure.bounds[name])
        empty = empty_domain(space[name], low, high)
        if (condition := space.structure.conditions.get(name)) is not None:
            empty = empty & _holds(space, condition, table)
        if np.any(empty):
            row = int(np.argmax(empty))
            where = ", ".join(_shown(space, parent, table, row) for parent in parents)
            yield PlacedError(
                (name, "low" if low.min() != low.max() else "high"),
                f"the domain can be empty: from {low[row]:g} to {high[row]:g} with {where}; "
                "change the bounds, or give a condition that excludes it",
            )


def _clauses(space: Space, probes: _Probes) -> Iterator[PlacedError]:
    for i, tree in enumerate(space.structure.forbidden):
        always = not possible(tree, probes.domains).other or not names(tree)
        if always:
            yield PlacedError(
                ("forbidden", i), f"{render(tree, space)} does not depend on any value"
            )
            continue
        table = probes.table(names(tree))
        if table.exact and table.rows == 0:
            yield PlacedError(("forbidden", i), f"{render(tree, space)} leaves no configuration")


class _Probes:
    """The combinations that checks look at."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._tables: dict[frozenset[str], Sampled] = {}

    @cached_property
    def domains(self) -> dict[str, Range]:
        """The ranges of the numeric parameters with bounds of their own."""
        found = {}
        for name, parameter in self._space.items():
            if parameter.levels is None and name not in self._space.structure.bounds:
                numeric = cast(Any, parameter)
                found[name] = (float(numeric.low), float(numeric.high))
        return found

    def table(self, wanted: tuple[str, ...]) -> Sampled:
        """All allowed combinations of some parameters and what they depend on; or the sample."""
        closure = self._closure(wanted)
        if closure not in self._tables:
            self._tables[closure] = self._exact(closure) or self.sampled
        return self._tables[closure]

    def _closure(self, wanted: tuple[str, ...]) -> frozenset[str]:
        found, left = set[str](), list(wanted)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self._space.structure.parents[name]
        return frozenset(found)

    def _exact(self, closure: frozenset[str]) -> Sampled | None:
        order = [name for name in self._space.structure.order if name in closure]
        try:
            columns, weights = grow(self._space, order, EXACT)
        except TooMany:
            return None
        return Sampled(columns, len(weights), exact=True)

    @cached_property
    def sampled(self) -> Sampled:
        """Points of the whole space, the allowed among them."""
        encoding = self._space.encoding
        rng = np.random.default_rng(0)
        strata = np.tile(np.arange(_SPREAD)[:, None], (1, encoding.dimension))
        spread = (rng.permuted(strata, axis=0) + rng.random(strata.shape)) / _SPREAD
        corners = rng.integers(0, 2, (_CORNERS, encoding.dimension)).astype(float)
        points = self._with_constants(np.vstack([spread, corners]), rng)
        units = encoding.from_points(points)
        clauses = encoding.refusals(units)[: len(encoding.forbidden)]
        units = units[~np.any([np.zeros(len(units), dtype=bool), *clauses], axis=0)]
        return Sampled(encoding.columns(units), len(units), exact=False)

    def _with_constants(self, points: Units, rng: np.random.Generator) -> Units:
        """The points, with some coordinates moved to where an expression compares with a number."""
        space = self._space
        trees = [*space.structure.conditions.values(), *space.structure.forbidden]
        for name, value in {pair for tree in trees for pair in _constants(tree)}:
            parameter = cast(Any, space[name])
            if name in self.domains and self.domains[name][0] <= value <= self.domains[name][1]:
                rows = rng.integers(len(points), size=len(points) // 16)
                place = parameter.axis(parameter.low, parameter.high).unit(value)
                points[rows, list(space).index(name)] = place
        return points


def _constants(tree: Node) -> Iterator[tuple[str, float]]:
    for node in tree.walk():
        if isinstance(node, Compare):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(one, Name) and isinstance(other, NumberNode):
                    yield one.name, other.value


def _holds(space: Space, tree: Node, table: Sampled) -> Any:
    with np.errstate(all="ignore"):
        return np.broadcast_to(holds(tree, space)(table.columns), (table.rows,))


def _number(space: Space, tree: Node, table: Sampled) -> Any:
    with np.errstate(all="ignore"):
        return np.broadcast_to(number(tree, space)(table.columns), (table.rows,))


def _shown(space: Space, name: str, table: Sampled, row: int) -> str:
    value = float(table.columns[name][row])
    levels = space[name].levels
    if value != value:
        return f"{name} inactive"
    return f"{name} = {value:g}" if levels is None else f"{name} = {levels[int(value)]}"
