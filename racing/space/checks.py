"""Finds errors of a space beyond its syntax, before anything runs.

The checks are exact if the parameters involved have at most 20,000 combinations, or by interval
arithmetic. Otherwise they use 5120 points: a Latin hypercube, corners, and the constants of the
expressions; the message then says so. In a space with thousands of dependent parameters, some
checks are skipped to save time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from racing.base.words import listed
from racing.space.configurations import Reading
from racing.space.counting import TooMany, grow
from racing.space.encoding import Units
from racing.space.expressions import Compare, Name, Node, Truth, holds, names, number, render
from racing.space.expressions import Number as NumberNode
from racing.space.expressions.ranges import Range, possible
from racing.space.numeric import Integer
from racing.space.structure import PlacedError

if TYPE_CHECKING:
    from racing.space.space import Space

EXACT = 20_000
_SPREAD, _CORNERS = 2**12, 2**10
_CELLS = 2_000_000  # of the sample: a space of more than 390 parameters gets fewer points
_FEW = 200  # clauses among which those at fault are looked for
_WORK = 600_000  # microseconds, about, that the tables of all checks may take


@dataclass(frozen=True)
class Sampled:
    """Combinations of parameters: columns for expressions, and whether they are all."""

    columns: Mapping[str, Any]
    rows: int
    exact: bool


def space_errors(space: Space) -> Iterator[PlacedError]:
    """All errors of a space with valid expressions."""
    if not space.structure.is_flat:
        probes = _Probes(space)
        found = [*_bounds(space, probes), *_conditions(space, probes), *_clauses(space, probes)]
        yield from found
        if found:
            return
    for name, message in Reading(space, {}).errors:
        if space[name].default is not None:
            yield PlacedError((name, "default"), f"the configuration of all defaults: {message}")


def at_once(space: Space, wanted: Sequence[str]) -> list[str]:
    """The most of these parameters that are active at once, by the probes of the checks."""
    conditions = space.structure.conditions
    parents = {name for each in wanted for name in space.structure.parents[each]}
    table = _Probes(space).table(tuple(sorted(parents)))
    if table is None or not table.rows:
        return []
    always = np.ones(table.rows, dtype=bool)
    active = np.array(
        [
            _holds(space, conditions[name], table) if name in conditions else always
            for name in wanted
        ]
    )
    row = int(np.argmax(active.sum(axis=0)))
    return [name for name, found in zip(wanted, active[:, row], strict=True) if found]


def _conditions(space: Space, probes: _Probes) -> Iterator[PlacedError]:
    for name, tree in space.structure.conditions.items():
        path = (name, "when")
        if tree == Truth(False):
            continue  # explicitly switched off
        if not possible(tree, probes.domains).true:
            yield PlacedError(path, f"the condition {render(tree, space)} is never true")
            continue
        table = probes.table(names(tree))
        if table is not None and table.rows and not np.any(_holds(space, tree, table)):
            how = "is never true" if table.exact else (
                f"is true in none of {table.rows} sampled configurations")  # fmt: skip
            alone = _Probes(_with(space, ())).table(names(tree))
            if space.structure.forbidden and alone and np.any(_holds(space, tree, alone)):
                how += ", as forbidden clauses exclude it"
            yield PlacedError(path, f"the condition {render(tree, space)} {how}")


def _bounds(space: Space, probes: _Probes) -> Iterator[PlacedError]:
    for name in space.structure.bounds:
        parents = space.structure.parents[name]
        table = probes.table(parents)
        if table is None:
            return
        low, high = (_number(space, tree, table) for tree in space.structure.bounds[name])
        empty = space.encoding.numeric(name).empty(low, high)
        if (condition := space.structure.conditions.get(name)) is not None:
            empty = empty & _holds(space, condition, table)
        if np.any(empty):
            row = int(np.argmax(empty))
            yield _no_domain(space, name, low, high, row, table)


def _no_domain(
    space: Space, name: str, low: Any, high: Any, row: int, table: Sampled
) -> PlacedError:
    """The error for a domain that is empty or too large in a row of a table."""
    what = "empty"
    if np.isinf([low[row], high[row]]).any():
        what = "endless"
    elif space.encoding.numeric(name).too_large(low, high)[row]:
        what = "beyond 2^53" if isinstance(space[name], Integer) else "wider than a number can say"
    where = ", ".join(_shown(space, parent, table, row) for parent in space.structure.parents[name])
    return PlacedError(
        (name, "low" if low.min() != low.max() else "high"),
        f"the domain can be {what}: from {low[row]:g} to {high[row]:g}"
        f"{f' with {where}' if where else ''}; "
        "change the bounds, or give a condition that excludes it",
    )


def _clauses(space: Space, probes: _Probes) -> Iterator[PlacedError]:
    """Clauses that leave no configuration, by themselves or with those before them."""
    told = set[tuple[object, ...]]()
    for i, tree in enumerate(space.structure.forbidden):
        if not names(tree):
            said = f"{render(tree, space)} does not depend on any value"
            yield PlacedError(("forbidden", i), said)
            continue
        active = space.structure.conditions.keys().isdisjoint(names(tree))
        fault: PlacedError | None = _leaves(space, i)
        if possible(tree, probes.domains).other or not active:
            table = probes.table(names(tree))
            none_left = table is not None and table.exact and not table.rows
            fault = _at_fault(space, names(tree)) if none_left else None
        if fault is not None and fault.path not in told:
            yield fault
            told.add(fault.path)


def emptied(space: Space) -> PlacedError | None:
    """The clause after which no sampled configuration is left; None where some are."""
    table = _Probes(space).table(tuple(space))
    if table is None or table.rows:
        return None
    return _at_fault(space, tuple(space), "no sampled configuration")


def _at_fault(space: Space, wanted: tuple[str, ...], what: str = "no configuration") -> PlacedError:
    """The first clause after which no combination of some parameters is left.

    Beside it are those before it without which some would be left.
    """
    about, trees = _Probes(space).closure(wanted), space.structure.forbidden
    left = {i: tree for i, tree in enumerate(trees) if about.issuperset(names(tree))}
    for i, tree in reversed([*left.items()] if len(left) <= _FEW else []):
        del left[i]
        table = _Probes(_with(space, left.values())).table(wanted)
        if table is None or table.rows:
            left[i] = tree
    *others, last = sorted(left)
    return _leaves(space, last, others if len(left) <= _FEW else (), what)


def _leaves(
    space: Space, at: int, others: Sequence[int] = (), what: str = "no configuration"
) -> PlacedError:
    """The error of a clause, beside others."""
    said, *more = (render(space.structure.forbidden[i], space) for i in (at, *others))
    beside = f" beside {listed(more)}" if more else ""
    return PlacedError(("forbidden", at), f"{said} leaves {what}{beside}")


def _with(space: Space, forbidden: Iterable[Node]) -> Space:
    """The same space with these clauses only."""
    found = copy(space)
    found.__dict__["structure"] = replace(space.structure, forbidden=tuple(forbidden))
    return found


class _Probes:
    """The combinations for the checks."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._tables: dict[frozenset[str], Sampled] = {}
        self._work = 0

    @cached_property
    def domains(self) -> dict[str, Range]:
        """The ranges of the numeric parameters with bounds of their own."""
        found = {}
        for name, parameter in self._space.items():
            if parameter.levels is None and name not in self._space.structure.bounds:
                numeric = cast(Any, parameter)
                found[name] = (float(numeric.low), float(numeric.high))
        return found

    def table(self, wanted: tuple[str, ...]) -> Sampled | None:
        """All allowed combinations of some parameters and what they depend on; or the sample.

        None if the earlier checks took too long.
        """
        if self._work > _WORK:
            return None
        closure = self.closure(wanted)
        self._work += len(closure)
        if closure not in self._tables:
            found = self._exact(closure) or self.sampled
            self._work += _work(len(closure), found.rows if found.exact else 0)
            self._tables[closure] = found
        return self._tables[closure]

    def closure(self, wanted: tuple[str, ...]) -> frozenset[str]:
        """Some parameters, and those that they depend on."""
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
        """The allowed points of a sample of the whole space."""
        encoding = self._space.encoding
        rng = np.random.default_rng(0)
        most = max(_CELLS // encoding.dimension, 64)
        n, ends = min(_SPREAD, 4 * most // 5), min(_CORNERS, most // 5)
        strata = np.tile(np.arange(n)[:, None], (1, encoding.dimension))
        spread = (rng.permuted(strata, axis=0) + rng.random(strata.shape)) / n
        corners = rng.integers(0, 2, (ends, encoding.dimension)).astype(float)
        points = self._with_constants(np.vstack([spread, corners]), rng)
        units = encoding.from_points(points)
        clauses = encoding.refusals(units)[: len(encoding.forbidden)]
        refused = np.zeros(len(units), dtype=bool)
        for clause in clauses:
            refused |= clause
        units = units[~refused]
        return Sampled(encoding.columns(units), len(units), exact=False)

    def _with_constants(self, points: Units, rng: np.random.Generator) -> Units:
        """The points, with some coordinates set to constants that expressions compare with."""
        space = self._space
        trees = [*space.structure.conditions.values(), *space.structure.forbidden]
        for name, value in {pair for tree in trees for pair in _constants(tree)}:
            parameter = cast(Any, space[name])
            if name in self.domains and self.domains[name][0] <= value <= self.domains[name][1]:
                rows = rng.integers(len(points), size=len(points) // 16)
                place = parameter.axis(parameter.low, parameter.high).unit(value)
                points[rows, list(space).index(name)] = place
        return points


def _work(columns: int, rows: int) -> int:
    """Microseconds, about, that a table takes: each new column copies those before it."""
    return 100 * columns + columns**2 // 2 * (1 + rows // 300)


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
