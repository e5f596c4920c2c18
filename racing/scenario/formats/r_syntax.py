"""Parses R's expressions, as far as irace's files use them.

As in R, an operator is the call of a function: `a & b` is `Call("&", (a, b))`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

from racing.base.errors import FormatError
from racing.scenario.formats.places import Place

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

LONGEST = 10_000  # characters of one expression
DEEPEST = 60  # nested calls; bounds the recursion of all functions on the tree


@dataclass(frozen=True)
class Constant:
    """A number, a text, or TRUE and FALSE; None for NULL and NA."""

    value: float | int | str | bool | None
    written: str = field(default="", compare=False)
    at: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Symbol:
    """A name."""

    name: str
    at: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Call:
    """A function or an operator with its arguments; `names` has '' where one is not named."""

    function: str
    arguments: tuple[Expression, ...]
    names: tuple[str, ...] = ()
    at: int = field(default=0, compare=False)


Expression: TypeAlias = Constant | Symbol | Call

_CONSTANTS: dict[str, bool | float | None] = {
    "TRUE": True, "FALSE": False, "T": True, "F": False, "NULL": None, "NA": None,
    "Inf": float("inf"),
}  # fmt: skip


RESERVED = frozenset(_CONSTANTS) | {
    "NaN", "if", "else", "repeat", "while", "function", "for", "next", "break", "in",
}  # fmt: skip
"""Words that are no names in R, except in backticks."""


def parse(text: str, place: Place) -> Expression:
    """The tree of an R expression.

    Parameters
    ----------
    text
        The expression, without comments.
    place
        Where it begins.

    Raises
    ------
    FormatError
        At the first word that cannot stand there.
    """
    from lark.exceptions import UnexpectedInput

    if not text.strip():
        raise place.error("an expression is missing")
    if len(text) > LONGEST:
        raise place.error(f"the expression is longer than {LONGEST} characters")
    try:
        tree = _grammar().parse(text)
    except UnexpectedInput as error:
        raise _unexpected(text, place, error) from None
    return _Builder(text, place).build(tree, 0)


@cache
def _grammar() -> Lark:
    from lark import Lark

    source = files("racing.scenario.formats").joinpath("r.lark").read_text(encoding="utf-8")
    return Lark(source, parser="lalr", propagate_positions=True, maybe_placeholders=False)


def _unexpected(text: str, place: Place, error: Any) -> FormatError:
    at = error.pos_in_stream
    ended = getattr(getattr(error, "token", None), "type", "") == "$END"
    if ended or at is None or at < 0 or at >= len(text.rstrip()):
        return place.after(text.rstrip()).error("the expression ends too early")
    rest = text[at:].split(maxsplit=1)[0][:20]
    hint = ""
    if text.startswith("=", at):
        hint = "; equality is written =="
    elif text.startswith("<-", at):
        hint = "; a comparison with a negative number needs a space: < -1"
    return place.after(text[:at]).error(f"unexpected {rest!r} in an R expression{hint}")


class _Builder:
    """Converts Lark's tree to ours."""

    def __init__(self, text: str, place: Place) -> None:
        self._text, self._place = text, place

    def build(self, tree: Tree[Token], depth: int) -> Expression:
        if depth > DEEPEST:
            raise self._place.error(f"the expression is nested more than {DEEPEST} deep")
        at = tree.meta.start_pos
        parts: list[Any] = tree.children
        match tree.data:
            case "number":
                return Constant(_number(parts[0]), str(parts[0]), at)
            case "text":
                return Constant(_string(parts[0]), str(parts[0]), at)
            case "name":
                return self._name(parts[0], at)
            case "unary":
                return Call(str(parts[0]), (self.build(parts[1], depth + 1),), at=at)
            case "binary":
                sides = self.build(parts[0], depth + 1), self.build(parts[2], depth + 1)
                return Call(str(parts[1]), sides, at=parts[1].start_pos)
            case "call":
                return self._call(parts, at, depth)
        raise self._place.after(self._text[:at]).error("a named value is outside a call")

    def _name(self, token: Token, at: int) -> Expression:
        word = token.strip("`")
        if word in _CONSTANTS and not token.startswith("`"):
            return Constant(_CONSTANTS[word], word, at)
        return Symbol(word, at)

    def _call(self, parts: list[Any], at: int, depth: int) -> Call:
        names, arguments = [], []
        for part in parts[1:]:
            named = part.data == "named"
            names.append(str(part.children[0]) if named else "")
            arguments.append(self.build(part.children[1] if named else part, depth + 1))
        return Call(str(parts[0]), tuple(arguments), tuple(names), at)


def _number(token: str) -> float | int:
    text = token.removesuffix("L")
    if text[:2].lower() == "0x":
        return int(text, 16)
    return int(text) if text.isdigit() and len(text) < 19 else float(text)


def _string(token: str) -> str:
    try:
        return str(ast.literal_eval(token))
    except (SyntaxError, ValueError):  # an escape of R that Python lacks
        return token[1:-1]


def walk(expression: Expression) -> Iterator[Expression]:
    """This node and all nodes below it."""
    yield expression
    if isinstance(expression, Call):
        for argument in expression.arguments:
            yield from walk(argument)
