"""irace's scenario files: text → option, value and place.

irace runs a scenario file as an R program. This module reads only assignments of constants: `name =
value` with numbers, arithmetic on numbers, texts, TRUE, FALSE, NULL, NA and `c()`. All options of
irace 3.5 and 4.x are in `irace_options.csv`, each with what it becomes.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from racing.base.errors import ExpressionError, FormatError, did_you_mean, must_be, show
from racing.scenario.files import Place
from racing.scenario.formats.clauses import R
from racing.scenario.formats.draft import Line, collecting
from racing.space.expressions import (
    Arithmetic,
    Call,
    Negative,
    Number,
    Text,
    Truth,
    number,
    parse,
)  # fmt: skip

Scheme = Literal["continuous", "irace"]
"""The search of a translated scenario: `continuous`, or iterated racing."""

OptionKind = Literal["text", "number", "count", "flag", "any"]
"""The type of an option's value; a `count` of 0 means the default."""

Fate = Literal["honoured", "translated", "no meaning", "refused"]
"""`honoured`: has the same effect. `translated`: has a similar effect. `no meaning`: is left out
without loss. `refused`: the scenario cannot be run."""

Setting: TypeAlias = float | int | str | bool | None


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes
    ----------
    kind
        The type of its value.
    key
        The key of the scenario that has its value; empty if it takes more than that.
    fate, why
        Its translation: the key, or the reason why it is left out.
    iterated
        Fate and reason for iterated racing, if they differ.
    """

    kind: OptionKind
    key: str
    fate: Fate
    why: str
    iterated: tuple[Fate, str] | None = None

    def under(self, search: Scheme) -> tuple[Fate, str]:
        """Fate and reason with this search."""
        if search == "irace" and self.iterated is not None:
            return self.iterated
        return self.fate, self.why


def _options() -> dict[str, Option]:
    text = files("racing.scenario.formats").joinpath("irace_options.csv").read_text("utf-8")
    found = {}
    for row in csv.DictReader(text.splitlines()):
        kind, key, fate, iterated = (row[k] for k in ("kind", "key", "fate", "fate_iterated"))
        other: Any = (iterated, row["why_iterated"] or key) if iterated else None
        found[row["option"]] = Option(kind, key, fate, row["why"] or key, other)  # type: ignore[arg-type]
    return found


OPTIONS: Mapping[str, Option] = _options()


class Assigned(NamedTuple):
    """The value of an option, and its place."""

    value: Setting
    place: Place


LARGEST = 250_000
"""The most characters of a file, to bound the time for R expressions."""
_MOST = 1_000  # assignments
_ONLY = "only constants can be read: a number, a text, TRUE"
_WORDS = {
    "text": "a text in quotes", "number": "a number", "count": "a number",
    "flag": "TRUE or FALSE, or 1 or 0",
}  # fmt: skip
_ASSIGNMENT = re.compile(r"([A-Za-z.][A-Za-z0-9._]*)\s*(?:<-|=(?!=))\s*")
_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<comment>\#[^\n]*)|(?P<end>[\n;])"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<other>[^"'\#\n;()\[\]{}]+|.)""",
    re.DOTALL,
)


def parse_scenario(text: str, file: str = "scenario.txt") -> dict[str, Assigned]:
    """The options that a scenario file sets; the last assignment of each counts, as in R.

    Names that begin with a dot are variables of the file and are ignored, as in irace.

    Raises
    ------
    FormatError
        With all errors, each with file, line and column.
    """
    if len(text) > LARGEST:
        raise Place(file).error(f"larger than {LARGEST} characters; no larger file is read")
    found: dict[str, Assigned] = {}
    errors: list[str] = []
    for number_, statement in enumerate(_statements(text, file), start=1):
        if number_ > _MOST:
            raise statement.place.error(f"more than {_MOST} assignments; no more are read")
        with collecting(errors):
            name, assigned = _assignment(statement)
            found[name] = assigned
    if errors:
        raise FormatError(errors)
    return {name: each for name, each in found.items() if each.value is not None}


def _statements(text: str, file: str) -> Iterator[Line]:
    """Top-level statements without the blanks around them; comments are blanks."""
    parts, here, depth = list[str](), Place(file), 0
    for found in _TOKEN.finditer(text + "\n"):
        token, kind = found[0], found.lastgroup or ""
        depth = max(depth + {"open": 1, "close": -1}.get(kind, 0), 0)
        if kind != "end" or depth:
            parts.append(" " * len(token) if kind == "comment" else token)
            continue
        if line := _stripped("".join(parts), here):
            yield line
        here, parts = here.after("".join(parts) + token), []
    if line := _stripped("".join(parts), here):
        raise line.place.error("a bracket is not closed")


def _stripped(statement: str, place: Place) -> Line | None:
    said = statement.lstrip()
    return Line(said.rstrip(), place.after(statement[: -len(said)])) if said else None


def _assignment(statement: Line) -> tuple[str, Assigned]:
    text, place = statement
    match = _ASSIGNMENT.match(text)
    if not match:
        raise place.error(
            f"{show(text.splitlines()[0].rstrip())} is R code that cannot be run here; only lines "
            "such as maxExperiments = 1000 are read"
        )
    name, rest, at = match[1], text[match.end() :], place.after(match[0])
    if re.match(r"function\b|\\\(", rest):
        raise at.error(f"{name} is an R function; name a program instead")
    if name.startswith("."):
        return name, Assigned(None, at)
    option, value = OPTIONS.get(name), _constant(rest, at)
    if option is None:
        raise place.error(f"unknown option {name!r}{did_you_mean(name, OPTIONS)}")
    if option.fate == "refused":
        raise place.error(f"{name} {option.why}")
    if value is not None and not _fits(option.kind, value):
        raise at.error(must_be(name, _WORDS[option.kind], value))
    return name, Assigned(value, at)


def _fits(kind: OptionKind, value: Setting) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "number" | "count":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "flag":
            return value in (0, 1)
    return True


def _constant(text: str, place: Place) -> Setting:
    """A constant, or the result of arithmetic on numbers, in floats, which bounds its time."""
    if re.fullmatch(r"NULL|NA|c\s*\(\s*\)", text):
        return None
    try:
        tree = parse(text, dialect=R)
    except ExpressionError as error:
        raise place.after(text[: error.offset]).error(f"{error.reason}; {_ONLY}") from None
    if isinstance(tree, Text | Truth):
        return tree.value
    for node in tree.walk():
        if not isinstance(node, Number | Negative | Arithmetic | Call):
            raise place.after(text[: node.at]).error(_ONLY)
    with np.errstate(all="ignore"):
        found = float(number(tree, {})({}))
    if not math.isfinite(found):
        raise place.error(f"{show(text)} is not a finite number")
    return int(found) if found.is_integer() and abs(found) < 2**53 else found
