"""Reads a target's answer strictly, because a misread cost would silently decide a race."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from itertools import islice
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple

from racing.base.errors import must_be, shorten

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?inf(?:inity)?|[-+]?nan", re.I)
NUMBER_LIKE = re.compile(r"[-+.]*\d[\d.,:/_'eE+-]*")  # 1,234.5 or 12:30: ambiguous
KEY = re.compile(r"[^\W\d][\w.-]*[=:](?=.)")
LONGEST_WORD = 100  # characters; a longer word is not parsed as a number
MOST_SECONDS = MOST_SPENT = 1e12  # so that their sums are finite
KEYS_SHOWN = 8
MINUSES = "\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}\N{HYPHEN}\N{FULLWIDTH HYPHEN-MINUS}"
PUNCTUATION = "()[]{}<>,;:!?%\"'="


class Unreadable(Exception):
    """A target's answer without a cost; the message has the reason and the answer."""

    def __init__(self, why: str, shown: str = "") -> None:
        super().__init__(why)
        self.shown = shown


class Score(NamedTuple):
    """A target's answer.

    Attributes
    ----------
    value
        In the target's own direction.
    seconds
        The duration of the evaluation; None if the target does not report it.
    spent
        The payments by name, such as `usd`; empty if the target does not report them.
    """

    value: float
    seconds: float | None = None
    spent: Mapping[str, float] = MappingProxyType({})


def last_number(text: str) -> Score:
    """The last word of the last line that is not empty.

    `cost=` before the number and punctuation around it are allowed. A word that is no number is an
    error, not skipped: the words before it may be anything.

    Raises
    ------
    Unreadable
        If it is not a number, NaN, or in a form such as 1,234.5.
    """
    words = text.rsplit(maxsplit=1)
    if not words:
        raise Unreadable("stdout must end in a number; got nothing")
    raw = _no_longer(words[-1], text)
    word = KEY.sub("", raw, count=1).strip(PUNCTUATION).rstrip(".")
    if NUMBER.fullmatch(word):
        return Score(_number(float(word), "stdout's last word"))
    if NUMBER_LIKE.fullmatch(word):
        raise Unreadable(must_be("stdout's last word", "a plain number such as 1234.5", raw))
    hint = "; its minus is not '-'" if NUMBER.fullmatch(word.lstrip(MINUSES)) else ""
    raise Unreadable(f"stdout must end in a number{hint}", ending(text))


def ignored(text: str) -> str:
    """A note on further numbers that `last_number` ignores, if the last line has only numbers."""
    words = text.rstrip().rpartition("\n")[2][-4 * LONGEST_WORD :].split()
    if len(words) < 2 or not all(
        len(word) <= LONGEST_WORD and NUMBER.fullmatch(word) for word in words
    ):
        return ""
    return (
        f"the last line has several numbers: {words[-1]} is the cost, and those before it are "
        "ignored; if they are cost and seconds, as irace means them, write output: irace"
    )


def cost_and_time(text: str) -> Score:
    """The output of a target runner of irace: the cost, or the cost and the seconds.

    Raises
    ------
    Unreadable
        If it is anything else.
    """
    words = text.split(maxsplit=2)
    if not words:
        raise Unreadable("stdout must be a cost, or a cost and a time; got nothing")
    if len(words) > 2 or not all(NUMBER.fullmatch(_no_longer(word, text)) for word in words):
        raise Unreadable("stdout must be a cost, or a cost and a time", ending(text))
    cost = _number(float(words[0]), "the cost")
    return Score(cost) if len(words) == 1 else Score(cost, seconds_of(float(words[1])))


def json_object(text: str) -> Score:
    """The JSON object on the last line.

    Raises
    ------
    Unreadable
        If it is not one, or has no usable `cost`.
    """
    return _mapping(json_mapping(text))


