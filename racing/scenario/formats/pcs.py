"""AClib's parameter configuration space files (.pcs), the old and the new syntax → a space.

    old:  alpha {1, 1.01, 1.066} [1]          beta [0.1, 10] [1] l     gamma [1, 99] [5] i
          beta | alpha in {1, 1.01}           {alpha=1, gamma=5}
    new:  alpha categorical {a, b} [a]        beta real [0.1, 10] [1] log
          size ordinal {s, m, l} [m]          gamma integer [1, 99] [5]
          beta | alpha in {a} && gamma > 3    {alpha == a && gamma > 5}

Old: Hutter and Ramage, Manual for SMAC version 2.06; new: version 2.10. `#` begins a comment.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from racing.base.errors import FormatError, InputError, did_you_mean, must_be
from racing.scenario.files import read_format
from racing.scenario.formats.irace_lines import Line, lines_of
from racing.scenario.formats.levels import Alternatives, levels_of, number_of
from racing.scenario.formats.places import Place, collecting
from racing.space import Categorical, Integer, Ordinal, Real, Space
from racing.space.expressions import And, Compare, Member, Name, Node, Number, Or, constant
from racing.space.parameter import Parameter, name_error
from racing.space.structure import PlacedError

_WORD = r"[^\s{}\[\]|,=<>!&]+"
_NAME = rf"(?P<name>{_WORD})"
_DEFAULT = r"\[(?P<default>[^\]]*)\]"
_NUMERIC = re.compile(  # \s*+ does not backtrack, so a line of blanks is read in linear time
    rf"{_NAME}\s*+(?P<type>real|integer)?\s*+\[(?P<low>[^,\]]+),(?P<high>[^,\]]+)\]\s*+"
    rf"{_DEFAULT}\s*+(?P<flags>il|li|i|l|log)?"
)
_LISTED = re.compile(
    rf"{_NAME}\s*+(?P<type>categorical|ordinal)?\s*+\{{(?P<values>[^}}]*)\}}\s*+{_DEFAULT}"
)
_CONDITION = re.compile(rf"{_NAME}\s*+\|\s*+(?P<condition>.+)")
_FORBIDDEN = re.compile(r"\{(?P<clause>[^{}]+)\}")
_TERM = re.compile(
    rf"(?P<name>{_WORD})\s*+(?:(?P<in>in)\s*+\{{(?P<values>[^}}]*)\}}|(?P<sign>==|!=|<|>|=)\s*+(?P<value>{_WORD}))"
)
_SPLIT = re.compile(r"&&|,(?![^{]*\})")
_LONGEST = 10_000  # characters of one condition or clause
LARGEST = 1_000_000  # characters of a file

_Levels = Mapping[str, Alternatives | None]


@dataclass
class _Parts:
    """The contents of a file's lines, before they are combined."""

    parameters: dict[str, Parameter]
    conditions: list[tuple[str, str, Place]]
    forbidden: list[tuple[str, Place]]
    errors: list[str]
    places: dict[str, Place]


def read_pcs(path: str | os.PathLike[str]) -> Space:
    """The space of a .pcs file.

    Several conditions of one parameter must all hold. Values that Python writes the same way as a
    number are numbers, all others text. Every parameter has the switch `-name` and a space.

    Raises
    ------
    FormatError
        With all errors, each with file, line and column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from racing.scenario.formats import read_pcs
    >>> _ = Path("ants.pcs").write_text("ants integer [5, 50] [10]")
    >>> read_pcs("ants.pcs")["ants"].default
    10
    """
    path = Path(path)
    return parse_pcs(read_format(path), str(path))


def parse_pcs(text: str, file: str = "space.pcs") -> Space:
    """The space of the text of a .pcs file; see `read_pcs`."""
    if len(text) > LARGEST:
        raise Place(file).error(f"larger than {LARGEST} characters; no larger file is read")
    parts = _Parts({}, [], [], [], {})
    for line in lines_of(text, file):
        with collecting(parts.errors):
            _read_line(line, parts)
    levels: _Levels = {
        name: Alternatives(p.levels) if p.levels is not None else None
        for name, p in parts.parameters.items()
    }
    forbidden = list[Node]()
    for clause, place in parts.forbidden:
        with collecting(parts.errors):
            forbidden.append(_clause(clause, place, levels))
    for name, condition, place in parts.conditions:
        with collecting(parts.errors):
            _attach(name, condition, place, levels, parts)
    if not parts.parameters and not parts.errors:
        raise Place(file).error("there are no parameters")
    if parts.errors:
        raise FormatError(parts.errors)
    try:
        return Space(parts.parameters, forbidden=forbidden)
    except InputError as error:
        errors: Sequence[PlacedError] = getattr(error, "errors", ())
        found = [f"{_place(each, parts, Place(file))}: {each.message}" for each in errors]
        raise FormatError(found or [f"{Place(file)}: {error}"]) from error


def _place(error: PlacedError, parts: _Parts, otherwise: Place) -> Place:
    """The place of a parameter, its first condition, or a clause that the space refuses."""
    match error.path:
        case ("forbidden", int(index)):
            return parts.forbidden[index][1]
        case (name, "when"):
            places = (place for about, _, place in parts.conditions if about == name)
            return next(places, otherwise)
        case (str(name), *_):
            return parts.places.get(name, otherwise)
    return otherwise


