"""Methods as records, a row of `methods.csv` each; the corrections; the sentences, and in them the
options as the caller gives them.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, TypeAlias

from racing.answer.document import quoted
from racing.base.words import count, number
from racing.base.words import listed as listed_words
from racing.stats.corrections import METHODS as BY
from racing.stats.corrections import bergmann_hommel, shaffer

_PAIRS = 6  # pairs that a sentence names
_AT_TERMINAL = ContextVar("whether options are named as on the command line", default=False)
_ARGUMENTS = {
    "--maximize": "direction='maximize'", "--minimize": "direction='minimize'",
    "--ranks": "ranked=True", "--unpaired": "paired=False",
}  # fmt: skip


@contextmanager
def at_terminal() -> Iterator[None]:
    """Within it, messages and reports name the options of the command line."""
    token = _AT_TERMINAL.set(True)
    try:
        yield
    finally:
        _AT_TERMINAL.reset(token)


def option(text: str, argument: str = "") -> str:
    """An option as the caller gives it: --missing average, in Python missing='average'.

    Parameters
    ----------
    text : on the command line
    argument : in Python, where it does not follow from `text`
    """
    if _AT_TERMINAL.get():
        return text
    flag, _, value = text.partition(" ")
    word = value if value.lstrip("0123456789.") == "" else (
        repr(tuple(value.split(",")) if "," in value else value))  # fmt: skip
    return argument or _ARGUMENTS.get(text) or f"{flag[2:].replace('-', '_')}={word}"


class _Option(str):
    """An option within a sentence."""


@dataclass(frozen=True)
class Method:
    """A test, a correction or an estimate: what it does, and all that is said of it.

    Attributes
    ----------
    noun : its name in a sentence
    source : of which numbers, by whom: "F: Quade (1979), …"
    run : the function that does it
    why : why it is taken where nothing else is asked for
    traits : what holds of it: "sizes" (it looks at the size of differences, which ranks do not
        hold), "normal", "location" (it is about the centre of symmetric differences), "pool" (the
        outcome for two depends on the others), "intransitive" (equality to a third says nothing),
        "spreads" (it takes them as equal), "whole" (it corrects by itself), "exact", "independent"
        (a correction that needs it), "pairs" (only for all pairs), "bounds" (it has some), "rope"
        (it has one), "folds" (it minds the correlation of repetitions)
    """

    noun: str
    source: str
    run: Callable[..., Any]
    why: str
    traits: frozenset[str]


Methods: TypeAlias = Mapping[str, Method]


def _file(name: str) -> str:
    return files("racing.analysis.compare").joinpath(name).read_text("utf-8")


@cache
def sentences() -> dict[str, Any]:
    """What is said in reports, see `sentences.toml`."""
    return tomllib.loads(_file("sentences.toml"))


class _Sentences(Formatter):
    """Facts in sentences: {n:run} is counted, {p:2} has two digits, {pairs: = } joins two names.

    {--maximize} is an option, and {--group COLUMN:groups=…} one whose argument has another name.
    """

    def get_field(self, name: str, args: Any, facts: Any) -> Any:
        return (
            (_Option(name), "") if name.startswith("--") else super().get_field(name, args, facts)
        )

    def format_field(self, value: Any, spec: str) -> str:
        match value:
            case _Option():
                return option(value, spec)
            case ((_, _), *_):
                named = ", ".join(f"{quoted(a)}{spec}{quoted(b)}" for a, b in value[:_PAIRS])
                return named + (f" and {len(value) - _PAIRS} more" if len(value) > _PAIRS else "")
            case tuple():
                return listed(value)
        if spec.isdigit():
            return number(value, int(spec))
        return count(value, spec) if spec else str(value)


def sentence(about: str, what: str, /, **facts: object) -> str:
    """A sentence of `sentences.toml` with facts put into it."""
    return _Sentences().vformat(sentences()[about][what], (), facts)


def refusal(what: str, /, **facts: object) -> str:
    """Why something is refused, and how to fix it."""
    return sentence("refused", what, **facts)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, letter by letter; a long list is shortened."""
    return listed_words([quoted(name) for name in names], most=8)


@cache
def _said() -> dict[tuple[str, str], dict[str, str]]:
    """(kind, name) → what `methods.csv` says of a method."""
    rows = csv.DictReader(_file("methods.csv").splitlines())
    return {(row.pop("kind"), row.pop("name")): row for row in rows}


def methods(kind: str, functions: Mapping[str, Callable[..., Any]]) -> Methods:
    """The methods of a kind by name: their functions, and what `methods.csv` says of them."""

    def made(run: Callable[..., Any], *, noun: str, traits: str, why: str, source: str) -> Method:
        return Method(noun, source, run, why or "the default", frozenset(traits.split()))

    return {name: made(run, **_said()[kind, name]) for name, run in functions.items()}


def source_of(number: str) -> str:
    """What a number is that no method of its own gives, and by whom."""
    return _said()["number", number]["source"]


CORRECTIONS = methods(
    "correction",
    {**BY, "shaffer": shaffer, "bergmann-hommel": bergmann_hommel, "nemenyi": BY["none"]},
)
ALIASES = {"bh": "benjamini-hochberg", "fdr": "benjamini-hochberg", "bonferroni-dunn": "bonferroni"}
SHORTHANDS = {  # names of whole procedures: (test, correction)
    "nemenyi": ("mean-ranks", "nemenyi"),
    "bonferroni-dunn": ("mean-ranks", "bonferroni"),
}
