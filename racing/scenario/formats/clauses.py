"""Conditions, forbidden clauses and bounds as irace (in R) and AClib write them.

They are dialects of the expressions of a space. What compares a category is then fitted to its
values: R compares a category with a number as text, so `localsearch %in% c(1, 2)` holds for the
value "1". Here the constant becomes the value with this text, or equal to this number.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import ClassVar, TypeAlias

from racing.base.errors import ExpressionError, did_you_mean, must_be
from racing.scenario.files import Place
from racing.space.expressions import (
    SWAPPED,
    Active,
    And,
    Arithmetic,
    Call,
    Compare,
    Dialect,
    Member,
    Name,
    Node,
    Number,
    Or,
    Text,
    Truth,
    Writer,
    constant,
    number_text,
    parse,
)  # fmt: skip
from racing.space.expressions.render import ATOM, COMPARE, NOT, PRODUCT
from racing.space.parameter import Value

_R_WORD = r"(?:[A-Za-z]|\.(?![0-9]))[A-Za-z0-9._]*"
_CONSTANTS = {"TRUE": "true", "FALSE": "false", "T": "true", "F": "false"}
RESERVED = frozenset(_CONSTANTS) | {
    "NULL", "NA", "NaN", "Inf", "if", "else", "repeat", "while", "function", "for", "next", "break",
    "in",
}  # fmt: skip
"""Words that are no names in R, except in backticks."""


def _unquoted(text: str) -> str:
    try:
        return str(ast.literal_eval(text))
    except (SyntaxError, ValueError):  # an escape of R that Python lacks
        return text[1:-1]


_SAME = ("==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "(", ")", ",")
R = Dialect(
    word=rf"(c)\s*\(|(?:{'|'.join(_CONSTANTS)})(?![\w.])|{_R_WORD}(?=\s*\()",
    name=rf"`([^`\n]+)`|(?!Inf(?![\w.])){_R_WORD}",
    number=r"(?:0[xX][0-9a-fA-F]+|Inf|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)L?",
    text=r""""(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'""",
    signs={
        **{sign: sign for sign in _SAME}, "&": "and", "&&": "and", "|": "or", "||": "or",
        "!": "not", "%in%": "in", "%%": "%", "%/%": "//", "^": "**", "**": "**",
    },
    words={**_CONSTANTS, "ceiling": "ceil", "is.na": "not active", "c": "["},
    refused={"=": "==", "<-": "< -"},
    lists={"[": ")"},
    listed='c("a", "b")',
    tight=("//", "%"),
    strict=True,
    unquoted=_unquoted,
)  # fmt: skip
"""R's expressions, as far as irace's files use them; see R's manual, ?Syntax."""

PCS_WORD = r"[^\s{}\[\]|,=<>!&]+"
PCS = Dialect(
    word=r"in(?=\s*\{)|,(?![^{}]*\})",
    name=rf"{PCS_WORD}(?=\s*(?:[=<>]|!=|in\s*\{{))",
    number=r"(?!)",
    text=PCS_WORD,
    signs={
        **{sign: sign for sign in ("==", "!=", "<", ">", ",")}, "=": "==", "&&": "and", "||": "or",
        "{": "[", "}": "}",
    },
    words={",": "and"},
    refused={},
    lists={"[": "}"},
    listed="{a, b}",
    strict=True,
    unquoted=str,
)  # fmt: skip
"""Comparisons joined by && and ||, of which && binds tighter; a comma is && in the old syntax."""


Constant: TypeAlias = Number | Text | Truth


@dataclass(frozen=True)
class Alternatives:
    """The values of one parameter, in their order."""

    values: tuple[Value, ...]

    @cached_property
    def _found(self) -> dict[str | float, Value]:
        """Text or number → the first value that has it."""
        found: dict[str | float, Value] = {}
        for value in self.values:
            found.setdefault(str(value), value)
        for value in self.values:
            if (number := _number(value)) is not None:
                found.setdefault(number, value)
        return found

    def of(self, node: Constant) -> Value | None:
        """The first value with the text of a constant, or else with its number."""
        text = _text(node)
        if text in self._found:
            return self._found[text]
        number = _number(text)
        return None if number is None else self._found.get(number)


Levels = Mapping[str, Alternatives | None]
"""Parameter → its values; None for a numeric parameter."""


def levels_of(texts: Sequence[str]) -> tuple[Value, ...]:
    """Listed values: numbers if Python writes all of them so, else text."""
    values = [_value(text) for text in texts]
    numbers = [value for value in values if not isinstance(value, str)]
    if len(numbers) < len(values) or len(set(numbers)) < len(numbers):
        return tuple(texts)  # 1 and 1.0 differ only as text
    return tuple(numbers)


def _value(text: str) -> Value:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    for kind in (int, float):
        if number.is_finite() and abs(number) < 10**15 and str(kind(number)) == text:
            return kind(number)
    return text


def _text(node: Constant) -> str:
    """A constant as R writes it."""
    if isinstance(node, Number):
        return number_text(node.value)
    return node.value if isinstance(node, Text) else str(node.value).upper()


