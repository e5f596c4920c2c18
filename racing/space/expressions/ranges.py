"""Bounds the values of expressions by interval arithmetic.

A domain of a number is (least, largest). The result contains every value of the expression; it may
be wider, because parameters are treated as independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from racing.space.expressions.nodes import (
    FUNCTIONS,
    And,
    Arithmetic,
    Call,
    Compare,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Truth,
)  # fmt: skip

Range = tuple[float, float]
_ALL: Range = (-math.inf, math.inf)


@dataclass(frozen=True)
class Possible:
    """Whether a condition can be true, and whether it can be false where all it names is active."""

    true: bool = True
    other: bool = True


def possible(node: Node, domains: Mapping[str, Range]) -> Possible:
    """The possible values of a condition; parameters not in `domains` are unbounded."""
    match node:
        case Truth(value):
            return Possible(value, not value)
        case Not(operand):
            inner = possible(operand, domains)
            return Possible(inner.other, inner.true)
        case And(operands):
            parts = [possible(each, domains) for each in operands]
            return Possible(all(p.true for p in parts), any(p.other for p in parts))
        case Or(operands):
            parts = [possible(each, domains) for each in operands]
            return Possible(any(p.true for p in parts), all(p.other for p in parts))
        case Compare(operator, left, right):
            return _compare(operator, numbers(left, domains), numbers(right, domains))
    return Possible()


def numbers(node: Node, domains: Mapping[str, Range]) -> Range:
    """The least and the largest value that a numeric expression can have."""
    match node:
        case Number(value):
            return value, value
        case Name(name):
            return domains.get(name, _ALL)
        case Negative(operand):
            low, high = numbers(operand, domains)
            return -high, -low
        case Arithmetic(operator, left, right):
            return _ARITHMETIC[operator](numbers(left, domains), numbers(right, domains))
        case Call(function, arguments):
            return _call(function, [numbers(each, domains) for each in arguments])
    return _ALL


def _compare(operator: str, a: Range, b: Range) -> Possible:
    match operator:
        case "<":
            return Possible(a[0] < b[1], not a[1] < b[0])
        case "<=":
            return Possible(a[0] <= b[1], not a[1] <= b[0])
        case ">" | ">=":
            return _compare({">": "<", ">=": "<="}[operator], b, a)
    equal = not (a[0] > b[1] or b[0] > a[1])
    other = not a[0] == a[1] == b[0] == b[1]
    return Possible(equal, other) if operator == "==" else Possible(other, equal)


def _corners(compute: Callable[..., float], ranges: list[Range]) -> Range:
    """The hull of the values at the corners, for functions monotone in each argument."""
    with np.errstate(all="ignore"):
        found = [float(compute(*corner)) for corner in product(*ranges)]
    return _ALL if any(math.isnan(x) for x in found) else (min(found), max(found))


def _call(function: str, ranges: list[Range]) -> Range:
    if function == "abs":
        low, high = ranges[0]
        least = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        return least, max(abs(low), abs(high))
    if function in ("min", "max"):
        pick = min if function == "min" else max
        return pick(low for low, _ in ranges), pick(high for _, high in ranges)
    low, high = ranges[0]
    if function in ("sqrt", "log", "log2", "log10") and low <= 0:
        return _ALL  # below 0 it is unknown
    return _corners(FUNCTIONS[function].compute, [(low, high)])


def _divided(a: Range, b: Range) -> Range:
    return _ALL if b[0] <= 0 <= b[1] else _corners(np.divide, [a, b])


def _floored(a: Range, b: Range) -> Range:
    low, high = _divided(a, b)
    return float(np.floor(low)), float(np.floor(high))


def _remainder(a: Range, b: Range) -> Range:
    if b[0] <= 0 <= b[1]:
        return _ALL
    return (0.0, b[1]) if b[0] > 0 else (b[0], 0.0)


def _power(a: Range, b: Range) -> Range:
    return _corners(np.power, [a, b]) if a[0] > 0 else _ALL


_ARITHMETIC: Mapping[str, Callable[[Range, Range], Range]] = {
    "+": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "-": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "*": lambda a, b: _corners(np.multiply, [a, b]),
    "/": _divided,
    "//": _floored,
    "%": _remainder,
    "**": _power,
}
