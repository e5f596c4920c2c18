"""Writes a syntax tree as text with few brackets; parsing the text gives the same tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar

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

OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM = range(9)
_ARITHMETIC = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT, "%": PRODUCT}


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
    return _OURS.render(node)[0]


def _unquoted(node: Node, names: Collection[str]) -> Node:
    """The tree with its categories as bare words."""
    if isinstance(node, Text):
        return Name(node.value) if is_bare(node.value) and node.value not in names else node
    return node.mapped(lambda part: _unquoted(part, names))


class Writer:
    """Writes trees as a scenario has them; a subclass says what another program writes otherwise.

    Each method returns a text; those that return its precedence, too, are for whole expressions.
    """

    joined: ClassVar[Mapping[type[Node], str]] = {And: " and ", Or: " or "}
    negated = "not "

    def render(self, node: Node) -> tuple[str, int]:
        """The text and its precedence."""
        match node:
            case Negative(operand):
                # --2 and -2 are read as numbers, so a number gets brackets
                text, binding = self.render(operand)
                bare = binding >= SIGN and not isinstance(operand, Number)
                return f"-{text}" if bare else f"-({text})", SIGN
            case Arithmetic():
                return self.arithmetic(node)
            case Compare() | Member() | Not() | And() | Or():
                return self.logical(node)
        text = self.atom(node)
        return text, SIGN if text.startswith("-") else ATOM

    def atom(self, node: Node) -> str:
        """A name, a constant or a call."""
        match node:
            case Number(value):
                return number_text(value)
            case Text(value):
                quote = '"' if "'" in value else "'"
                return f"{quote}{value}{quote}"
            case Truth(value):
                return str(value).lower()
            case Name(name):
                return self.named(name)
            case Active(name):
                return f"active({self.named(name)})"
            case Call(function, arguments):
                return f"{function}({self.listed(arguments)})"
        raise TypeError(f"{node!r} is not an expression")

    def logical(self, node: Node) -> tuple[str, int]:
        """A condition with operators."""
        match node:
            case Compare(operator, left, right):
                return f"{self.within(left, SUM)} {operator} {self.within(right, SUM)}", COMPARE
            case Member(item, options):
                return f"{self.within(item, SUM)} in [{self.listed(options)}]", COMPARE
            case Not(Member(item, options)) if self.negated == "not ":
                return f"{self.within(item, SUM)} not in [{self.listed(options)}]", COMPARE
            case Not(operand):
                return f"{self.negated}{self.within(operand, NOT)}", NOT
            case And(operands) | Or(operands):
                binding = AND if isinstance(node, And) else OR
                parts = (self.within(each, binding + 1) for each in operands)
                return self.joined[type(node)].join(parts), binding
        raise TypeError(f"{node!r} is not an expression")

    def arithmetic(self, node: Arithmetic) -> tuple[str, int]:
        """A number with operators."""
        if node.operator == "**":
            return f"{self.within(node.left, ATOM)} ** {self.within(node.right, SIGN)}", POWER
        binding = _ARITHMETIC[node.operator]
        left, right = self.within(node.left, binding), self.within(node.right, binding + 1)
        return f"{left} {node.operator} {right}", binding

    def within(self, node: Node, least: int) -> str:
        """A part, in brackets if it is looser than that."""
        text, binding = self.render(node)
        return text if binding >= least else f"({text})"

    def listed(self, nodes: tuple[Node, ...]) -> str:
        """Parts with commas between them."""
        return ", ".join(self.render(node)[0] for node in nodes)

    def named(self, name: str) -> str:
        """A name, in backticks if it is not one word."""
        return name if is_bare(name.replace("-", "_")) else f"`{name}`"


_OURS = Writer()


def number_text(value: float) -> str:
    """A number as text; whole numbers without a decimal point."""
    if value == int(value) and abs(value) < 1e16 and str(value) != "-0.0":
        return str(int(value))
    return str(value)


def is_bare(value: str) -> bool:
    """Whether a category can be written without quotes."""
    return value.replace(".", "_").isidentifier() and value not in KEYWORDS
