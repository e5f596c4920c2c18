"""Text → tree: the words of an expression, then precedence climbing.

Pratt, Top Down Operator Precedence, POPL 1973. A dialect says how other programs write the words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from racing.base.errors import ExpressionError, did_you_mean, must_be, show
from racing.space.expressions.nodes import (
    FUNCTIONS,
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
_LONG_WORD = re.compile(r"[\w@][\w.:@-]*")
Kind = Literal["word", "name", "number", "text", "sign", "end"]
_HABITS = {  # operators of other languages → ours
    "&&": "and", "&": "and", "||": "or", "|": "or", "!": "not", "%in%": "in", "%%": "%",
    "^": "**", "=": "==", "===": "==", "!==": "!=", "<>": "!=", "=>": ">=", "=<": "<=",
    "≤": "<=", "≥": ">=", "≠": "!=", "−": "-", "–": "-", "×": "*", "·": "*", "÷": "/",
    "{": "[", "}": "]",
}  # fmt: skip
_WORDS = {"and": "and", "or": "or", "in": "in", "not": "not in", "is": "== or !="}
"""Lower-case word where an operator is expected → what to write."""


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """How another program writes expressions; the defaults are how a scenario does.

    Attributes
    ----------
    word, name, number, text
        Patterns of these tokens, the first that fits counts; if one has a group, that is the token.
        A word may be an operator, a function or a constant, a name only that of a parameter.
    signs, words
        Operator or word → ours.
    refused
        Operator that is not allowed → what to write in its place.
    lists, listed
        What opens a list after `in` → what closes it; and an example of a list.
    tight
        The operators that bind tighter than `*` and `/`; if there are any, `in` does too.
    strict
        Whether comparisons are not chained; then one constant after `in` is a list, too.
    unquoted
        A text as written → without quotes.
    """

    word: str = r"(?:[^\W\d]|@)[\w.:@]*"
    name: str = r"`([^`\n]+)`"
    number: str = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
    text: str = r"'[^'\n]*'|\"[^\"\n]*\""
    signs: Mapping[str, str] = field(default_factory=lambda: {sign: sign for sign in OPERATORS})
    words: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=lambda: _HABITS)
    lists: Mapping[str, str] = field(default_factory=lambda: {"[": "]", "(": ")"})
    listed: str = "[a, b]"
    tight: tuple[str, ...] = ()
    strict: bool = False
    unquoted: Callable[[str], str] = lambda text: text[1:-1]

    @cached_property
    def patterns(self) -> Mapping[Kind, re.Pattern[str]]:
        """Kind of token → its pattern, in the order in which they are tried."""
        signs = sorted([*self.signs, *self.refused], key=len, reverse=True)
        sign = "|".join(map(re.escape, signs))
        parts = (self.word, self.name, self.number, self.text, sign)
        kinds: tuple[Kind, ...] = ("word", "name", "number", "text", "sign")
        return dict(zip(kinds, map(re.compile, parts), strict=True))


OURS = Dialect()
_ATOM = "this must be a name, a number or a bracket; got {}"
_INACTIVE = "not active"  # of a dialect with a function for it
DEEPEST = 30  # nested brackets, signs and `not`
LONGEST_SUM = 100  # arithmetic operators in one expression; as DEEPEST, it bounds the recursion
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def parse(text: str, known: Collection[str] = (), dialect: Dialect = OURS) -> Node:
    """The syntax tree of an expression; names are not looked up yet.

    Parameters
    ----------
    text
        Such as `algorithm in [ils, aco] and restarts > 0`.
    known
        Names and categories that may contain a `-` or begin with a digit; see `tokens`.
    dialect
        How it is written.

    Raises
    ------
    ExpressionError
        With the place of the first word that cannot stand there.
    """
    if not isinstance(text, str):
        raise ExpressionError(must_be("an expression", "text", text))
    return _Parser(text, known, dialect).whole()


class _Parser:
    """One method for each level of precedence, the loosest first; as in Python."""

    def __init__(self, text: str, known: Collection[str], dialect: Dialect) -> None:
        self._text, self._dialect = text, dialect
        self._tokens = tokens(text, known, dialect)
        self._place = 0
        self._depth = 0
        self._operators = 0

    def whole(self) -> Node:
        if self._now.kind == "end":
            raise self._error("the expression is empty", self._now)
        node = self._or()
        rest = self._now
        if rest.kind != "end":
            meant = _WORDS.get(rest.text.lower())
            raise self._error(f"unexpected {rest}{f'; write {meant}' if meant else ''}", rest)
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
            if self._dialect.strict:
                break
        if not parts:
            return left
        return parts[0] if len(parts) == 1 else And(tuple(parts), at=at)

    def _member(self, item: Node, at: int) -> Node:
        if opening := self._take(*self._dialect.lists):
            return Member(item, self._list(self._dialect.lists[opening.text]), at=at)
        if self._dialect.strict and self._now.kind in ("number", "text"):
            return Member(item, (self._atom(),), at=at)
        raise self._error(
            f"after in must be a list such as {self._dialect.listed}; got {self._now}"
        )

    def _sum(self) -> Node:
        return self._chained(("+", "-"), self._product)

    def _product(self) -> Node:
        loose = tuple(sign for sign in ("*", "/", "//", "%") if sign not in self._dialect.tight)
        return self._chained(loose, self._special)

    def _special(self) -> Node:
        left = self._chained(self._dialect.tight, self._signed)
        if self._dialect.tight and self._take("in"):
            return self._member(left, left.at)
        return left

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
        text = token.text.removesuffix("L")
        try:
            value = float.fromhex(text) if text[1:2] in ("x", "X") else float(text)
        except OverflowError:
            value = math.inf
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
        if token.text in ("active", _INACTIVE):
            active = self._active(token)
            return active if token.text == "active" else Not(active, at=token.at)
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
        As a scenario has it, without quotes or backticks.
    at
        Its place.
    written
        As the dialect has it, if otherwise.
    """

    kind: Kind
    text: str
    at: int
    written: str = ""

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else show(self.written or self.text)


