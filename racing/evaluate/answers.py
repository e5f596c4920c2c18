"""One start of a target, and what it answers, which is read strictly.

A misread cost would silently decide a race. An answer has one cost, or several metrics: each by its
name, or all in order.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple

from racing.base.errors import InputError, must_be, shorten
from racing.base.quantities import MOST_COST
from racing.base.records.leaves import Leaf, Refused, choice
from racing.base.words import listed
from racing.core.experiment import Status, at_bound
from racing.core.metric import Metrics

LINES_KEPT = 20
CHARACTERS_KEPT = 2000
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?inf(?:inity)?|[-+]?nan", re.I)
NUMBER_LIKE = re.compile(r"[-+.]*\d[\d.,:/_'eE+-]*")  # 1,234.5 or 12:30: ambiguous
KEY = re.compile(r"[^\W\d][\w.-]*[=:](?=.)")
LONGEST_WORD = 100  # characters; a longer word is not parsed as a number
MOST_SECONDS = MOST_SPENT = 1e12  # so that their sums are finite
KEYS_SHOWN = 8
MINUSES = "\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}\N{HYPHEN}\N{FULLWIDTH HYPHEN-MINUS}"
PLAIN = "a plain number such as 1234.5"
PUNCTUATION = "()[]{}<>,;:!?%\"'="

Names = Sequence[str] | None
"""The names of the metrics in an answer; None for one cost."""


class Unreadable(Exception):
    """A target's answer without a cost; the message has the reason and the answer."""

    def __init__(self, why: str, shown: str = "") -> None:
        super().__init__(why)
        self.shown = shown


class Answer(NamedTuple):
    """A target's answer.

    Attributes
    ----------
    metrics
        The value of each reported metric, or of `cost`, in its own direction.
    seconds
        The duration of the evaluation; None if the target does not report it.
    spent
        The payments by name, such as `usd`; empty if the target does not report them.
    """

    metrics: Mapping[str, float]
    seconds: float | None = None
    spent: Mapping[str, float] = MappingProxyType({})

    def attempt(self, seconds: float, own: Mapping[str, float] | None = None) -> Attempt:
        """An attempt that ended well.

        Parameters
        ----------
        seconds
            The duration if the target does not report one.
        own
            The metrics measured by racing.
        """
        metrics = {**self.metrics, **(own or {})}
        return Attempt(
            score=next(iter(metrics.values()), 0.0),
            seconds=seconds if self.seconds is None else self.seconds,
            spent=dict(self.spent),
            metrics=metrics,
        )


