"""AClib's parameter configuration space files (.pcs), the old and the new syntax → a space.

    old:  alpha {1, 1.01, 1.066} [1]          beta [0.1, 10] [1] l     gamma [1, 99] [5] i
          beta | alpha in {1, 1.01}           {alpha=1, gamma=5}
    new:  alpha categorical {a, b} [a]        beta real [0.1, 10] [1] log
          size ordinal {s, m, l} [m]          gamma integer [1, 99] [5]
          beta | alpha in {a} && gamma > 3    {alpha == a && gamma > 5}

Old: Hutter and Ramage, Manual for SMAC version 2.06; new: version 2.10. `#` begins a comment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from racing.errors import FormatError, InputError, did_you_mean
from racing.formats.irace_parameters import Line, levels_of, lines_of
from racing.formats.places import Place
from racing.space import Categorical, Integer, Ordinal, Real, Space
from racing.space.errors import PlacedError
from racing.space.expressions import And, Compare, Member, Name, Node, Number, Or, Text
from racing.space.parameter import Parameter, Value

_WORD = r"[^\s{}\[\]|,=<>!&]+"
_NAME = rf"(?P<name>{_WORD})"
_DEFAULT = r"\[\s*(?P<default>[^\]]*?)\s*\]"
_NUMERIC = re.compile(
    rf"{_NAME}\s*(?P<type>real|integer)?\s*\[\s*(?P<low>[^,\]]+?)\s*,\s*(?P<high>[^,\]]+?)\s*\]\s*"
    rf"{_DEFAULT}\s*(?P<flags>il|li|i|l|log)?"
)
_LISTED = re.compile(
    rf"{_NAME}\s*(?P<type>categorical|ordinal)?\s*\{{(?P<values>[^}}]*)\}}\s*{_DEFAULT}"
)
_CONDITION = re.compile(rf"{_NAME}\s*\|\s*(?P<condition>.+)")
_FORBIDDEN = re.compile(r"\{(?P<clause>[^{}]+)\}")
_TERM = re.compile(
    rf"\s*(?P<name>{_WORD})\s*(?:(?P<in>in)\s*\{{(?P<values>[^}}]*)\}}|(?P<sign>==|!=|<|>|=)\s*(?P<value>{_WORD}))\s*"
)

_Levels = Mapping[str, Sequence[Value] | None]


@dataclass
class _Parts:
    """What the lines of a file say, before anything is put together."""

    parameters: dict[str, Parameter]
    conditions: list[tuple[str, str, Place]]
    forbidden: list[tuple[str, Place]]
    errors: list[str]
    places: dict[str, Place]


def read_pcs(path: str | os.PathLike[str]) -> Space:
    """The space of a .pcs file.

    Several conditions of one parameter must all hold. Values that Python would write the same way
    as a number are numbers, all others text. Every parameter has the switch `-name` and a space.

    Raises
    ------
    FormatError
        With everything that cannot be read, each with file, line and column.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError((f"{path}: cannot be read: {error}",)) from error
    return parse_pcs(text, str(path))


def parse_pcs(text: str, file: str = "space.pcs") -> Space:
    """The space that the text of a .pcs file describes; see `read_pcs`."""
    parts = _Parts({}, [], [], [], {})
    for line in lines_of(text, file):
        try:
            _read_line(line, parts)
        except FormatError as error:
            parts.errors.extend(error.errors)
    levels: _Levels = {name: p.levels for name, p in parts.parameters.items()}
    forbidden = [node for each in parts.forbidden if (node := _clause(*each, levels, parts.errors))]
    for name, condition, place in parts.conditions:
        _attach(name, condition, place, levels, parts)
    if not parts.parameters and not parts.errors:
        raise Place(file).error("there are no parameters")
    if parts.errors:
        raise FormatError(parts.errors)
    try:
        return Space(parts.parameters, forbidden=forbidden)
    except InputError as error:
        errors: Sequence[PlacedError] = getattr(error, "errors", ())
        told = [f"{_place(each, parts, Place(file))}: {each.message}" for each in errors]
        raise FormatError(told or [f"{Place(file)}: {error}"]) from error


def _place(error: PlacedError, parts: _Parts, otherwise: Place) -> Place:
    """Where a parameter, its first condition, or a clause that the space refuses stands."""
    match error.path:
        case ("forbidden", int(index)):
            return parts.forbidden[index][1]
        case (name, "when"):
            told = (place for about, _, place in parts.conditions if about == name)
            return next(told, otherwise)
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
        if name in parts.parameters:
            raise place.error(f"{name!r} stands twice")
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
            f"{text[:40]!r} is no parameter, condition or forbidden clause; expected such as "
            "'alpha real [0, 1] [0.5]', 'alpha | mode in {a}' or '{alpha == 1 && mode == a}'"
        )


def _listed(found: re.Match[str], place: Place) -> Parameter:
    texts = [value.strip() for value in found["values"].split(",")]
    values = levels_of(texts)
    if found["default"] not in texts:
        raise place.error(f"{found['name']}: the default {found['default']!r} is not among {texts}")
    default = values[texts.index(found["default"])]
    kind = Ordinal if found["type"] == "ordinal" else Categorical
    return kind(values, default=default, switch=f"-{found['name']} ")


def _numeric(found: re.Match[str], place: Place) -> Parameter:
    flags = found["flags"] or ""
    low, high, default = float(found["low"]), float(found["high"]), float(found["default"])
    switch = f"-{found['name']} "
    if found["type"] == "integer" or (found["type"] is None and "i" in flags):
        return Integer(low, high, log="l" in flags, default=default, switch=switch)  # type: ignore[arg-type]
    return Real(low, high, log="l" in flags, default=default, switch=switch)


def _attach(name: str, text: str, place: Place, levels: _Levels, parts: _Parts) -> None:
    if name not in parts.parameters:
        hint = did_you_mean(name, parts.parameters)
        parts.errors.append(f"{place}: there is no parameter {name!r}{hint}")
        return
    node = _clause(text, place, levels, parts.errors)
    if node is None:
        return
    parameter = parts.parameters[name]
    earlier = parameter.when
    both = And((earlier, node)) if isinstance(earlier, Node) else node
    parts.parameters[name] = replace(parameter, when=both)  # type: ignore[type-var]


def _clause(text: str, place: Place, levels: _Levels, errors: list[str]) -> Node | None:
    """Terms joined by && and ||, the former tighter; a comma is && in the old syntax."""
    try:
        choices, at = [], 0
        for choice in text.split("||"):
            terms = []
            for term in re.split(r"&&|,(?![^{]*\})", choice):
                terms.append(_term(term, place.after(text[:at]), levels))
                at = text.find(term, at) + len(term)
            choices.append(terms[0] if len(terms) == 1 else And(tuple(terms)))
        return choices[0] if len(choices) == 1 else Or(tuple(choices))
    except FormatError as error:
        errors.extend(error.errors)
        return None


def _term(text: str, place: Place, levels: _Levels) -> Node:
    found = _TERM.fullmatch(text)
    if not found:
        raise place.error(
            f"{text.strip()!r} is no comparison such as alpha == 1 or alpha in {{1, 2}}"
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
    listed = levels[name]
    if listed is None:
        try:
            return Number(float(text))
        except ValueError:
            raise place.error(f"{name} is a number, but {text!r} is none") from None
    for level in listed:
        if str(level) == text or level in levels_of([text]):
            return Text(level) if isinstance(level, str) else Number(float(level))
    known = [str(level) for level in listed]
    raise place.error(f"{name} never is {text!r}{did_you_mean(text, known)}")
