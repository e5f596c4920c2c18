"""irace's scenario files: text → option, value and place.

irace runs a scenario file as an R program. This module reads only assignments of constants: `name =
value` with numbers, arithmetic on numbers, texts, TRUE, FALSE, NULL, NA and `c()`.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from racing.base.errors import FormatError, did_you_mean, must_be, show
from racing.scenario.formats.irace_options import OPTIONS
from racing.scenario.formats.places import Place, collecting
from racing.scenario.formats.r_syntax import Call, Constant, Expression, parse

Setting: TypeAlias = float | int | str | bool | None

_ASSIGNMENT = re.compile(r"\s*([A-Za-z.][A-Za-z0-9._]*)\s*(<-|=(?!=))\s*")
_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<comment>\#[^\n]*)|(?P<end>[\n;])"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<other>[^"'\#\n;()\[\]{}]+|.)""",
    re.DOTALL,
)
LARGEST = 250_000
"""The most characters of a file, to bound the time for R expressions."""
_MOST = 1_000  # assignments
_ARITHMETIC: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "^": operator.pow, "**": operator.pow, "%%": operator.mod, "%/%": operator.floordiv,
}  # fmt: skip
_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "number": (int, float),
    "count": (int, float),
    "flag": (bool, int),
}


@dataclass(frozen=True)
class Assigned:
    """The value of an option, and its place."""

    value: Setting
    place: Place


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
    for number, (statement, place) in enumerate(_statements(text, file), start=1):
        if number > _MOST:
            raise place.error(f"more than {_MOST} assignments; no more are read")
        with collecting(errors):
            name, assigned = _assignment(statement, place)
            if not name.startswith("."):
                _check(name, assigned, place)
                found[name] = assigned
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
        case Constant(value) if not isinstance(value, float):
            return value
        case Call("c", ()):
            return None
    try:
        number = float(_number(tree))
    except _NoNumber as error:
        raise place.after(text[: error.at]).error(
            "only constants can be read: a number, a text, TRUE"
        ) from None
    except (ArithmeticError, TypeError):  # 1/0, 9^9^9; (-1)^0.5 is complex
        number = math.nan
    if not math.isfinite(number):
        raise place.error(f"{show(text.strip())} is not a finite number")
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


class _NoNumber(Exception):
    """The expression is not arithmetic on numbers."""

    def __init__(self, at: int) -> None:
        self.at = at


def _number(tree: Expression) -> float:
    """The result of arithmetic on constants, in floats, which bounds its time."""
    match tree:
        case Constant(int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case Call("-", (operand,)):
            return -_number(operand)
        case Call("+", (operand,)):
            return _number(operand)
        case Call(sign, (left, right)) if sign in _ARITHMETIC:
            return _ARITHMETIC[sign](_number(left), _number(right))
    raise _NoNumber(tree.at)


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
    wrong = not isinstance(value, wanted) or (float in wanted and isinstance(value, bool))
    if wrong or (option.kind == "flag" and value not in (0, 1)):
        words = {
            "text": "a text in quotes",
            "number": "a number",
            "count": "a number",
            "flag": "TRUE or FALSE, or 1 or 0",
        }
        raise assigned.place.error(must_be(name, words[option.kind], value))


def _statements(text: str, file: str) -> Iterator[tuple[str, Place]]:
    """Top-level statements, each with the place of its first character; comments are blanked."""
    parts, here, depth = list[str](), Place(file), 0
    for found in _TOKEN.finditer(text + "\n"):
        token = found[0]
        depth = max(depth + {"open": 1, "close": -1}.get(found.lastgroup or "", 0), 0)
        if found.lastgroup == "end" and not depth:
            statement = "".join(parts)
            if statement.strip():
                yield statement.lstrip(), here.after(statement[: -len(statement.lstrip())])
            here, parts = here.after(statement + token), []
        else:
            parts.append(" " * len(token) if found.lastgroup == "comment" else token)
    if (statement := "".join(parts)).strip():
        blank = len(statement) - len(statement.lstrip())
        raise here.after(statement[:blank]).error("a bracket is not closed")
