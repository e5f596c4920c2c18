"""Looks up names and checks types, before a tree is evaluated.

A value is a number, true or false, or a category. A parameter is
- a number: real, integer, or ordinal with numbers only;
- true or false: boolean or flag (and, for `==` and `in`, a category);
- a category: all others. They allow `==`, `!=` and `in`; ordinal ones also `<` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from racing.base.errors import ExpressionError, did_you_mean, show
from racing.space.expressions.nodes import (
    Active,
    And,
    Arithmetic,
    Call,
    Compare,
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
from racing.space.values import Value, is_number

if TYPE_CHECKING:
    from racing.space.parameter import Parameter

Kind = Literal["number", "logical", "category", "word"]


@dataclass(frozen=True)
class Typed:
    """A resolved node with its type; and the parameter, if it is one with levels."""

    node: Node
    kind: Kind
    parameter: Parameter | None = None

    @property
    def levels(self) -> tuple[Value, ...]:
        """The levels of the parameter."""
        return self.parameter.levels or () if self.parameter else ()

    @property
    def ordered(self) -> bool:
        """Whether it is a parameter with ordered levels."""
        return self.parameter is not None and self.parameter.ordered

    def has(self, value: object) -> bool:
        """Whether a value is one of the levels."""
        return self.parameter is not None and self.parameter.admit(value) is not None


def condition(node: Node, parameters: Mapping[str, Parameter], text: str = "") -> Node:
    """The tree of a condition or forbidden clause, with every name resolved.

    Raises
    ------
    ExpressionError
        For an unknown name or category, for types that do not fit, or if it is a number.
    """
    return _Resolver(parameters, text).logical(node)


def quantity(node: Node, parameters: Mapping[str, Parameter], text: str = "") -> Node:
    """The tree of a numeric expression, with every name resolved.

    Raises
    ------
    ExpressionError
        As `condition`, or if it is not a number.
    """
    return _Resolver(parameters, text).number(node)


def is_numeric(parameter: Parameter) -> bool:
    """Whether an expression can use the parameter as a number."""
    levels = parameter.levels
    return levels is None or (parameter.ordered and all(is_number(level) for level in levels))


class _Resolver:
    def __init__(self, parameters: Mapping[str, Parameter], text: str) -> None:
        self._parameters = parameters
        self._text = text

    def logical(self, node: Node) -> Node:
        """The resolved node; an error if it is not true or false."""
        typed = self._typed(node)
        if typed.kind == "word":
            raise self._unknown(node)
        if typed.kind != "logical":
            what = "a number" if typed.kind == "number" else "a category"
            raise self._error(node, f"this must be a condition; got {what}; compare it")
        return typed.node

    def number(self, node: Node) -> Node:
        """The resolved node; an error if it is not a number."""
        typed = self._typed(node)
        if typed.kind == "word":
            raise self._unknown(node)
        if typed.kind != "number":
            what = "a condition" if typed.kind == "logical" else "a category"
            this = node.name if isinstance(node, Name) else "this"
            raise self._error(node, f"{this} must be a number; got {what}")
        return typed.node

    def _typed(self, node: Node) -> Typed:
        match node:
            case Number():
                return Typed(node, "number")
            case Text():
                return Typed(node, "word")
            case Name(name):
                return self._name(node, name)
            case Negative(operand):
                return Typed(Negative(self.number(operand), at=node.at), "number")
            case Arithmetic(operator, left, right):
                whole = Arithmetic(operator, self.number(left), self.number(right), at=node.at)
                return Typed(whole, "number")
            case Call(function, arguments):
                parts = tuple(self.number(each) for each in arguments)
                return Typed(Call(function, parts, at=node.at), "number")
            case _:
                return Typed(self._condition(node), "logical")

    def _condition(self, node: Node) -> Node:
        match node:
            case Truth():
                return node
            case Active(name):
                if name not in self._parameters:
                    raise self._unknown(node)
                return node
            case Not(operand):
                return Not(self.logical(operand), at=node.at)
            case And(operands) | Or(operands):
                return replace(node, operands=tuple(self.logical(each) for each in operands))
            case Compare(operator, left, right):
                return self._compare(node, operator, self._typed(left), self._typed(right))
            case Member(item, options):
                return self._member(node, self._typed(item), options)
        raise TypeError(f"{node!r} is not an expression")

    def _name(self, node: Node, name: str) -> Typed:
        parameter = self._parameters.get(name)
        if parameter is None:
            return Typed(Text(name, at=node.at), "word")
        if is_numeric(parameter):
            return Typed(node, "number")
        levels = tuple(parameter.levels or ())
        logical = all(isinstance(level, bool) for level in levels)
        return Typed(node, "logical" if logical else "category", parameter)

    def _compare(self, node: Node, operator: Any, left: Typed, right: Typed) -> Compare:
        for one, other, side in ((left, right, node.left), (right, left, node.right)):  # type: ignore[attr-defined]
            self._fits(one, other, side)
        if operator in ("==", "!="):
            if left.levels and right.levels:
                self._shares(node, left, right)
        elif not all(_has_order(each) for each in (left, right)):
            raise self._error(node, f"categories have no order for {operator}; use == or in")
        elif left.levels and right.levels and left.levels != right.levels:
            raise self._error(node, f"two different scales cannot be compared by {operator}")
        return Compare(operator, left.node, right.node, at=node.at)

    def _member(self, node: Node, item: Typed, options: tuple[Node, ...]) -> Member:
        typed = [self._typed(option) for option in options]
        if item.kind == "word":
            raise self._unknown(item.node)
        for option, written in zip(typed, options, strict=True):
            self._fits(option, item, written)
            self._fits(item, option, item.node)
            if item.levels and option.levels:
                self._shares(written, item, option)
        return Member(item.node, tuple(option.node for option in typed), at=node.at)

    def _fits(self, one: Typed, other: Typed, side: Node) -> None:
        """Refuse `one` if it cannot be compared with `other`."""
        if isinstance(side, Name) and self._is_taken(side.name, one, other):
            reason = f"{side.name} is a parameter here; quote it to mean the category"
            raise self._error(side, reason)
        if other.levels:
            if not one.levels:
                self._is_level(one, other)
        elif one.kind == "word":
            raise self._unknown(side)
        elif one.levels and other.kind == "number" and not isinstance(other.node, Number):
            raise self._error(side, "a category cannot be compared with a number")
        elif not one.levels and one.kind != other.kind and other.kind != "word":
            raise self._error(side, "a condition cannot be compared with a number")

    def _is_taken(self, name: str, one: Typed, other: Typed) -> bool:
        """Whether a parameter has the same name as a compared category."""
        if name not in self._parameters or not other.has(name):
            return False
        return not any(other.has(level) for level in one.levels)

    def _is_level(self, one: Typed, other: Typed) -> None:
        name = other.node.name if isinstance(other.node, Name) else "it"
        if not isinstance(one.node, Number | Text | Truth):
            what = "a number" if one.kind == "number" else "a condition"
            raise self._error(one.node, f"{name} is a category and cannot be compared with {what}")
        value = one.node.value
        if not other.has(value):
            raise self._error(one.node, _no_level(value, name, other.levels))

    def _shares(self, node: Node, left: Typed, right: Typed) -> None:
        if not any(right.has(level) for level in left.levels):
            raise self._error(node, "the two categories have no value in common")

    def _unknown(self, node: Node) -> ExpressionError:
        word = node.value if isinstance(node, Text) else getattr(node, "name", "")
        if isinstance(node, Text) and not self._bare(node):
            hint = f"; for the parameter, write `{word}`" if word in self._parameters else ""
            return self._error(
                node, f"the text {show(word)} must be compared with a category{hint}"
            )
        levels = [
            str(level)
            for parameter in self._parameters.values()
            for level in parameter.levels or ()
            if isinstance(level, str)
        ]
        hint = did_you_mean(str(word), [*self._parameters, *levels])
        if "did you mean" not in hint:
            hint = did_you_mean(str(word), self._parameters)
        return self._error(node, f"unknown name {word!r}{hint}")

    def _bare(self, node: Text) -> bool:
        return not self._text or self._text[node.at : node.at + 1] not in ("'", '"')

    def _error(self, node: Node, reason: str) -> ExpressionError:
        return ExpressionError(reason, text=self._text, offset=node.at)


def _has_order(typed: Typed) -> bool:
    return (
        typed.ordered if typed.levels else typed.kind != "logical" or isinstance(typed.node, Truth)
    )


def _no_level(value: object, name: str, levels: tuple[Value, ...]) -> str:
    for level in levels:
        if str(level) == str(value) or (
            is_number(value) and isinstance(level, str) and level == f"{value:g}"
        ):
            quoted = f"'{level}'" if isinstance(level, str) else show(level)
            return f"{show(value)} is not a value of {name}; write {quoted}"
    if is_number(value) and not any(is_number(level) for level in levels):
        return f"{name} is a category and cannot be compared with a number"
    return f"{show(value)} is not a value of {name}{did_you_mean(str(value), map(str, levels))}"
