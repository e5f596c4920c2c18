"""The syntax tree of an expression, which any front end can build, and its functions.

Node
├── Number, Text, Truth          constants
├── Name                         a parameter; where none has the name, a category
├── Negative, Arithmetic, Call   numbers from numbers
├── Compare, Member, Active      true, false or unknown
└── Not, And, Or                 three-valued logic

Equality ignores `at`, the place of a node in its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import reduce
from typing import Any, Literal, Self

import numpy as np

ArithmeticOperator = Literal["+", "-", "*", "/", "//", "%", "**"]
Comparison = Literal["==", "!=", "<", "<=", ">", ">="]
OPPOSITE: Mapping[Comparison, Comparison] = {
    "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
"""The comparison that holds where another one fails."""
SWAPPED: Mapping[Comparison, Comparison] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""The comparison with its sides exchanged, where it is another one."""


@dataclass(frozen=True)
class Node:
    """The base of all nodes.

    Attributes
    ----------
    at
        Its place: characters from the start of the text, from 0.
    """

    at: int = field(default=0, compare=False, kw_only=True, repr=False)

    def children(self) -> Iterator[Node]:
        """The nodes directly below, from left to right."""
        for each in fields(self):
            part = getattr(self, each.name)
            if isinstance(part, Node):
                yield part
            elif isinstance(part, tuple):
                yield from (item for item in part if isinstance(item, Node))

    def mapped(self, part: Callable[[Node], Node]) -> Self:
        """This node, with what a function makes of each node directly below in its place."""
        parts: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Node):
                parts[each.name] = part(value)
            elif isinstance(value, tuple):
                parts[each.name] = tuple(map(part, value))
        return replace(self, **parts)

    def walk(self) -> Iterator[Node]:
        """This node and all nodes below it."""
        yield self
        for child in self.children():
            yield from child.walk()


@dataclass(frozen=True)
class Number(Node):
    """A finite number."""

    value: float


@dataclass(frozen=True)
class Text(Node):
    """A category, as text."""

    value: str


@dataclass(frozen=True)
class Truth(Node):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True)
class Name(Node):
    """The value of a parameter. The name of no parameter is a category without quotes."""

    name: str


@dataclass(frozen=True)
class Negative(Node):
    """−operand."""

    operand: Node


@dataclass(frozen=True)
class Arithmetic(Node):
    """left operator right."""

    operator: ArithmeticOperator
    left: Node
    right: Node


@dataclass(frozen=True)
class Call(Node):
    """A function of numbers; `racing.space.expressions.FUNCTIONS` has their names."""

    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Compare(Node):
    """left operator right. A chain `a < b < c` is the `And` of its parts."""

    operator: Comparison
    left: Node
    right: Node


@dataclass(frozen=True)
class Member(Node):
    """Whether the item equals one of the options; `not in` is the `Not` of this."""

    item: Node
    options: tuple[Node, ...]


@dataclass(frozen=True)
class Active(Node):
    """Whether a parameter is active: never unknown."""

    name: str


@dataclass(frozen=True)
class Not(Node):
    """The opposite; unknown stays unknown."""

    operand: Node


@dataclass(frozen=True)
class And(Node):
    """All of them; false as soon as one is false, even if others are unknown."""

    operands: tuple[Node, ...]


@dataclass(frozen=True)
class Or(Node):
    """Any of them; true as soon as one is true, even if others are unknown."""

    operands: tuple[Node, ...]


LOGICAL = (Truth, Compare, Member, Active, Not, And, Or)


def names(node: Node) -> tuple[str, ...]:
    """All names, once each, from left to right."""
    found = (each.name for each in node.walk() if isinstance(each, Name | Active))
    return tuple(dict.fromkeys(found))


def constant(value: float | str | bool, at: int = 0) -> Number | Text | Truth:
    """The node of a constant."""
    if isinstance(value, bool):
        return Truth(value, at=at)
    return Text(value, at=at) if isinstance(value, str) else Number(float(value), at=at)


@dataclass(frozen=True)
class Function:
    """A function of numbers.

    Attributes
    ----------
    compute
        The function of numbers or arrays; float64.
    least, most
        The number of arguments; `most` is None without a limit.
    rising
        Whether it is non-decreasing in each argument.
    """

    compute: Callable[..., Any]
    least: int = 1
    most: int | None = 1
    rising: bool = True

    def error(self, count: int) -> str | None:
        """The error for this number of arguments, if any."""
        if count >= self.least and (self.most is None or count <= self.most):
            return None
        some = "argument" if self.least == 1 else "arguments"
        return f"must have {'at least ' if self.most is None else ''}{self.least} {some}"


FUNCTIONS: Mapping[str, Function] = {
    "min": Function(lambda *xs: reduce(np.minimum, xs), least=2, most=None),
    "max": Function(lambda *xs: reduce(np.maximum, xs), least=2, most=None),
    "abs": Function(np.abs, rising=False),
    "round": Function(np.rint),  # ties to even, as in Python and R
    "floor": Function(np.floor),
    "ceil": Function(np.ceil),
    "trunc": Function(np.trunc),
    "sqrt": Function(np.sqrt),
    "exp": Function(np.exp),
    "log": Function(np.log),
    "log2": Function(np.log2),
    "log10": Function(np.log10),
}