def json_mapping(text: str) -> Mapping[Any, Any]:
    """The JSON object on the last line, whatever it has.

    Raises
    ------
    Unreadable
        If it is not one.
    """
    lines = text.strip().splitlines()
    if not lines:
        raise Unreadable("stdout must end in a JSON object; got nothing")
    try:
        answer = json.loads(lines[-1])
    except (ValueError, RecursionError) as error:
        raise Unreadable("stdout's last line must be JSON", f"{ending(text)}\n{error}") from error
    if not isinstance(answer, dict):
        raise Unreadable("stdout's last line must be a JSON object", ending(text))
    return answer


def returned(answer: object) -> Score:
    """The result of a Python function: a number, or a mapping with `cost`.

    The mapping may have `seconds` and `spent` too.

    True is 1 and False is 0, for targets that return success or failure.

    Raises
    ------
    Unreadable
        If it is anything else.
    """
    if type(answer) is float and math.isfinite(answer):
        return Score(answer)
    return _mapping(answer) if isinstance(answer, Mapping) else Score(_real(answer, "the result"))


def _mapping(answer: Mapping[Any, Any]) -> Score:
    if "cost" not in answer:
        there = _keys(answer) or "no keys"
        raise Unreadable(f"the answer must have 'cost'; got {there}; give it, or declare metrics")
    cost, seconds, spent = _real(answer["cost"], "cost"), answer.get("seconds"), answer.get("spent")
    return Score(
        cost,
        None if seconds is None else seconds_of(amount(seconds, "seconds")),
        {} if spent is None else amounts(spent),
    )


def amounts(spent: object) -> dict[str, float]:
    """Payments by name: `{"usd": 0.0031, "tokens": 812}`.

    Raises
    ------
    Unreadable
        If it is no mapping from names to finite numbers, 0 or more.
    """
    if not isinstance(spent, Mapping):
        raise Unreadable(must_be("spent", "names and amounts, as in usd: 0.01", spent))
    found: dict[str, float] = {}
    for name, given in spent.items():
        if not isinstance(name, str) or not name.isidentifier():
            raise Unreadable(must_be("a key of spent", "a name such as usd", name))
        paid = amount(given, f"spent.{name}")
        if not 0 <= paid <= MOST_SPENT:
            raise Unreadable(must_be(f"spent.{name}", f"a number from 0 to {MOST_SPENT:g}", paid))
        found[name] = paid
    return found


def seconds_of(seconds: float) -> float:
    """The seconds of an evaluation as reported by the target.

    Raises
    ------
    Unreadable
        If it is out of range.
    """
    if not 0 <= seconds <= MOST_SECONDS:
        raise Unreadable(must_be("seconds", f"a number from 0 to {MOST_SECONDS:g}", seconds))
    return seconds


def amount(value: object, what: str, *, truth: bool = False) -> float:
    """A number, not NaN; True and False are refused unless `truth` says that they are 1 and 0.

    Raises
    ------
    Unreadable
        If it is anything else.
    """
    if isinstance(value, bool) and not truth:
        raise Unreadable(must_be(what, "a number", value))
    return _real(value, what)


def _real(value: object, what: str) -> float:
    value = getattr(value, "item", lambda: value)() if getattr(value, "size", 0) == 1 else value
    if not isinstance(value, Real):
        raise Unreadable(must_be(what, "a number", value))
    try:
        return _number(float(value), what)
    except OverflowError:
        raise Unreadable(f"{what} is too large for a floating-point number") from None


def _number(value: float, what: str) -> float:
    if math.isnan(value):
        raise Unreadable(must_be(what, "a number", value))
    return value


def _no_longer(word: str, text: str) -> str:
    if len(word) <= LONGEST_WORD:
        return word
    most = f"a number of at most {LONGEST_WORD} characters"
    raise Unreadable(f"stdout must end in {most}", ending(text))


def ending(text: str) -> str:
    """The end of an output, for a message."""
    return f"stdout ends in {text.strip()[-60:]!r}"


def _keys(answer: Mapping[Any, Any]) -> str:
    more = ", …" if len(answer) > KEYS_SHOWN else ""
    return ", ".join(shorten(repr(one)) for one in islice(answer, KEYS_SHOWN)) + more