def _number(value: Value) -> float | None:
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def clause(text: str, place: Place, levels: Levels, dialect: Dialect = R) -> Node:
    """A condition, a forbidden clause or a bound; the space checks its types.

    Raises
    ------
    FormatError
        With its place, if it cannot be read, names no parameter, or compares one with a value that
        it never has.
    """
    try:
        return _Fitted(levels, as_r=dialect is R).node(parse(text, dialect=dialect))
    except ExpressionError as error:
        raise place.after(text[: error.offset]).error(error.reason) from None


class _Fitted:
    """Fits constants to the parameters that they are compared with."""

    def __init__(self, levels: Levels, *, as_r: bool) -> None:
        self._levels, self._as_r = levels, as_r

    def node(self, node: Node) -> Node:
        match node:
            case Name(name) | Active(name) if name not in self._levels:
                hint = did_you_mean(name, self._levels)
                raise _error(node, f"there is no parameter {name!r}{hint}")
            case Compare(sign, Number() | Text() | Truth() as left, Name() as right):
                return self.node(Compare(SWAPPED.get(sign, sign), right, left, at=node.at))
            case Compare(sign, Name() as left, Number() | Text() | Truth() as right):
                self.node(left)
                return self._compare(node, left, right)
            case Member(Name() as item, options):
                self.node(item)
                return self._member(node, item, options)
        return node.mapped(self.node)

    def _compare(self, node: Compare, item: Name, written: Constant) -> Node:
        fitted, sign = self._constant(item, written), node.operator
        if fitted is None and sign == "!=":  # R: true wherever the parameter is active
            return Active(item.name, at=node.at)
        if fitted is None and sign == "==" and (never := self._never(node, item)):
            return never
        if fitted is None and (sign == "==" or not isinstance(written, Number)):
            raise self._no_level(item, written)
        return Compare(sign, item, fitted or written, at=node.at)

    def _member(self, node: Member, item: Name, options: tuple[Node, ...]) -> Node:
        written = [each for each in options if isinstance(each, Number | Text | Truth)]
        if len(written) < len(options):
            raise _error(options[0], "a list must have constants only")
        found = [self._constant(item, each) for each in written]
        # values that the parameter does not have are left out, as in R
        if known := tuple(each for each in found if each is not None):
            return Member(item, known, at=node.at)
        if never := self._never(node, item):
            return never
        raise self._no_level(item, written[0])

    def _constant(self, item: Name, written: Constant) -> Constant | None:
        """A constant as the parameter has it; None if it never has."""
        choices = self._levels[item.name]
        if choices is not None:
            level = choices.of(written)
            if level is None and not self._as_r:
                raise self._no_level(item, written)
            return None if level is None else constant(level, written.at)
        if not isinstance(written, Text):
            return written
        number = _number(written.value)
        if number is None or not math.isfinite(number):
            raise _error(written, must_be(item.name, "a finite number", written.value))
        return Number(number, at=written.at)

    def _never(self, node: Node, item: Name) -> Node | None:
        """A comparison of a fixed parameter with another value: false where it is active."""
        fixed = self._levels[item.name]
        if fixed is None or len(fixed.values) > 1:
            return None
        return Compare("!=", item, constant(fixed.values[0], node.at), at=node.at)

    def _no_level(self, item: Name, written: Constant) -> ExpressionError:
        choices, value = self._levels[item.name], _text(written)
        hint = did_you_mean(value, map(str, choices.values)) if choices else ""
        return _error(written, f"{item.name} never is {value!r}{hint}")


def _error(node: Node, reason: str) -> ExpressionError:
    return ExpressionError(reason, offset=node.at)


# --- back to R ----------------------------------------------------------------------------------


class _InR(Writer):
    """Writes R; brackets stand where its precedence differs from ours, or is unclear to readers."""

    joined: ClassVar = {And: " & ", Or: " | "}
    negated = "!"

    def atom(self, node: Node) -> str:
        match node:
            case Text(value):
                return quote(value)
            case Truth(value):
                return str(value).upper()
            case Call("ceil", arguments):
                return f"ceiling({self.listed(arguments)})"
        return super().atom(node)

    def render(self, node: Node) -> tuple[str, int]:
        match node:
            case Active(name):
                return f"!is.na({self.named(name)})", NOT
            case Member(item, options):
                return f"{self.within(item, ATOM)} %in% c({self.listed(options)})", COMPARE
            case Arithmetic("**" | "%" | "//" as sign, left, right):
                theirs = {"**": "^", "%": "%%", "//": "%/%"}[sign]
                return f"{self.within(left, ATOM)} {theirs} {self.within(right, ATOM)}", PRODUCT
        return super().render(node)

    def named(self, name: str) -> str:
        plain = re.fullmatch(_R_WORD, r_name(name))
        return r_name(name) if plain and r_name(name) not in RESERVED else f"`{r_name(name)}`"


def to_r(node: Node) -> str:
    """An expression of a space in R's syntax."""
    return _InR().render(node)[0]


def r_name(name: str) -> str:
    """The name of a parameter in irace, which allows no `-`."""
    return name.replace("-", ".")


def quote(text: str) -> str:
    """A text in R's quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
