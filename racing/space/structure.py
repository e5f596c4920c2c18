"""How the parameters of a space hang together: expressions looked up, order of dependency."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from racing.errors import ExpressionError, show
from racing.space.errors import PlacedError, from_expression
from racing.space.expressions import Node, condition, names, parse, quantity, render
from racing.space.expressions import Number as NumberNode
from racing.space.parameter import Clause, Parameter, is_clause, is_number


@dataclass(frozen=True)
class Structure:
    """The resolved expressions of a space.

    Attributes
    ----------
    order
        The parameters such that each comes after all that its condition and its bounds name.
    conditions
        Parameter → when it is active; the others always are.
    bounds
        Parameter → lower and upper bound, where one of them is an expression.
    forbidden
        The clauses of which none may hold.
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
        """The parameters that conditions and bounds name."""
        return frozenset(parent for found in self.parents.values() for parent in found)

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
    """The structure of a space, and everything that is wrong with its expressions."""
    reader = _Reader(parameters)
    conditions, bounds = dict[str, Node](), dict[str, tuple[Node, Node]]()
    for name, parameter in parameters.items():
        if parameter.when is not None and (
            found := reader.condition((name, "when"), parameter.when)
        ):
            conditions[name] = found
        if pair := reader.bounds(name, parameter):
            bounds[name] = pair
    clauses = [reader.condition(("forbidden", i), clause) for i, clause in enumerate(forbidden)]
    order = _order(parameters, conditions, bounds, reader.errors)
    kept = tuple(clause for clause in clauses if clause is not None)
    return Structure(tuple(order), conditions, bounds, kept), reader.errors


class _Reader:
    """Turns clauses into resolved trees, and collects errors."""

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
            message = f"must be an expression such as 'a > b', not {show(clause)}"
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
    """Parents first, else as given; a cycle becomes a error."""
    parents = {name: _parents(name, conditions, bounds) for name in parameters}
    order: list[str] = []
    left = list(parameters)
    while left:
        ready = next((name for name in left if all(p in order for p in parents[name])), None)
        if ready is None:
            cycle = _cycle(left, parents)
            what = "depends on itself" if len(cycle) == 1 else (
                f"the parameters depend on each other in a circle: {' → '.join([*cycle, cycle[0]])}"
            )  # fmt: skip
            key = "when" if cycle[0] in conditions else "low"
            errors.append(PlacedError((cycle[0], key), what))
            return [*order, *left]
        order.append(ready)
        left.remove(ready)
    return order


def _cycle(left: list[str], parents: Mapping[str, tuple[str, ...]]) -> list[str]:
    path = [left[0]]
    while True:
        before = next(parent for parent in parents[path[-1]] if parent in left)
        if before in path:
            return path[path.index(before) :]
        path.append(before)
