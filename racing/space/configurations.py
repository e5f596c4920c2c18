"""Checks one configuration: missing, inactive, outside a domain or forbidden values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

import numpy as np

from racing.base.errors import did_you_mean, show
from racing.space.expressions import Node, names, render
from racing.space.listed import Levels
from racing.space.parameter import Parameter, Value, Values
from racing.space.values import identity

if TYPE_CHECKING:
    from racing.space.space import Space

_NO_DEFAULT = ", and the space has no default for it"


class Reading:
    """A configuration read parameter by parameter, parents first.

    Attributes
    ----------
    values
        The active parameters, in the space's order and types; complete without errors.
    errors
        (parameter, message); a forbidden clause is listed under its first parameter.
    is_forbidden
        Whether the only errors are forbidden clauses.
    """

    def __init__(
        self,
        space: Space,
        values: Mapping[str, object],
        *,
        lenient: bool = False,
        strict: bool = False,
    ) -> None:
        self.errors: list[tuple[str, str]] = []
        self.values: Values = {}
        self.is_forbidden = False
        self._space = space
        self._given = values
        self._lenient = lenient  # leave out inactive parameters without an error
        self._strict = strict  # do not fill in defaults
        self._columns: dict[str, float] = {}
        self._read()

    def _read(self) -> None:
        space = self._space
        found: dict[str, Value] = {}
        errors: dict[str, str] = {}
        with np.errstate(all="ignore"):
            for name in space.structure.order:
                value, error = self._parameter(name)
                self._columns[name] = _column(space[name], value)
                if value is not None:
                    found[name] = value
                if error:
                    errors[name] = error
        unknown = {
            n: f"unknown parameter{did_you_mean(n, space)}" for n in self._given if n not in space
        }
        places = [*self._given, *(name for name in space if name not in self._given)]
        wrong = {**errors, **unknown}
        self.errors += [(name, wrong[name]) for name in places if name in wrong]
        self.values = {name: found[name] for name in space if name in found}
        if not self.errors:
            self.errors += self._forbidden()
            self.is_forbidden = bool(self.errors)

    def _parameter(self, name: str) -> tuple[Value | None, str | None]:
        """The value of one parameter, None if it is inactive; or its error."""
        inactive = self._inactive(name)
        given = name in self._given
        if inactive:
            refused = given and not self._lenient
            return None, f"must be left out, as {inactive}" if refused else None
        parameter, note, empty = self._current(name)
        if empty:
            return None, f"no value is possible{note}"
        if not given and (parameter.default is None or self._strict):
            return None, f"missing{_NO_DEFAULT if parameter.default is None else ''}"
        value = self._given[name] if given else parameter.default
        admitted = parameter.admit(value)
        if admitted is None:
            what = "must be" if given else "the default must be"
            return None, f"{what} {parameter.allowed}{note}; got {show(value)}"
        return admitted, None

    def _inactive(self, name: str) -> str | None:
        """The reason why a parameter is inactive; None if it is active."""
        structure = self._space.structure
        tree = structure.conditions.get(name)
        if tree is not None and not bool(self._space.encoding.conditions[name](self._columns)):
            return f"{render(tree, self._space)} does not hold ({self._where(tree)})"
        for bound in structure.bounds.get(name, ()):
            for parent in names(bound):
                if math.isnan(self._columns[parent]):
                    return f"{parent} is inactive, and its domain depends on it"
        return None

    def _current(self, name: str) -> tuple[Parameter, str, bool]:
        """The parameter with its current bounds, a note on them, whether the domain is empty."""
        parameter = self._space[name]
        trees = self._space.structure.bounds.get(name)
        if trees is None:
            return parameter, "", False
        numeric = self._space.encoding.numeric(name)
        low, high = map(float, self._space.encoding.ends(name, self._columns))
        note = "".join(
            f" ({render(tree, self._space)}; {self._where(tree)})" for tree in trees if names(tree)
        )
        if not (math.isfinite(low) and math.isfinite(high)) or numeric.empty(low, high):
            return parameter, f" from {low:g} to {high:g}{note}", True
        return numeric.between(low, high), note, False

    def _forbidden(self) -> Iterator[tuple[str, str]]:
        clauses = zip(self._space.structure.forbidden, self._space.encoding.forbidden, strict=True)
        for clause, is_met in clauses:
            with np.errstate(all="ignore"):
                holds = bool(is_met(self._columns))
            if holds:
                first = next(iter(names(clause)), "")
                yield first, f"forbidden by {render(clause, self._space)} ({self._where(clause)})"

    def _where(self, tree: Node) -> str:
        """The values of the parameters that an expression names, in words."""
        parts = []
        for name in names(tree):
            column = self._columns[name]
            levels = self._space[name].levels
            value = column if levels is None or column != column else levels[int(column)]
            shown = "is inactive" if column != column else f"= {_plain(value)}"
            parts.append(f"{name} {shown}")
        return ", ".join(parts)


def key(space: Space, values: Mapping[str, Value]) -> tuple[object, ...]:
    """A key that is equal exactly for equal configurations; absence counts."""
    return tuple(identity(values[name]) if name in values else None for name in space)


def _column(parameter: Parameter, value: Value | None) -> float:
    if value is None:
        return math.nan
    if parameter.levels is None:
        return float(value)
    return float(cast(Levels, parameter).place(value) or 0)


def _plain(value: Value) -> str:
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)
