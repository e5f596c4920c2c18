"""Reading a target's answer: strictly, because a misread cost decides a race silently."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?inf(?:inity)?|[-+]?nan", re.I)
NUMBER_LIKE = re.compile(r"[-+.]*\d[\d.,:/_'eE+-]*")  # 1,234.5 or 12:30: not to be guessed at
KEY = re.compile(r"[^\W\d][\w.-]*[=:](?=.)")
MOST_SECONDS = 1e12  # so that sums of them are numbers
MINUSES = "\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}\N{HYPHEN}\N{FULLWIDTH HYPHEN-MINUS}"
PUNCTUATION = "()[]{}<>,;:!?%\"'="


class Unreadable(Exception):
    """A target's answer holds no cost: says why, and shows what there is instead."""

    def __init__(self, why: str, shown: str = "") -> None:
        super().__init__(why)
        self.shown = shown


class Score(NamedTuple):
    """A target's answer: its value in the target's own direction, and seconds if it told any."""

    value: float
    seconds: float | None = None


def last_number(text: str) -> Score:
    """The last word of the last line that is not empty.

    `cost=` in front of the number and punctuation around it are allowed. A word that is no number
    is never skipped: what stands before it may be anything.

    Raises
    ------
    Unreadable
        If it is not a number, NaN, or in a form such as 1,234.5.
    """
    words = text.split()
    if not words:
        raise Unreadable("nothing was printed on stdout, where a number is expected")
    raw = words[-1]
    word = KEY.sub("", raw, count=1).strip(PUNCTUATION).rstrip(".")
    if NUMBER.fullmatch(word):
        return Score(_number(float(word), f"stdout's last word is {word}"))
    if NUMBER_LIKE.fullmatch(word):
        raise Unreadable(f"stdout's last word, {raw!r}, is not a plain number such as 1234.5")
    hint = " (its minus is not '-')" if NUMBER.fullmatch(word.lstrip(MINUSES)) else ""
    raise Unreadable(f"stdout does not end in a number{hint}", _end(text))


def cost_and_time(text: str) -> Score:
    """What a target runner of irace prints: the cost, or the cost and the seconds, and no more.

    Raises
    ------
    Unreadable
        If it is anything else.
    """
    words = text.split()
    if not words:
        raise Unreadable("nothing was printed on stdout, where the cost is expected")
    if len(words) > 2 or not all(NUMBER.fullmatch(word) for word in words):
        raise Unreadable("stdout is not a cost, or a cost and a time", _end(text))
    cost = _number(float(words[0]), f"the cost is {words[0]}")
    return Score(cost) if len(words) == 1 else Score(cost, _seconds(float(words[1])))


def json_object(text: str) -> Score:
    """The JSON object on the last line.

    Raises
    ------
    Unreadable
        If it is not one, or has no usable `cost`.
    """
    lines = text.strip().splitlines()
    if not lines:
        raise Unreadable("nothing was printed on stdout, where a JSON object is expected")
    try:
        answer = json.loads(lines[-1])
    except (ValueError, RecursionError) as error:
        raise Unreadable("stdout's last line is not JSON", f"{_end(text)}\n{error}") from error
    if not isinstance(answer, dict):
        raise Unreadable("stdout's last line is not a JSON object", _end(text))
    return _mapping(answer)


def returned(answer: object) -> Score:
    """What a Python function returned: a number, or a mapping with `cost` and maybe `seconds`.

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
        raise Unreadable(f"no 'cost' among {', '.join(map(repr, answer)) or 'no keys at all'}")
    cost = _real(answer["cost"], "cost")
    if (given := answer.get("seconds")) is None:
        return Score(cost)
    return Score(cost, _seconds(_real(given, "seconds")))


def _seconds(seconds: float) -> float:
    if not 0 <= seconds <= MOST_SECONDS:
        raise Unreadable(f"seconds is {seconds}; expected a number from 0 to {MOST_SECONDS:g}")
    return seconds


def _real(value: object, what: str) -> float:
    value = getattr(value, "item", lambda: value)() if getattr(value, "size", 0) == 1 else value
    if isinstance(value, bool) or not isinstance(value, Real):
        raise Unreadable(f"{what} is {_short(value)}; expected a number")
    try:
        return _number(float(value), f"{what} is {value}")
    except OverflowError:
        raise Unreadable(f"{what} is too large for a floating-point number") from None


def _number(value: float, otherwise: str) -> float:
    if math.isnan(value):
        raise Unreadable(f"{otherwise}, which is not a cost")
    return value


def _end(text: str) -> str:
    return f"stdout ends in {text.strip()[-60:]!r}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
