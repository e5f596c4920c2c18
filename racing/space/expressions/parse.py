"""Text → tree: the words of an expression, then precedence climbing.

Pratt, Top Down Operator Precedence, POPL 1973.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from racing.base.errors import ExpressionError, did_you_mean, must_be, show
from racing.space.expressions.functions import FUNCTIONS
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

LONGEST = 10_000  # characters of one expression
OPERATORS = ("**", "//", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%",
             "(", ")", "[", "]", ",")  # fmt: skip
KEYWORDS = ("and", "or", "not", "in", "true", "false", "True", "False")
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_WORD = re.compile(r"(?:[^\W\d]|@)[\w.:@]*")
_LONG_WORD = re.compile(r"[\w@][\w.:@-]*")
_NAME = re.compile(r"`([^`\n]+)`")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_OPERATOR = re.compile("|".join(re.escape(sign) for sign in OPERATORS))
_HABITS = {  # operators of other languages → ours
    "&&": "and", "&": "and", "||": "or", "|": "or", "!": "not", "%in%": "in", "%%": "%",
    "^": "**", "=": "==", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!=", "{": "[", "}": "]",
}  # fmt: skip
_HABIT = re.compile("|".join(re.escape(sign) for sign in _HABITS))

_ATOM = "this must be a name, a number or a bracket; got {}"
DEEPEST = 30  # nested brackets, signs and `not`
LONGEST_SUM = 100  # arithmetic operators in one expression; as DEEPEST, it bounds the recursion
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def parse(text: str, known: Collection[str] = ()) -> Node:
    """The syntax tree of an expression; names are not looked up yet.

    Parameters
    ----------
    text
        Such as `algorithm in [ils, aco] and restarts > 0`.
    known
        Names and categories that may contain a `-` or begin with a digit; see `tokens`.

    Raises
    ------
    ExpressionError
        With the place of the first word that cannot stand there.
    """
    if not isinstance(text, str):
        raise ExpressionError(must_be("an expression", "text", text))
    return _Parser(text, known).whole()


class _Parser:
    """One method for each level of precedence, the loosest first; as in Python."""

    def __init__(self, text: str, known: Collection[str]) -> None:
        self._text = text
        self._tokens = tokens(text, known)
        self._place = 0
        self._depth = 0
        self._operators = 0

    def whole(self) -> Node:
        if self._now.kind == "end":
            raise self._error("the expression is empty", self._now)
        node = self._or()
        rest = self._now
        if rest.kind != "end":
            raise self._error(f"unexpected {rest}", rest)
        return node

    def _or(self) -> Node:
        return self._deeper(lambda: self._joined("or", Or, self._and))

    def _and(self) -> Node:
        return self._joined("and", And, self._not)

    def _not(self) -> Node:
        if token := self._take("not"):
            return Not(self._deeper(self._not), at=token.at)
        return self._comparison()

    def _comparison(self) -> Node:
        left = self._sum()
        at, parts = left.at, list[Node]()
        while True:
            if sign := self._take(*COMPARISONS):
                right = self._sum()
                parts.append(Compare(sign.text, left, right, at=at))  # type: ignore[arg-type]
            elif self._now.text == "in" and self._now.kind == "word":
                self._place += 1
                parts.append(self._member(left, at))
                break
            elif self._now.text == "not" and self._later(1).text == "in":
                self._place += 2
                parts.append(Not(self._member(left, at), at=at))
                break
            else:
                break
            left = right
        if not parts:
            return left
        return parts[0] if len(parts) == 1 else And(tuple(parts), at=at)

    def _member(self, item: Node, at: int) -> Node:
        opening = self._take("[", "(")
        if not opening:
            raise self._error(f"after in must be a list such as [a, b]; got {self._now}")
        return Member(item, self._list("]" if opening.text == "[" else ")"), at=at)

    def _sum(self) -> Node:
        return self._chained(("+", "-"), self._product)

    def _product(self) -> Node:
        return self._chained(("*", "/", "//", "%"), self._signed)

    def _signed(self) -> Node:
        if token := self._take("-", "+"):
            operand = self._deeper(self._signed)
            if token.text == "+":
                return operand
            if isinstance(operand, Number) and not math.copysign(1, operand.value) < 0:
                return Number(-operand.value, at=token.at)
            return Negative(operand, at=token.at)
        return self._power()

    def _power(self) -> Node:
        base = self._atom()
        if self._take("**"):
            exponent = self._deeper(self._signed)
            return Arithmetic("**", base, exponent, at=base.at)
        return base

    def _atom(self) -> Node:
        token = self._now
        self._place += 1
        if token.kind == "number":
            return self._number(token)
        if token.kind == "text":
            return Text(token.text, at=token.at)
        if token.kind == "name":
            return Name(token.text, at=token.at)
        if token.kind == "word":
            return self._word(token)
        if token.text == "(" and token.kind == "sign":
            inner = self._or()
            self._expect(")")
            return inner
        self._place -= 1
        if token.text == "[":
            raise self._error("a list may only stand after in", token)
        raise self._error(_ATOM.format(token), token)

    def _number(self, token: Token) -> Number:
        value = float(token.text)
        if not math.isfinite(value):
            raise self._error("the number is too large", token)
        return Number(value, at=token.at)

    def _word(self, token: Token) -> Node:
        if token.text in ("true", "false", "True", "False"):
            return Truth(token.text.lower() == "true", at=token.at)
        if token.text in KEYWORDS:
            raise self._error(_ATOM.format(token), token)
        if not self._take("("):
            return Name(token.text, at=token.at)
        if token.text == "active":
            return self._active(token)
        if token.text not in FUNCTIONS:
            hint = did_you_mean(token.text, [*FUNCTIONS, "active"])
            raise self._error(f"unknown function {token.text!r}{hint}", token)
        arguments = self._list(")")
        if error := FUNCTIONS[token.text].error(len(arguments)):
            raise self._error(f"{token.text} {error}; got {len(arguments)}", token)
        return Call(token.text, arguments, at=token.at)

    def _active(self, token: Token) -> Active:
        name = self._now
        if name.kind != "name" and (name.kind != "word" or name.text in KEYWORDS):
            raise self._error(f"active must be of a parameter's name; got {name}", name)
        self._place += 1
        self._expect(")")
        return Active(name.text, at=token.at)

    def _list(self, closing: str) -> tuple[Node, ...]:
        if self._take(closing):
            raise self._error("the list is empty", self._tokens[self._place - 1])
        items = [self._or()]
        while self._take(","):
            items.append(self._or())
        self._expect(closing)
        return tuple(items)

    def _joined(self, word: str, kind: Any, part: Callable[[], Node]) -> Node:
        first = part()
        operands = [first]
        while self._take(word):
            operands.append(part())
        return first if len(operands) == 1 else kind(tuple(operands), at=first.at)

    def _chained(self, signs: tuple[str, ...], part: Callable[[], Node]) -> Node:
        left = part()
        while sign := self._take(*signs):
            self._operators += 1
            if self._operators > LONGEST_SUM:
                raise self._error(f"more than {LONGEST_SUM} arithmetic operators", sign)
            left = Arithmetic(sign.text, left, part(), at=left.at)  # type: ignore[arg-type]
        return left

    def _deeper(self, part: Callable[[], Node]) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._error(f"more than {DEEPEST} levels inside one another", self._now)
        node = part()
        self._depth -= 1
        return node

    @property
    def _now(self) -> Token:
        return self._tokens[self._place]

    def _later(self, steps: int) -> Token:
        return self._tokens[min(self._place + steps, len(self._tokens) - 1)]

    def _take(self, *texts: str) -> Token | None:
        token = self._now
        if token.kind in ("sign", "word") and token.text in texts:
            self._place += 1
            return token
        return None

    def _expect(self, text: str) -> None:
        if not self._take(text):
            raise self._error(f"this must be {text} or an operator; got {self._now}")

    def _error(self, reason: str, token: Token | None = None) -> ExpressionError:
        return ExpressionError(reason, text=self._text, offset=(token or self._now).at)


@dataclass(frozen=True)
class Token:
    """One word.

    Attributes
    ----------
    kind
        What it is.
    text
        As written, without quotes or backticks.
    at
        Its place.
    """

    kind: Literal["number", "word", "name", "text", "sign", "end"]
    text: str
    at: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else show(self.text)


def tokens(text: str, known: Collection[str] = ()) -> list[Token]:
    """The words of `text`; the last is the end.

    Parameters
    ----------
    text
        The expression.
    known
        Names and categories. One with a `-` or a leading digit is a single word: with a parameter
        `min-pert`, `min-pert` is this parameter, and `min - pert` a difference. Backticks quote any
        name.

    Raises
    ------
    ExpressionError
        At the first character that cannot begin a word.
    """
    if len(text) > LONGEST:
        raise ExpressionError(
            f"an expression must be at most {LONGEST} characters; got {len(text)}"
        )
    return [*_scan(text, known), Token("end", "", len(text))]


def _scan(text: str, known: Collection[str]) -> Iterator[Token]:
    at = 0
    while at < len(text):
        if space := _SPACE.match(text, at):
            at = space.end()
            continue
        token, at = _next(text, at, known)
        yield token


def _next(text: str, at: int, known: Collection[str]) -> tuple[Token, int]:
    if long := _known(text, at, known):
        return Token("word", long, at), at + len(long)
    if (habit := _HABIT.match(text, at)) and not text.startswith(("==", "!="), at):
        raise ExpressionError(
            f"unknown operator {habit[0]}; write {_HABITS[habit[0]]}", text=text, offset=at
        )
    for kind, pattern in (("number", _NUMBER), ("word", _WORD), ("sign", _OPERATOR)):
        if found := pattern.match(text, at):
            _not_glued(kind, found, text)
            return Token(kind, found[0], at), found.end()  # type: ignore[arg-type]
    if name := _NAME.match(text, at):
        return Token("name", name[1], at), name.end()
    if quoted := _QUOTED.match(text, at):
        return Token("text", quoted[0][1:-1], at), quoted.end()
    what = "a quote is left open" if text[at] in "'\"`" else f"unexpected character {text[at]!r}"
    raise ExpressionError(what, text=text, offset=at)


def _known(text: str, at: int, known: Collection[str]) -> str | None:
    """The longest known word that begins here and ends at the end of a word or before a `-`."""
    long = _LONG_WORD.match(text, at)
    if not long:
        return None
    whole = long[0]
    ends = [len(whole), *(i for i in range(len(whole) - 1, 0, -1) if whole[i] == "-")]
    for end in ends:
        word = whole[:end]
        if word in known and any(c.isalpha() or c == "_" for c in word) and word not in KEYWORDS:
            return word
    return None


def _not_glued(kind: str, found: re.Match[str], text: str) -> None:
    """Refuse `2opt`, which is neither a number nor a name."""
    after = text[found.end() : found.end() + 1]
    if kind == "number" and (after.isalnum() or (after in ("_", ".") and after)):
        word = _LONG_WORD.match(text, found.start())
        shown = word[0] if word else found[0]
        raise ExpressionError(
            f"{shown!r} is neither a number nor a name; quote it if it is a category",
            text=text,
            offset=found.start(),
        )