def tokens(text: str, known: Collection[str] = (), dialect: Dialect = OURS) -> list[Token]:
    """The words of `text`; the last is the end.

    Parameters
    ----------
    text
        The expression.
    known
        Names and categories. One with a `-` or a leading digit is a single word: with a parameter
        `min-pert`, `min-pert` is this parameter, and `min - pert` a difference. Backticks quote any
        name.
    dialect
        How it is written.

    Raises
    ------
    ExpressionError
        At the first character that cannot begin a word.
    """
    if len(text) > LONGEST:
        raise ExpressionError(
            f"an expression must be at most {LONGEST} characters; got {len(text)}"
        )
    return [*_scan(text, known, dialect), Token("end", "", len(text))]


def _scan(text: str, known: Collection[str], dialect: Dialect) -> Iterator[Token]:
    at = 0
    while at < len(text):
        if space := _SPACE.match(text, at):
            at = space.end()
        elif long := _known(text, at, known) if known else None:
            yield Token("word", long, at)
            at += len(long)
        else:
            token, at = _next(text, at, dialect)
            yield token


def _next(text: str, at: int, dialect: Dialect) -> tuple[Token, int]:
    for kind, pattern in dialect.patterns.items():
        if found := pattern.match(text, at):
            _not_glued(kind, found, text)
            word = found[found.lastindex or 0]
            if kind == "text":
                word = dialect.unquoted(word)
            elif kind == "sign" and word in dialect.refused:
                reason = f"unknown operator {word}; write {dialect.refused[word]}"
                raise ExpressionError(reason, text=text, offset=at)
            elif kind in ("sign", "word"):
                word = (dialect.signs if kind == "sign" else dialect.words).get(word, word)
                kind = "word" if word in KEYWORDS else kind
            return Token(kind, word, at, found[0] if kind in ("sign", "word") else ""), found.end()
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