class Retry(Exception):
    """Raised by a target whose service is busy (such as HTTP 429 or 5xx): it is called again later.

    This counts neither as an attempt nor as a failure, for `on_failure.patience` at most.

    Parameters
    ----------
    reason
        The message of the service; shown if it never answers.
    after
        The time to wait, if the service gives it: seconds, or the text of a `Retry-After` header.
        By default waits double from 1 s to 60 s. Each wait is extended randomly by up to a half, so
        that calls do not return all at once.
    spent
        The payments for the refused call, by name: `{"usd": 0.001}`.

    Raises
    ------
    InputError
        If `after` or `spent` is invalid.

    Examples
    --------
    >>> from racing import Retry
    >>> busy = Retry("too many requests", after="2", spent={"usd": 0.001})
    >>> str(busy), busy.after, busy.spent
    ('too many requests', 2.0, {'usd': 0.001})
    """

    def __init__(
        self,
        reason: object = "",
        *,
        after: float | str | None = None,
        spent: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(str(reason))
        self.after = None if after is None else _pause(after)
        try:
            self.spent = amounts(spent or {})
        except Unreadable as error:
            raise InputError(f"Retry: {error}") from None


def _pause(after: float | str) -> float:
    """The seconds of a number or a header; 0 for a past date."""
    found = math.nan
    with suppress(TypeError, ValueError):
        found = float(after)
    if math.isnan(found) and isinstance(after, str):
        from email.utils import parsedate_to_datetime  # here, as its import takes long

        with suppress(ValueError):
            found = max(parsedate_to_datetime(after).timestamp() - time.time(), 0.0)
    if not 0 <= found < math.inf:
        raise InputError(
            must_be("after", "seconds, 0 or more, or the text of a Retry-After header", after)
        )
    return found


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """One start of a target.

    Attributes
    ----------
    score
        The target's answer, in its own direction; None if the attempt failed; a lower bound of the
        cost if it is censored. Of several metrics, any of them.
    seconds
        The wall-clock time, or the time that the target reports.
    status
        How it ended.
    message
        Why it failed: one line, then the end of the target's stderr. If it did not fail, a note
        about its answer.
    spent
        The payments by name, such as `usd`.
    retry
        Set if the target's service was busy and the target must be called again.
    refused
        The number of earlier calls that found it busy.
    metrics
        The value of each of several metrics, in its own direction.
    """

    score: float | None = None
    seconds: float = 0.0
    status: Status = Status.OK
    message: str = ""
    spent: Mapping[str, float] = field(default_factory=dict, hash=False)
    retry: Retry | None = None
    refused: int = 0
    metrics: Mapping[str, float] = field(default_factory=dict, hash=False)


def asked(metrics: Metrics | None) -> Names:
    """The names of the metrics that an answer must have: those not measured by racing."""
    if metrics is None:
        return None
    return tuple(name for name, one in metrics.items() if one.measure is None)


def last_number(text: str) -> Answer:
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
        return _cost(float(word), "stdout's last word")
    if NUMBER_LIKE.fullmatch(word):
        raise Unreadable(must_be("stdout's last word", PLAIN, raw))
    hint = "; its minus is not '-'" if NUMBER.fullmatch(word.lstrip(MINUSES)) else ""
    raise Unreadable(f"stdout must end in a number{hint}", _ending(text))


def ignored(text: str) -> str:
    """A note on further numbers that `last_number` ignores, if the last line has only numbers."""
    words = text.rstrip().rpartition("\n")[2][-4 * LONGEST_WORD :].split()
    if len(words) < 2 or not all(map(NUMBER.fullmatch, words)):
        return ""
    return (
        f"the last line has several numbers: {words[-1]} is the cost, and those before it are "
        "ignored; if they are cost and seconds, as irace means them, write output: irace"
    )


def cost_and_time(text: str) -> Answer:
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
        raise Unreadable("stdout must be a cost, or a cost and a time", _ending(text))
    found = _cost(float(words[0]), "the cost")
    return found if len(words) == 1 else found._replace(seconds=_seconds(float(words[1])))


def json_object(text: str, names: Names = None) -> Answer:
    """The JSON object on the last line, which may have `seconds` and `spent` too.

    Raises
    ------
    Unreadable
        If it is not one, or has no usable `cost`, or not each metric.
    """
    lines = text.strip().splitlines()
    if not lines:
        raise Unreadable("stdout must end in a JSON object; got nothing")
    try:
        answer = json.loads(lines[-1])
    except (ValueError, RecursionError) as error:
        raise Unreadable("stdout's last line must be JSON", f"{_ending(text)}\n{error}") from error
    if not isinstance(answer, dict):
        raise Unreadable("stdout's last line must be a JSON object", _ending(text))
    return _mapping(answer, names)


def last_line(text: str, names: Sequence[str]) -> Answer:
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
        raise Unreadable(f"the last line must be {listed(names, len(names))}", _ending(text))
    if any(KEY.match(word) for word in words):
        return Answer(_metrics(_by_name(words, text), names))
    numbers = [word.strip(PUNCTUATION) for word in words]
    if len(numbers) != len(names) or not all(NUMBER.fullmatch(word) for word in numbers):
        why = f"the last line must be {len(names)} numbers, which are {listed(names, len(names))}"
        raise Unreadable(why, _ending(text))
    return Answer(_metrics(dict(zip(names, map(float, numbers), strict=True)), names))


def matched(text: str, pattern: str, names: Names = None) -> Answer:
    """What the groups of a regular expression match last, anywhere in the output.

    A metric, `cost` and `seconds` have the group of their name; a single number may have the first.

    Raises
    ------
    Unreadable
        If there is no match, or it is no number.
    """
    wanted, regex = names or ("cost",), re.compile(pattern, re.MULTILINE)
    groups = places(regex, wanted)
    found = {
        name: match[group]
        for match in regex.finditer(text)
        for name, group in groups.items()
        if match[group] is not None
    }
    if missing := [name for name in wanted if name not in found]:
        raise Unreadable(
            f"output {pattern!r} finds no {listed(missing, len(missing))}", _ending(text)
        )
    numbers = {name: _plain(word, name) for name, word in found.items()}
    seconds = numbers.pop("seconds", None) if "seconds" not in wanted else None
    answer = _cost(numbers["cost"]) if names is None else Answer(_metrics(numbers, names))
    return answer if seconds is None else answer._replace(seconds=_seconds(seconds))


def places(regex: re.Pattern[str], names: Sequence[str]) -> dict[str, int]:
    """The group of each number that an output has; a single number may have the first."""
    named = regex.groupindex
    free = [group for group in range(1, regex.groups + 1) if group != named.get("seconds")]
    first = {names[0]: free[0]} if len(names) == 1 and free else {}
    return first | {name: named[name] for name in (*names, "seconds") if name in named}


def groupless(output: str, metrics: Metrics | None) -> list[str]:
    """The metrics of an answer, or its cost, for which a regular expression has no group."""
    names = ("cost",) if metrics is None else asked(metrics) or ()
    has = names if output in READERS else places(re.compile(output), names)
    return [name for name in names if name not in has]


def _output(value: object) -> str:
    if isinstance(value, str) and value not in READERS:
        try:
            if re.compile(value).groups:
                return value
        except re.error as error:
            raise Refused(f"as a regular expression: {error}") from None
    return str(WORDS.convert(value))


READERS: Mapping[str, Callable[[str], Answer]] = {
    "number": last_number,
    "json": json_object,
    "irace": cost_and_time,
}
WORDS = choice(tuple(READERS))
OUTPUT = Leaf(
    r"number, json, irace, or a regular expression with a group, such as 'cost: (\S+)'",
    _output,
    {"type": "string", "pattern": r"^(number|json|irace|.*\(.*)$"},
)
"""Where the answer is in a program's output."""


def printed(text: str, output: str, names: Names = None) -> Answer:
    """The answer that a program printed; without a cost or metric, if there are none to read.

    Raises
    ------
    Unreadable
        If it cannot be read.
    """
    if names is not None and not names:
        return Answer({})
    if output not in READERS:
        return matched(text, output, names)
    if names is None:
        return READERS[output](text)
    return json_object(text, names) if output == "json" else last_line(text, names)


def returned(answer: object, names: Names = None) -> Answer:
    """The answer of a Python function.

    This is a number, or a mapping with `cost`; of several metrics a mapping with them, the numbers
    in order, or a single number. A mapping may have `seconds` and `spent` too. True is 1 and False
    is 0, for targets that return success or failure.

    Raises
    ------
    Unreadable
        If it is anything else, or a metric is missing or no number.
    """
    if isinstance(answer, Mapping):
        return _mapping(answer, names)
    if names is None:
        return _cost(answer, "the result")
    numbers = answer if isinstance(answer, tuple | list) else (answer,)
    if names and len(numbers) != len(names):
        allowed = f"a mapping with {listed(names, len(names))}, or these numbers in this order"
        raise Unreadable(must_be("the result", allowed, answer))
    return Answer(_metrics(dict(zip(names, numbers, strict=False)), names))


def amounts(spent: object) -> dict[str, float]:
    """Payments by name: `{"usd": 0.0031, "tokens": 812}`.

    Raises
    ------
    Unreadable
        If it is no mapping from names to finite numbers, 0 or more.
    """
    if not isinstance(spent, Mapping):
        raise Unreadable(must_be("spent", "names and amounts, as in usd: 0.01", spent))
    for name in spent:
        if not isinstance(name, str) or not name.isidentifier():
            raise Unreadable(must_be("a key of spent", "a name such as usd", name))
    return {name: _number(paid, f"spent.{name}", 0, MOST_SPENT) for name, paid in spent.items()}


def _mapping(answer: Mapping[Any, Any], names: Names) -> Answer:
    if names is None and "cost" not in answer:
        there = _keys(answer)
        raise Unreadable(f"the answer must have 'cost'; got {there}; give it, or declare metrics")
    seconds, spent = answer.get("seconds"), answer.get("spent")
    found = _cost(answer["cost"]) if names is None else Answer(_metrics(answer, names))
    return found._replace(
        seconds=None if seconds is None else _seconds(seconds),
        spent={} if spent is None else amounts(spent),
    )


def _by_name(words: Sequence[str], text: str) -> dict[str, float]:
    """Values from words such as `quality=3.1`."""
    found: dict[str, float] = {}
    for word in words:
        match = KEY.match(word.lstrip(PUNCTUATION))
        name = match.group()[:-1] if match else ""
        value = word.lstrip(PUNCTUATION)[len(name) + 1 :].strip(PUNCTUATION)
        if not name or not NUMBER.fullmatch(value):
            raise Unreadable(must_be("a word of the last line", "name=number", word), _ending(text))
        if name in found:
            raise Unreadable(f"the last line has {name} twice", _ending(text))
        found[name] = float(value)
    return found


def _metrics(answer: Mapping[Any, Any], names: Sequence[str]) -> dict[str, float]:
    """The metrics in an answer."""
    missing = [name for name in names if name not in answer]
    if missing:
        there = listed(missing, len(missing))
        raise Unreadable(f"the answer must have {there}; got {_keys(answer)}")
    return {
        name: _number(answer[name], f"metric {name}", -MOST_COST, MOST_COST, truth=True)
        for name in names
    }


def _plain(word: str, name: str) -> float:
    bare = word.strip().strip(PUNCTUATION).rstrip(".")
    if not NUMBER.fullmatch(bare):
        raise Unreadable(must_be(f"what output finds for {name}", PLAIN, shorten(word)))
    return float(bare)


def _cost(value: object, what: str = "cost") -> Answer:
    return Answer({"cost": _number(value, what, truth=True)})


def _seconds(value: object) -> float:
    return _number(value, "seconds", 0, MOST_SECONDS)


def _number(
    value: object, what: str, least: float = -math.inf, most: float = math.inf, truth: bool = False
) -> float:
    """A number, not NaN; True and False are refused unless `truth` says that they are 1 and 0."""
    value = getattr(value, "item", lambda: value)() if getattr(value, "size", 0) == 1 else value
    if isinstance(value, Coroutine):
        value.close()  # else Python warns that it was never awaited
        raise Unreadable(f"{what} is a coroutine; write the function itself as async def")
    if not isinstance(value, Real) or (isinstance(value, bool) and not truth):
        raise Unreadable(must_be(what, "a number", value))
    try:
        number = float(value)
    except OverflowError:
        raise Unreadable(f"{what} is too large for a floating-point number") from None
    if math.isnan(number):
        raise Unreadable(must_be(what, "a number", number))
    if not least <= number <= most:
        raise Unreadable(must_be(what, f"a number from {least:g} to {most:g}", number))
    return number


def _no_longer(word: str, text: str) -> str:
    if len(word) <= LONGEST_WORD:
        return word
    most = f"a number of at most {LONGEST_WORD} characters"
    raise Unreadable(f"stdout must end in {most}", _ending(text))


def _ending(text: str) -> str:
    """The end of an output, for a message."""
    return f"stdout ends in {text.strip()[-60:]!r}"


def _keys(answer: Mapping[Any, Any]) -> str:
    more = ", …" if len(answer) > KEYS_SHOWN else ""
    shown = ", ".join(shorten(repr(one)) for one in islice(answer, KEYS_SHOWN)) + more
    return shown or "no keys"


def message(headline: str, detail: str = "", stderr: str = "") -> str:
    """The message of a failure: a headline for its kind, details, and the end of stderr."""
    tail = "\n".join(stderr.strip().splitlines()[-LINES_KEPT:])[-CHARACTERS_KEPT:]
    safe = "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in tail
    )
    return "\n".join(part for part in (headline, detail, safe) if part)


def within(attempt: Attempt, bound: float | None) -> Attempt:
    """An attempt with its answer as cost, censored if that reaches the bound."""
    if attempt.score is None or at_bound(attempt.score, bound) is Status.OK:
        return attempt
    return replace(attempt, status=Status.CENSORED)
