"""Writes a syntax tree as text with few brackets; parsing the text gives the same tree."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, replace
from typing import Any

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
from racing.space.expressions.parse import KEYWORDS

_OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(9)
_ARITHMETIC = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "//": _PRODUCT, "%": _PRODUCT}


def render(node: Node, names: Collection[str] | None = None) -> str:
    """The expression as text, in the syntax that `parse` reads.

    Parameters
    ----------
    node
        The tree.
    names
        The names of all parameters, if known: other categories are written without quotes if
        possible.
    """
    if names is not None:
        node = _unquoted(node, names)
    return _render(node)[0]


def _unquoted(node: Node, names: Collection[str]) -> Node:
    """The tree with its categories as bare words."""
    if isinstance(node, Text):
        return Name(node.value) if is_bare(node.value) and node.value not in names else node
    parts: dict[str, Any] = {}
    for each in fields(node):
        part = getattr(node, each.name)
        if isinstance(part, Node):
            parts[each.name] = _unquoted(part, names)
        elif isinstance(part, tuple):
            parts[each.name] = tuple(_unquoted(item, names) for item in part)
    return replace(node, **parts)


def _render(node: Node) -> tuple[str, int]:
    """The text and its precedence."""
    match node:
        case Negative(operand):
            # --2 and -2 are read as numbers, so a number gets brackets
            text, binding = _render(operand)
            bare = binding >= _SIGN and not isinstance(operand, Number)
            return f"-{text}" if bare else f"-({text})", _SIGN
        case Arithmetic():
            return _arithmetic(node)
        case Compare() | Member() | Not() | And() | Or():
            return _logical(node)
    text = _atom(node)
    return text, _SIGN if text.startswith("-") else _ATOM


def _atom(node: Node) -> str:
    match node:
        case Number(value):
            return number_text(value)
        case Text(value):
            return _quoted(value)
        case Truth(value):
            return str(value).lower()
        case Name(name):
            return _named(name)
        case Active(name):
            return f"active({_named(name)})"
        case Call(function, arguments):
            return f"{function}({_listed(arguments)})"
    raise TypeError(f"{node!r} is not an expression")


def _logical(node: Node) -> tuple[str, int]:
    match node:
        case Compare(operator, left, right):
            return f"{_in(left, _SUM)} {operator} {_in(right, _SUM)}", _COMPARE
        case Member(item, options):
            return f"{_in(item, _SUM)} in [{_listed(options)}]", _COMPARE
        case Not(Member(item, options)):
            return f"{_in(item, _SUM)} not in [{_listed(options)}]", _COMPARE
        case Not(operand):
            return f"not {_in(operand, _NOT)}", _NOT
        case And(operands):
            return " and ".join(_in(each, _NOT) for each in operands), _AND
        case Or(operands):
            return " or ".join(_in(each, _AND) for each in operands), _OR
    raise TypeError(f"{node!r} is not an expression")


def _arithmetic(node: Arithmetic) -> tuple[str, int]:
    if node.operator == "**":
        return f"{_in(node.left, _ATOM)} ** {_in(node.right, _SIGN)}", _POWER
    binding = _ARITHMETIC[node.operator]
    return f"{_in(node.left, binding)} {node.operator} {_in(node.right, binding + 1)}", binding


def _in(node: Node, least: int) -> str:
    text, binding = _render(node)
    return text if binding >= least else f"({text})"


def _listed(nodes: tuple[Node, ...]) -> str:
    return ", ".join(_render(node)[0] for node in nodes)


def _named(name: str) -> str:
    """A name, in backticks if it is not one word."""
    return name if is_bare(name.replace("-", "_")) else f"`{name}`"


def _quoted(value: str) -> str:
    quote = '"' if "'" in value else "'"
    return f"{quote}{value}{quote}"


def number_text(value: float) -> str:
    """A number as text; whole numbers without a decimal point."""
    if value == int(value) and abs(value) < 1e16 and str(value) != "-0.0":
        return str(int(value))
    return str(value)


def is_bare(value: str) -> bool:
    """Whether a category can be written without quotes."""
    return value.replace(".", "_").isidentifier() and value not in KEYWORDS
