"""The dependencies of a space's parameters: resolved expressions, and the order."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from racing.base.errors import MOST_ERRORS, ExpressionError, placed, show
from racing.space.expressions import Node, condition, names, parse, quantity, render
from racing.space.expressions import Number as NumberNode
from racing.space.parameter import Clause, Parameter, is_clause, is_number


@dataclass(frozen=True)
class PlacedError:
    """One error.

    Attributes
    ----------
    path
        Its place: (parameter,), (parameter, "when" | "low" | "high" | "default"),
        ("forbidden", i), ("known", i) or ("known", i, parameter); i counts from 0.
    message
        What is wrong.
    text
        The expression with the error, if any.
    offset
        The place in `text`: characters from its start, from 0.

    Examples
    --------
    >>> from racing.space import PlacedError
    >>> error = PlacedError(("forbidden", 2), "unknown name 'z'", "x > z", 4)
    >>> error.place
    'forbidden[2]'
    >>> print(error)
    forbidden[2]: unknown name 'z' (column 5 of "x > z")
    """

    path: tuple[str | int, ...]
    message: str
    text: str = ""
    offset: int | None = None

    def __str__(self) -> str:
        at = f" (column {self.offset + 1} of {show(self.text)})" if self.offset is not None else ""
        return placed(self.place, f"{self.message}{at}")

    @property
    def place(self) -> str:
        """The path as text: `beta.when`, `forbidden[2]`."""
        first, *rest = self.path
        return str(first) + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in rest)


def from_expression(path: tuple[str | int, ...], error: ExpressionError) -> PlacedError:
    """The error of an expression at `path`."""
    return PlacedError(path, error.reason, error.text, error.offset if error.text else None)


@dataclass(frozen=True)
class Structure:
    """The resolved expressions of a space.

    Attributes
    ----------
    order
        The parameters, each after all those in its condition and bounds.
    conditions
        Parameter → when it is active; the others always are.
    bounds
        Parameter → lower and upper bound, where one of them is an expression.
    forbidden
        The forbidden clauses.
    """

    order: tuple[str, ...]
    conditions: Mapping[str, Node]
    bounds: Mapping[str, tuple[Node, Node]]
    forbidden: tuple[Node, ...]

    @cached_property
    def parents(self) -> Mapping[str, tuple[str, ...]]:
        """Parameter → the parameters that its condition and its bounds name."""
        return {name: _parents(name, self.conditions, self.bounds) for name in self.order}

    @cached_property
    def named(self) -> frozenset[str]:
        """The parameters in conditions and bounds."""
        return frozenset(parent for found in self.parents.values() for parent in found)

    @cached_property
    def clauses_after(self) -> Mapping[str, tuple[Node, ...]]:
        """Parameter → the forbidden clauses in which it is the last parameter by order."""
        place = {name: i for i, name in enumerate(self.order)}
        found: dict[str, list[Node]] = {}
        for clause in self.forbidden:
            last = max(names(clause), key=place.__getitem__, default=self.order[0])
            found.setdefault(last, []).append(clause)
        return {name: tuple(clauses) for name, clauses in found.items()}

    @property
    def is_flat(self) -> bool:
        """Whether no parameter depends on another and nothing is forbidden."""
        return not (self.conditions or self.bounds or self.forbidden)

    def clause_texts(self) -> tuple[str, ...]:
        """The forbidden clauses, as text."""
        return tuple(render(clause, self.order) for clause in self.forbidden)


def make_structure(
    parameters: Mapping[str, Parameter], forbidden: Sequence[Clause]
) -> tuple[Structure, list[PlacedError]]:
    """The structure of a space, and all errors of its expressions."""
    reader = _Reader(parameters)
    conditions, bounds = dict[str, Node](), dict[str, tuple[Node, Node]]()
    for name, parameter in parameters.items():
        if len(reader.errors) >= MOST_ERRORS:
            break
        if parameter.when is not None and (
            found := reader.condition((name, "when"), parameter.when)
        ):
            conditions[name] = found
        if pair := reader.bounds(name, parameter):
            bounds[name] = pair
    clauses = [
        reader.condition(("forbidden", i), clause)
        for i, clause in enumerate(forbidden)
        if len(reader.errors) < MOST_ERRORS
    ]
    order = _order(parameters, conditions, bounds, reader.errors)
    kept = tuple(clause for clause in clauses if clause is not None)
    return Structure(tuple(order), conditions, bounds, kept), reader.errors


class _Reader:
    """Resolves clauses into trees, and collects errors."""

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        self.errors: list[PlacedError] = []
        self._parameters = parameters
        levels = (level for p in parameters.values() for level in p.levels or ())
        self._known = {*parameters, *(level for level in levels if isinstance(level, str))}

    def condition(self, path: tuple[str | int, ...], clause: Clause) -> Node | None:
        return self._read(path, clause, condition)

    def bounds(self, name: str, parameter: Parameter) -> tuple[Node, Node] | None:
        if parameter.levels is not None:
            return None
        ends = [getattr(parameter, end) for end in ("low", "high")]
        if all(is_number(end) for end in ends):
            return None
        low, high = (
            NumberNode(float(end)) if is_number(end) else self._read((name, key), end, quantity)
            for key, end in zip(("low", "high"), ends, strict=True)
        )
        return None if low is None or high is None else (low, high)

    def _read(
        self, path: tuple[str | int, ...], clause: Clause, resolve: Callable[..., Node]
    ) -> Node | None:
        if not is_clause(clause):
            message = f"must be an expression such as 'a > b'; got {show(clause)}"
            self.errors.append(PlacedError(path, message))
            return None
        text = "" if isinstance(clause, Node) else clause
        try:
            tree = clause if isinstance(clause, Node) else parse(clause, self._known)
            return resolve(tree, self._parameters, text)
        except ExpressionError as error:
            self.errors.append(from_expression(path, error))
            return None


def _parents(
    name: str, conditions: Mapping[str, Node], bounds: Mapping[str, tuple[Node, Node]]
) -> tuple[str, ...]:
    nodes = [*([conditions[name]] if name in conditions else ()), *bounds.get(name, ())]
    return tuple(dict.fromkeys(found for node in nodes for found in names(node)))


def _order(
    parameters: Mapping[str, Parameter],
    conditions: Mapping[str, Node],
    bounds: Mapping[str, tuple[Node, Node]],
    errors: list[PlacedError],
) -> list[str]:
    """The parameters in order, parents first; a cycle is an error."""
    named = tuple(parameters)
    place = {name: i for i, name in enumerate(named)}
    sorter = TopologicalSorter({name: _parents(name, conditions, bounds) for name in named})
    try:
        sorter.prepare()
    except CycleError as error:
        cycle = error.args[1][:0:-1]  # each depends on the next one
        start = cycle.index(min(cycle, key=place.__getitem__))
        cycle = [*cycle[start:], *cycle[:start]]
        what = f"{cycle[0]} depends on itself" if len(cycle) == 1 else (
            f"the parameters depend on each other in a circle: {' → '.join([*cycle, cycle[0]])}"
        )  # fmt: skip
        errors.append(PlacedError((cycle[0], "when" if cycle[0] in conditions else "low"), what))
        return [*named]
    ready: list[int] = []
    order: list[str] = []
    while sorter.is_active():
        for name in sorter.get_ready():
            heapq.heappush(ready, place[name])
        order.append(named[heapq.heappop(ready)])
        sorter.done(order[-1])
    return order
