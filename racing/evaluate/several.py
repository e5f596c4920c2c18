"""Read a target's answer with several metrics: each by its name, or all in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from racing.base.errors import must_be
from racing.base.quantities import MOST_COST
from racing.base.words import listed
from racing.evaluate.score import (
    KEY,
    LONGEST_WORD,
    NUMBER,
    PUNCTUATION,
    Unreadable,
    amount,
    amounts,
    ending,
    json_mapping,
    seconds_of,
)

MOST_SHOWN = 8


class Values(NamedTuple):
    """A target's answer with several metrics.

    Attributes
    ----------
    metrics
        The value of each reported metric, in its own direction.
    seconds, spent
        As in `racing.evaluate.score.Score`.
    """

    metrics: Mapping[str, float]
    seconds: float | None = None
    spent: Mapping[str, float] = MappingProxyType({})


def last_line(text: str, names: Sequence[str]) -> Values:
    """The metrics on the last line that is not empty.

    These are as many numbers as there are metrics, in their order; or `quality=3.1 time=0.2` in any
    order, where further names are ignored; or a JSON object.

    Raises
    ------
    Unreadable
        If it has anything else, or lacks a metric, which is named.
    """
    line = text.rstrip().rpartition("\n")[2].strip()
    if not line:
        raise Unreadable(f"stdout must end in {listed(names, len(names))}; got nothing")
    if line.startswith("{"):
        return json_object(text, names)
    words = line.split()
    if any(len(word) > LONGEST_WORD for word in words):
        raise Unreadable(f"the last line must be {listed(names, len(names))}", ending(text))
    if any(KEY.match(word) for word in words):
        return _of(_by_name(words, text), names)
    numbers = [word.strip(PUNCTUATION) for word in words]
    if len(numbers) != len(names) or not all(NUMBER.fullmatch(word) for word in numbers):
        raise Unreadable(
            f"the last line must be {len(names)} numbers, which are {listed(names, len(names))}",
            ending(text),
        )
    return _of(dict(zip(names, map(float, numbers), strict=True)), names)


def json_object(text: str, names: Sequence[str]) -> Values:
    """The metrics of the JSON object on the last line, which may have `seconds` and `spent`.

    Raises
    ------
    Unreadable
        If it is not one, or a metric is missing or no number.
    """
    return _mapping(json_mapping(text), names)


def returned(answer: object, names: Sequence[str]) -> Values:
    """The metrics that a Python function returned: a mapping, numbers in order, or a single number.

    Raises
    ------
    Unreadable
        If it is anything else, or a metric is missing or no number.
    """
    if isinstance(answer, Mapping):
        return _mapping(answer, names)
    numbers = answer if isinstance(answer, tuple | list) else (answer,)
    if len(numbers) == len(names):
        return _of(dict(zip(names, numbers, strict=True)), names)
    allowed = f"a mapping with {listed(names, len(names))}, or these numbers in this order"
    raise Unreadable(must_be("the result", allowed, answer))


def _mapping(answer: Mapping[Any, Any], names: Sequence[str]) -> Values:
    seconds, spent = answer.get("seconds"), answer.get("spent")
    return _of(answer, names)._replace(
        seconds=None if seconds is None else seconds_of(amount(seconds, "seconds")),
        spent={} if spent is None else amounts(spent),
    )


def _by_name(words: Iterable[str], text: str) -> dict[str, float]:
    """Values from words such as `quality=3.1`."""
    found: dict[str, float] = {}
    for word in words:
        match = KEY.match(word.lstrip(PUNCTUATION))
        name = match.group()[:-1] if match else ""
        value = word.lstrip(PUNCTUATION)[len(name) + 1 :].strip(PUNCTUATION)
        if not name or not NUMBER.fullmatch(value):
            raise Unreadable(must_be("a word of the last line", "name=number", word), ending(text))
        if name in found:
            raise Unreadable(f"the last line has {name} twice", ending(text))
        found[name] = float(value)
    return found


def _of(answer: Mapping[Any, Any], names: Sequence[str]) -> Values:
    """The metrics in an answer."""
    missing = [name for name in names if name not in answer]
    if missing:
        there = ", ".join(map(repr, list(answer)[:MOST_SHOWN])) or "no names at all"
        raise Unreadable(f"the answer must have {listed(missing, len(missing))}; got {there}")
    return Values({name: _finite(answer[name], name) for name in names})


def _finite(value: object, name: str) -> float:
    number = amount(value, f"metric {name}", truth=True)
    if abs(number) > MOST_COST:
        allowed = f"a number from {-MOST_COST:g} to {MOST_COST:g}"
        raise Unreadable(must_be(f"metric {name}", allowed, number))
    return number
