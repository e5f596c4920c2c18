"""Compiles a resolved tree into a vectorised function of columns.

A column holds the values of one parameter: numbers as such, other kinds as the index of the level;
NaN where the parameter is inactive. A column is an array of shape (n,) or a plain float.

Logic is three-valued, as R's and SQL's: a comparison with an inactive parameter, or with an
undefined number (0/0, log(-1)), is unknown. `holds` is where a condition is true; that of its `Not`
is where it is false; neither is where it is unknown. So a condition on an inactive parameter is not
met, and a forbidden clause on one forbids nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from racing.space.expressions.nodes import (
    FUNCTIONS,
    LOGICAL,
    OPPOSITE,
    SWAPPED,
    Active,
    And,
    Arithmetic,
    Call,
    Compare,
    Comparison,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
    Truth,
)  # fmt: skip
from racing.space.expressions.resolve import is_numeric

if TYPE_CHECKING:
    from racing.space.listed import Levels
    from racing.space.parameter import Parameter

Columns = Mapping[str, Any]
Compiled = Callable[[Columns], Any]

_ARITHMETIC = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "//": np.floor_divide,
    "%": np.remainder, "**": np.power,
}  # fmt: skip
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def holds(node: Node, parameters: Mapping[str, Parameter]) -> Compiled:
    """Where a condition is true: columns → booleans."""
    return _Compiler(parameters).truth(node, True)


def number(node: Node, parameters: Mapping[str, Parameter]) -> Compiled:
    """The value of a numeric expression: columns → float64, NaN where it is unknown."""
    return _Compiler(parameters).number(node)


class _Compiler:
    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        self._parameters = parameters

    def number(self, node: Node) -> Compiled:
        match node:
            case Number(value):
                return lambda columns: value
            case Name(name):
                return self._numeric(name)
            case Negative(operand):
                inner = self.number(operand)
                return lambda columns: -inner(columns)
            case Arithmetic(sign, left, right):
                apply, a, b = _ARITHMETIC[sign], self.number(left), self.number(right)
                return lambda columns: apply(a(columns), b(columns))
            case Call(function, arguments):
                compute = FUNCTIONS[function].compute
                parts = [self.number(each) for each in arguments]
                return lambda columns: compute(*(part(columns) for part in parts))
        raise TypeError(f"{node!r} is not a number")

    def truth(self, node: Node, wanted: bool) -> Compiled:
        """Where the condition is `wanted`."""
        match node:
            case Truth(value):
                return lambda columns: value is wanted
            case Not(operand):
                return self.truth(operand, not wanted)
            case And(operands):
                return self._joined(operands, wanted, every=wanted)
            case Or(operands):
                return self._joined(operands, wanted, every=not wanted)
            case Active(name):
                return _active(name, wanted)
            case Name(name):
                levels = self._parameters[name].levels or ()
                place = float([bool(level) for level in levels].index(wanted))
                return lambda columns: columns[name] == place
            case Member(item, options):
                return self._member(item, options, wanted)
            case Compare(sign, left, right):
                return self._compare(sign if wanted else OPPOSITE[sign], left, right)
        raise TypeError(f"{node!r} is not a condition")

    def _joined(self, operands: tuple[Node, ...], wanted: bool, *, every: bool) -> Compiled:
        parts = [self.truth(each, wanted) for each in operands]
        join = operator.and_ if every else operator.or_
        if len(parts) == 2:
            first, second = parts
            return lambda columns: join(first(columns), second(columns))
        return lambda columns: reduce(join, [part(columns) for part in parts])

    def _compare(self, sign: Comparison, left: Node, right: Node) -> Compiled:
        if self._is_category(left) or self._is_category(right):
            return self._compare_levels(sign, left, right)
        if isinstance(left, LOGICAL):
            return self._compare_conditions(sign, left, right)
        a, b, apply = self.number(left), self.number(right), _COMPARE[sign]
        if sign != "!=":
            return lambda columns: apply(a(columns), b(columns))

        def different(columns: Columns) -> Any:
            x, y = a(columns), b(columns)
            return (x != y) & (x == x) & (y == y)  # NaN differs from everything, itself too

        return different

    def _compare_levels(self, sign: Comparison, left: Node, right: Node) -> Compiled:
        if isinstance(left, Name) and isinstance(right, Name):
            return self._compare_parameters(sign, left, right)
        if not isinstance(left, Name):
            left, right = right, left
            sign = SWAPPED.get(sign, sign)
        assert isinstance(left, Name)
        name, place, apply = left.name, self._place(left.name, right), _COMPARE[sign]
        if sign != "!=":
            return lambda columns: apply(columns[name], place)
        return lambda columns: (columns[name] != place) & (columns[name] == columns[name])

    def _compare_parameters(self, sign: str, left: Name, right: Name) -> Compiled:
        """Two categories: the levels of the right in the numbering of the left."""
        places = [self._level(left.name, b) for b in self._parameters[right.name].levels or ()]
        numbering = [-1 if place is None else place for place in places]
        translate = _lookup(right.name, numbering)
        name, apply = left.name, _COMPARE[sign]

        def compare(columns: Columns) -> Any:
            x, y = columns[name], translate(columns)
            return apply(x, y) & (x == x) & (y == y)

        return compare

    def _compare_conditions(self, sign: str, left: Node, right: Node) -> Compiled:
        pairs = [(True, True), (False, False)] if sign == "==" else [(True, False), (False, True)]
        parts = [(self.truth(left, a), self.truth(right, b)) for a, b in pairs]

        def compare(columns: Columns) -> Any:
            (a, b), (c, d) = parts
            return (a(columns) & b(columns)) | (c(columns) & d(columns))

        return compare

    def _member(self, item: Node, options: tuple[Node, ...], wanted: bool) -> Compiled:
        sign: Comparison = "==" if wanted else "!="
        parts = [self._compare(sign, item, option) for option in options]
        join = operator.or_ if wanted else operator.and_
        return lambda columns: reduce(join, [part(columns) for part in parts])

    def _numeric(self, name: str) -> Compiled:
        levels = self._parameters[name].levels
        return (lambda columns: columns[name]) if levels is None else _lookup(name, levels)

    def _is_category(self, node: Node) -> bool:
        return isinstance(node, Name) and not is_numeric(self._parameters[node.name])

    def _place(self, name: str, constant: Node) -> float:
        assert isinstance(constant, Number | Text | Truth)
        place = self._level(name, constant.value)
        assert place is not None  # the resolver has checked this
        return float(place)

    def _level(self, name: str, value: object) -> int | None:
        return cast("Levels", self._parameters[name]).place(value)


def _active(name: str, wanted: bool) -> Compiled:
    if wanted:
        return lambda columns: columns[name] == columns[name]
    return lambda columns: columns[name] != columns[name]


def _lookup(name: str, values: Sequence[Any]) -> Compiled:
    """Index of a level → a number; NaN stays NaN."""
    table = np.array([*values, np.nan], dtype=float)
    last = len(values)

    def look(columns: Columns) -> Any:
        column = columns[name]
        return table[np.where(column == column, column, last).astype(np.intp)]

    return look
