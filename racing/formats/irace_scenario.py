"""irace's scenario files: text → option, value and place.

irace runs a scenario file as an R program. Here its assignments of constants are read, and nothing
is run: `name = value` with numbers, texts, TRUE, FALSE, NULL, NA and `c(...)` of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from racing.errors import FormatError, did_you_mean, show
from racing.formats.irace_options import OPTIONS
from racing.formats.places import Place
from racing.formats.r_syntax import Call, Constant, Expression, parse

Setting: TypeAlias = float | int | str | bool | None

_ASSIGNMENT = re.compile(r"\s*([A-Za-z.][A-Za-z0-9._]*)\s*(<-|=(?!=))\s*")
_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<comment>\#[^\n]*)|(?P<end>[\n;])"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<other>[^"'\#\n;()\[\]{}]+|.)""",
    re.DOTALL,
)
_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "number": (int, float),
    "flag": (bool, int),
}


@dataclass(frozen=True)
class Assigned:
    """The value of an option, and where it stands."""

    value: Setting
    place: Place


def parse_scenario(text: str, file: str = "scenario.txt") -> dict[str, Assigned]:
    """The options that a scenario file sets; the last assignment of each counts, as in R.

    Names that begin with a dot are the file's own and are left out, as irace does.

    Raises
    ------
    FormatError
        With everything that cannot be read, each with file, line and column.
    """
    found: dict[str, Assigned] = {}
    errors: list[str] = []
    for statement, place in _statements(text, file):
        try:
            name, assigned = _assignment(statement, place)
            if not name.startswith("."):
                _check(name, assigned, place)
                found[name] = assigned
        except FormatError as error:
            errors.extend(error.errors)
    if errors:
        raise FormatError(errors)
    return {name: each for name, each in found.items() if each.value is not None}


def _assignment(statement: str, place: Place) -> tuple[str, Assigned]:
    match = _ASSIGNMENT.match(statement)
    if not match:
        raise place.error(
            f"{show(statement.strip().splitlines()[0])} is R code that cannot be run here; "
            "only lines such as maxExperiments = 1000 are read"
        )
    name = match[1]
    at = place.after(match[0])
    rest = statement[match.end() :]
    if re.match(r"function\b|\\\(", rest):
        raise at.error(f"{name} is an R function; name a program instead")
    if name.startswith("."):
        return name, Assigned(None, at)
    return name, Assigned(_constant(parse(rest, at), rest, at), at)


def _constant(tree: Expression, text: str, place: Place) -> Setting:
    match tree:
        case Constant(value):
            return value
        case Call("-", (Constant(int() | float() as value),)) if not isinstance(value, bool):
            return -value
        case Call("c", ()):
            return None
    raise place.after(text[: tree.at]).error("only constants can be read: a number, a text, TRUE")


def _check(name: str, assigned: Assigned, place: Place) -> None:
    option = OPTIONS.get(name)
    if option is None:
        raise place.error(f"unknown option {name!r}{did_you_mean(name, OPTIONS)}")
    if option.fate == "refused":
        raise place.error(f"{name} {option.why}")
    wanted = _KINDS.get(option.kind)
    value = assigned.value
    if wanted is None or value is None:
        return
    wrong = not isinstance(value, wanted) or (option.kind == "number" and isinstance(value, bool))
    if wrong or (option.kind == "flag" and value not in (0, 1)):
        words = {
            "text": "a text in quotes",
            "number": "a number",
            "flag": "TRUE or FALSE, or 1 or 0",
        }
        raise assigned.place.error(f"{name} is {show(value)}; expected {words[option.kind]}")


def _statements(text: str, file: str) -> Iterator[tuple[str, Place]]:
    """Top-level statements, each with the place of its first character; comments are blanked."""
    statement, here, depth = "", Place(file), 0
    for found in _TOKEN.finditer(text + "\n"):
        token = found[0]
        depth = max(depth + {"open": 1, "close": -1}.get(found.lastgroup or "", 0), 0)
        if found.lastgroup == "end" and not depth:
            if statement.strip():
                yield statement.lstrip(), here.after(statement[: -len(statement.lstrip())])
            here, statement = here.after(statement + token), ""
        else:
            statement += " " * len(token) if found.lastgroup == "comment" else token
    if statement.strip():
        blank = len(statement) - len(statement.lstrip())
        raise here.after(statement[:blank]).error("a bracket is not closed")
