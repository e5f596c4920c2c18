"""irace's parameter files (3.5 and 4.x) → a space, and back.

A line is `name "switch" type (domain) [| condition]`; `#` begins a comment anywhere, also inside
quotes. `[forbidden]` is followed by one R expression a line, `[global]` by `digits = n`.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from racing.base.errors import FormatError
from racing.base.logs import logger
from racing.scenario.files import Place, read_format
from racing.scenario.formats.clauses import R, levels_of, quote, r_name, to_r
from racing.scenario.formats.draft import Draft, Line, collecting, lines_of
from racing.space import Boolean, Flag, Integer, Parameter, Real, Space, Value
from racing.space.checks import at_once
from racing.space.expressions import (
    Active,
    And,
    Compare,
    Member,
    Name,
    Node,
    Not,
    Number,
    Or,
    Text,
    Truth,
    names,
)  # fmt: skip
from racing.space.values import same

DIGITS = 4  # of real parameters, by default (as in irace)

_LOG = logger(__name__)


@dataclass(frozen=True)
class Described:
    """The space of a parameter file, and notes on possible mistakes."""

    space: Space
    notes: tuple[str, ...] = ()


def read_parameters(path: str | os.PathLike[str]) -> Space:
    """The space of a parameter file of irace.

    Parameters
    ----------
    path
        The file, in UTF-8.

    Returns
    -------
    A space; every parameter has its switch. The values of a categorical or ordinal parameter are
    numbers if all of them are written as Python writes numbers, and text otherwise. Possible
    mistakes are logged as warnings.

    Raises
    ------
    FormatError
        With all errors, each with file, line and column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from racing.scenario.formats import read_parameters
    >>> _ = Path("parameters.txt").write_text('rate "--rate=" r (0.1, 0.9)')
    >>> read_parameters("parameters.txt")["rate"].default is None
    True
    """
    path = Path(path)
    found = described(read_format(path), str(path))
    for note in found.notes:
        _LOG.warning("%s", note)
    return found.space


def parse_parameters(text: str, file: str = "parameters.txt") -> Space:
    """The space of the text of a parameter file; see `read_parameters`."""
    return described(text, file).space


def described(
    text: str,
    file: str = "parameters.txt",
    *,
    forbidden: Sequence[Line] = (),
    digits: int = 0,
) -> Described:
    """The space of the text of a parameter file, with notes.

    Parameters
    ----------
    forbidden, digits
        Further clauses, and the digits if the file has none: irace 3.5 has them elsewhere.

    Raises
    ------
    FormatError
        As `read_parameters`.
    """
    draft, entries = Draft(file, R), list[_Entry]()
    sections = _sections(lines_of(text, file), draft.errors)
    with collecting(draft.errors):
        digits = _digits(sections["[global]"]) or digits or DIGITS
    for line in sections[""]:
        with collecting(draft.errors):
            entry = _entry(line)
            levels = levels_of([one.text for one in entry.domain]) if entry.type in "co" else None
            draft.declare(entry.name, entry.place, levels)
            entries.append(entry)
    for entry in entries:
        with collecting(draft.errors):
            draft.add(entry.name, _data(entry, draft, digits), entry.conditions)
    for line in [*sections["[forbidden]"], *forbidden]:
        with collecting(draft.errors):
            draft.forbid(line)
    off = {} if draft.errors else _switched_off(draft.parameters)
    for name in off:
        draft.parameters[name] = replace(draft.parameters[name], when=Truth(False))  # type: ignore[type-var]
    space = draft.space()
    never = [f"{draft.place(f'{n}.when')}: {n} is never active, as {why}" for n, why in off.items()]
    return Described(space, (*never, *_shared_switches(entries, space)))


def _sections(lines: Iterator[Line], errors: list[str]) -> dict[str, list[Line]]:
    """The lines of each section; that of parameters has no name."""
    sections: dict[str, list[Line]] = {"": [], "[forbidden]": [], "[global]": []}
    current = sections[""]
    for line in lines:
        if not line.text.startswith("["):
            current.append(line)
        elif line.text in sections:
            current = sections[line.text]
        else:
            known = "known: [forbidden], [global]"
            errors.append(f"{line.place}: unknown section {line.text}; {known}")
            current = []
    return sections


def _digits(lines: Sequence[Line]) -> int | None:
    found = None
    for text, place in lines:
        setting = re.fullmatch(r"digits\s*(?:=|<-)\s*(\d{1,2})", text)
        if not setting or not 1 <= int(setting[1]) <= 15:
            raise place.error(f"unknown setting {text!r}; use digits = 1 to 15")
        found = int(setting[1])
    return found


# --- one line -----------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """One parameter: its parts with their places."""

    name: str
    place: Place
    switch: str
    type: str
    domain: list[Line]
    conditions: list[Line]


_NAME = r"([A-Za-z0-9._]+)(?=[\s\"'])", "a parameter's name (letters, digits, . and _)"
_SWITCH = r"(?:\"([^\"]*)\"|'([^']*)')", 'the switch in quotes, such as "--name "'
_TYPE = r"(c|o|[ir](?:\s*,\s*log)?)(?![A-Za-z,])", "a type; known: c, o, i, r, i,log, r,log"
_OPEN = r"\(", "the domain in brackets, such as (1, 10)"
_ITEM = (
    r"(?:\"([^\"]*)\"|'([^']*)'|((?![\"'])(?:[^(),]++|\((?:[^()]++|\([^()]*+\))*+\))++))",
    'a value, "" for empty text',
)
_NEXT = r"([,)])", "a comma or a closing bracket"
_BAR = r"\|", "a condition after |, or the end of the line"
_CONDITION = r"(.+)", "a condition"


class _Cursor:
    """Takes one part of a line after the other."""

    def __init__(self, line: Line) -> None:
        self._line, self._at = line, 0

    def take(self, part: tuple[str, str]) -> Line:
        """The next part, without quotes, which is described by a pattern and in words."""
        pattern, wanted = part
        found = re.compile(rf"\s*+{pattern}").match(self._line.text, self._at)
        if not found:
            rest = self._line.text[self._at :].lstrip()
            got = repr(rest.split(maxsplit=1)[0][:20]) if rest else "the end of the line"
            place = self._line.place.at(len(self._line.text) - len(rest))
            raise place.error(f"this must be {wanted}; got {got}")
        self._at = found.end()
        group = found.lastindex or 0
        text = found[group] if group < 3 else found[group].rstrip()  # the third has no quotes
        return Line(text, self._line.place.at(found.start(group)))

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self._at == len(self._line.text)


def _entry(line: Line) -> _Entry:
    cursor, domain = _Cursor(line), list[Line]()
    name, switch, kind, _ = (cursor.take(part) for part in (_NAME, _SWITCH, _TYPE, _OPEN))
    while not domain or cursor.take(_NEXT).text == ",":
        domain.append(cursor.take(_ITEM))
    conditions = [] if cursor.ended or not cursor.take(_BAR) else [cursor.take(_CONDITION)]
    type_ = re.sub(r"\s", "", kind.text)
    return _Entry(name.text, name.place, switch.text, type_, domain, conditions)


def _data(entry: _Entry, draft: Draft, digits: int) -> dict[str, Any]:
    """A parameter in plain data."""
    kind = {"c": "categorical", "o": "ordinal", "i": "integer", "r": "real"}[entry.type[0]]
    data: dict[str, Any] = {"switch": entry.switch}
    if (levels := draft.levels[entry.name]) is not None:
        numbers = [value for value in levels.values if not isinstance(value, str)]
        if kind == "ordinal" and numbers != sorted(numbers):  # as irace 4.4 does
            rising = ", ".join(map(str, sorted(numbers)[:8]))
            raise entry.place.error(
                f"{entry.name}: ordered values that are numbers must rise, as in ({rising}); "
                "type c takes them in any order"
            )
        return {kind: [*levels.values], **data}
    if len(entry.domain) != 2:
        got = len(entry.domain)
        raise entry.place.error(f"{entry.name} must have two ends, as (1, 10); got {got}")
    for i, (end, line) in enumerate(zip(("low", "high"), entry.domain, strict=True)):
        draft.places[f"{entry.name}.{kind}[{i}]"] = draft.places[f"{entry.name}.{end}"] = line.place
    data |= {"log": True} if entry.type.endswith("log") else {}
    data |= {"digits": digits} if kind == "real" else {}
    return {kind: [_end(entry, line, draft, digits) for line in entry.domain], **data}


def _end(entry: _Entry, line: Line, draft: Draft, digits: int) -> float | Node:
    """One end of a numeric domain: a number, or an expression over other parameters."""
    try:
        number = float(line.text)
    except ValueError:
        return draft.clause(line)
    if entry.type[0] == "r" and _places(number) > digits:
        raise line.place.error(
            f"{entry.name}: {line.text} has more than {digits} decimal places; set digits in "
            "[global]"
        )
    return int(line.text) if re.fullmatch(r"[+-]?\d{1,300}", line.text) else number


def _places(number: object) -> int:
    """The decimal places of a number; 0 for an expression."""
    if not isinstance(number, int | float) or not math.isfinite(number):
        return 0
    return max(-int(Decimal(repr(number)).normalize().as_tuple().exponent), 0)


# --- notes on possible mistakes -----------------------------------------------------------------


def _shared_switches(entries: Sequence[_Entry], space: Space) -> Iterator[str]:
    """Parameters with one switch that can be active at once, each switch noted once."""
    groups: dict[str, dict[str, Place]] = {}
    for entry in entries:
        groups.setdefault(entry.switch, {})[entry.name] = entry.place
    for switch, group in groups.items():
        if switch.strip() and len(group) > 1 and len(both := at_once(space, [*group])) > 1:
            yield (
                f'{group[both[1]]}: {both[1]} has the switch "{switch}" of {both[0]}, and both can '
                "be active at once: the target then gets it twice"
            )


def _switched_off(parameters: Mapping[str, Parameter]) -> dict[str, str]:
    """Parameters that are never active because of a fixed one → the reason."""
    off: dict[str, str] = {}
    conditions = {name: one.when for name, one in parameters.items() if isinstance(one.when, Node)}
    fixed = {n: one.levels[0] for n, one in parameters.items() if one.levels and one.size == 1}
    children: dict[str, list[str]] = {}
    for name, when in conditions.items():
        for parent in names(when):
            children.setdefault(parent, []).append(name)
    left: Collection[str] = conditions
    while found := {
        name: _why(conditions[name], fixed, off)
        for name in left
        if name not in off and not _can(conditions[name], True, fixed, off)
    }:
        off |= found
        left = dict.fromkeys(child for name in found for child in children.get(name, ()))
    return off


def _can(node: Node, wanted: bool, fixed: Mapping[str, Value], off: Collection[str]) -> bool:
    """Whether a condition can be `wanted`; comparisons with an inactive parameter are unknown."""
    match node:
        case Truth():
            return True  # explicit, so it is intended
        case Not(operand):
            return _can(operand, not wanted, fixed, off)
        case And(operands) | Or(operands):
            parts = [_can(each, wanted, fixed, off) for each in operands]
            return all(parts) if isinstance(node, And) is wanted else any(parts)
        case Active(name):
            return name not in off or not wanted
    if set(names(node)) & set(off):
        return False
    match node:
        case Compare("==" | "!=" as sign, Name(name), Text(value) | Number(value)):
            return name not in fixed or (same(fixed[name], value) is (sign == "==")) is wanted
    return True


def _why(node: Node, fixed: Mapping[str, Value], off: Collection[str]) -> str:
    found = {name: f"{name} is always {fixed[name]}" for name in names(node) if name in fixed}
    found |= {name: f"{name} never is" for name in names(node) if name in off}
    return " and ".join(found[name] for name in names(node) if name in found)


# --- a space as a parameter file ----------------------------------------------------------------


def write_parameters(space: Space) -> str:
    """The space as the text of a parameter file of irace (4.x).

    A `-` in a name becomes a dot; switches stay. A flag becomes a categorical parameter that is
    either empty or the switch. Reals keep their digits; those without get as many as their bounds
    need, at least four.

    Raises
    ------
    FormatError
        With all parts that irace cannot express: a logit scale, steps, names that it does not
        allow, and a `#` in a text.

    Examples
    --------
    >>> from racing.scenario.formats import write_parameters
    >>> from racing.space import Integer, Space
    >>> print(write_parameters(Space({"ants": Integer(5, 50)})))
    # name, switch, type, domain [| condition]
    ants "--ants=" i (5, 50)
    ...
    """
    if errors := [f"{name}: {why}" for name in space for why in _obstacles(name, space)]:
        raise FormatError(errors)
    rows = [_row(name, space) for name in space]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["# name, switch, type, domain [| condition]"]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:4], widths, strict=False)]
        lines.append(" ".join([*cells, row[4]]).rstrip())
    if clauses := [to_r(_by_level(clause, space)) for clause in space.structure.forbidden]:
        lines += ["", "[forbidden]", *clauses]
    lines += ["", "[global]", f"digits = {_most_places(space)}"]
    if marks := [line for line in lines[1:] if "#" in line]:
        raise FormatError((f"irace takes # for a comment, also in quotes: {marks[0].strip()}",))
    return "\n".join(lines) + "\n"


def _obstacles(name: str, space: Space) -> Iterator[str]:
    if not re.fullmatch(r"[A-Za-z0-9._]+", r_name(name)):
        yield "irace allows only letters, digits, . and _ in names"
    if r_name(name) != name and r_name(name) in space:
        yield f"in irace it would have the same name as {r_name(name)}"
    if getattr(space[name], "logit", False):
        yield "irace has no logit scale"
    if getattr(space[name], "step", None) is not None:
        yield "irace has no steps; use an ordinal parameter"


def _row(name: str, space: Space) -> list[str]:
    """Name, switch, type, domain, and the condition after a bar."""
    parameter: Any = space[name]
    switch = f"--{name}=" if parameter.switch is None else parameter.switch
    if isinstance(parameter, Boolean | Flag):
        kind, items = "c", [quote(_level(parameter, name, value)) for value in (False, True)]
        switch = "" if isinstance(parameter, Flag) else switch
    elif parameter.levels is not None:
        kind = "o" if parameter.ordered else "c"
        items = [quote(str(level)) for level in parameter.levels]
    else:
        kind = ("i" if isinstance(parameter, Integer) else "r") + ",log" * parameter.log
        ends = space.structure.bounds.get(name, (parameter.low, parameter.high))
        items = [_end_text(end) for end in ends]
    condition = space.structure.conditions.get(name)
    when = "" if condition is None else f"| {to_r(_by_level(condition, space))}"
    return [r_name(name), quote(switch), kind, f"({', '.join(items)})", when]


def _end_text(end: float | Node) -> str:
    end = end.value if isinstance(end, Number) else end
    return quote(to_r(end)) if isinstance(end, Node) else f"{Decimal(repr(end)).normalize():f}"


def _level(parameter: Parameter, name: str, value: bool) -> str:
    """irace's level for a truth value, which it does not have: of a flag the switch, or nothing."""
    if not isinstance(parameter, Flag):
        return str(value).lower()
    return (parameter.switch or f"--{name}") if value else ""


def _by_level(node: Node, space: Space) -> Node:
    """The expression with irace's levels for booleans and flags."""

    def text(name: str, part: Node) -> Node:
        return Text(_level(space[name], name, part.value)) if isinstance(part, Truth) else part

    match node:
        case Name(name) if isinstance(space[name], Boolean | Flag):
            return Compare("==", node, Text(_level(space[name], name, True)))
        case Compare(_, Name(name), other):
            return replace(node, right=text(name, other))
        case Compare(_, other, Name(name)):
            return replace(node, left=text(name, other))
        case Member(Name(name), options):
            return replace(node, options=tuple(text(name, one) for one in options))
        case Not() | And() | Or():
            return node.mapped(lambda part: _by_level(part, space))
    return node


def _most_places(space: Space) -> int:
    """The digits that all reals need."""
    reals = [each for each in space.values() if isinstance(each, Real)]
    needed = [max(each.digits or 0, _places(each.low), _places(each.high)) for each in reals]
    return min(max([DIGITS, *needed]), 15)