def _read_line(line: Line, parts: _Parts) -> None:
    text = line.text.strip()
    place = line.at(len(line.text) - len(line.text.lstrip()))
    if text.rstrip(":") in ("Conditionals", "Forbidden"):  # headings of some old files
        return
    if found := _FORBIDDEN.fullmatch(text):
        parts.forbidden.append((found["clause"], place.after("{")))
    elif (found := _LISTED.fullmatch(text)) or (found := _NUMERIC.fullmatch(text)):
        name = found["name"]
        if refused := name_error(name):
            raise place.error(refused)
        if name in parts.parameters:
            raise place.error(f"{name!r} is there twice")
        try:
            read = _numeric if found.re is _NUMERIC else _listed
            parts.parameters[name] = read(found, place)
            parts.places[name] = place
        except FormatError:
            raise
        except (InputError, ValueError) as error:
            raise place.error(f"{name}: {error}") from error
    elif found := _CONDITION.fullmatch(text):
        at = place.after(text[: found.start("condition")])
        parts.conditions.append((found["name"], found["condition"], at))
    else:
        raise place.error(
            "a line must be a parameter, condition or forbidden clause, such as 'alpha real [0, 1] "
            f"[0.5]', 'alpha | mode in {{a}}' or '{{alpha == 1 && mode == a}}'; got {text[:40]!r}"
        )


def _listed(found: re.Match[str], place: Place) -> Parameter:
    texts = [value.strip() for value in found["values"].split(",")]
    values = levels_of(texts)
    chosen = found["default"].strip()
    if chosen not in texts:
        raise place.error(f"{found['name']}: the default must be one of {texts}; got {chosen!r}")
    default = values[texts.index(chosen)]
    kind = Ordinal if found["type"] == "ordinal" else Categorical
    return kind(values, default=default, switch=f"-{found['name']} ")


def _numeric(found: re.Match[str], place: Place) -> Parameter:
    flags = found["flags"] or ""
    low, high, default = (_number(found[part], part) for part in ("low", "high", "default"))
    switch = f"-{found['name']} "
    if found["type"] == "integer" or (found["type"] is None and "i" in flags):
        return Integer(low, high, log="l" in flags, default=default, switch=switch)  # type: ignore[arg-type]
    return Real(low, high, log="l" in flags, default=default, switch=switch)


def _number(text: str, part: str) -> float:
    try:
        return float(text)
    except ValueError:
        names = {"low": "the lower bound", "high": "the upper bound", "default": "the default"}
        raise InputError(must_be(names[part], "a number", text.strip())) from None


def _attach(name: str, text: str, place: Place, levels: _Levels, parts: _Parts) -> None:
    if name not in parts.parameters:
        raise place.error(f"there is no parameter {name!r}{did_you_mean(name, parts.parameters)}")
    node = _clause(text, place, levels)
    parameter = parts.parameters[name]
    earlier = parameter.when
    both = And((earlier, node)) if isinstance(earlier, Node) else node
    parts.parameters[name] = replace(parameter, when=both)  # type: ignore[type-var]


def _clause(text: str, place: Place, levels: _Levels) -> Node:
    """Terms joined by && and ||; && binds tighter; a comma is && in the old syntax."""
    if len(text) > _LONGEST:
        raise place.error(f"longer than {_LONGEST} characters; no longer condition is read")
    choices, at = [], 0
    for choice in text.split("||"):
        terms = []
        for term in _SPLIT.split(choice):
            terms.append(_term(term, place.after(text[:at]), levels))
            at = text.find(term, at) + len(term)
        choices.append(terms[0] if len(terms) == 1 else And(tuple(terms)))
    return choices[0] if len(choices) == 1 else Or(tuple(choices))


def _term(text: str, place: Place, levels: _Levels) -> Node:
    found = _TERM.fullmatch(text.strip())
    if not found:
        raise place.error(
            f"{text.strip()!r} must be a comparison such as alpha == 1 or alpha in {{1, 2}}"
        )
    name = found["name"]
    if name not in levels:
        raise place.error(f"there is no parameter {name!r}{did_you_mean(name, levels)}")
    if found["in"]:
        options = tuple(
            _constant(name, each.strip(), levels, place) for each in found["values"].split(",")
        )
        return Member(Name(name), options)
    sign = "==" if found["sign"] == "=" else found["sign"]
    return Compare(sign, Name(name), _constant(name, found["value"], levels, place))  # type: ignore[arg-type]


def _constant(name: str, text: str, levels: _Levels, place: Place) -> Node:
    choices = levels[name]
    if choices is None:
        number = number_of(text)
        if number is None or not math.isfinite(number):
            raise place.error(f"{name} must be a finite number; got {text!r}")
        return Number(number)
    level = choices.of_text([text])
    if level is None and not isinstance(choices.values[0], str):
        level = choices.of_number(number_of(text))
    if level is not None:
        return constant(level)
    known = [str(level) for level in choices.values]
    raise place.error(f"{name} never is {text!r}{did_you_mean(text, known)}")
