"""The words of an expression: numbers, names, quoted text, operators."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from racing.base.errors import ExpressionError, show

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
        raise ExpressionError(f"an expression has at most {LONGEST} characters, not {len(text)}")
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
