"""irace's parameter files (3.5 and 4.x) → a space.

A line is `name "switch" type (domain) [| condition]`; `#` begins a comment anywhere, also inside
quotes. `[forbidden]` is followed by one R expression a line, `[global]` by `digits = n`.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from racing.base.errors import FormatError, InputError, must_be
from racing.base.logs import logger
from racing.scenario.files import read_format
from racing.scenario.formats.irace_lines import Entry, Line, Scanner, lines_of
from racing.scenario.formats.levels import Alternatives, levels_of
from racing.scenario.formats.places import Place, collecting
from racing.scenario.formats.r_conditions import bound, condition
from racing.space import Categorical, Integer, Ordinal, Parameter, Real, Space
from racing.space.checks import at_once
from racing.space.expressions import Active, And, Compare, Name, Node, Not, Or, Text, Truth, names
from racing.space.expressions import Number as NumberNode
from racing.space.parameter import Value, name_error
from racing.space.structure import PlacedError
from racing.space.values import same

DIGITS = 4  # of real parameters, by default (as in irace)
LARGEST = 250_000
"""The most characters of a file, to bound the time for R expressions."""

_LOG = logger(__name__)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


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


def parse_parameters(
    text: str, file: str = "parameters.txt", *, forbidden: Sequence[Line] = ()
) -> Space:
    """The space of the text of a parameter file; see `read_parameters`."""
    return described(text, file, forbidden=forbidden).space


def described(
    text: str, file: str = "parameters.txt", *, forbidden: Sequence[Line] = ()
) -> Described:
    """The space of the text of a parameter file, with notes.

    Parameters
    ----------
    forbidden
        Further clauses; irace 3.5 has them in a separate file.

    Raises
    ------
    FormatError
        As `read_parameters`.
    """
    if len(text) > LARGEST:
        raise Place(file).error(f"larger than {LARGEST} characters; no larger file is read")
    errors: list[str] = []
    sections = _sections(text, file, errors)
    digits, entries = DIGITS, list[Entry]()
    with collecting(errors):
        digits = _digits(sections["global"]) or DIGITS
    for line in sections["parameters"]:
        with collecting(errors):
            entries.append(Scanner(line).entry())
    if not entries and not errors:
        raise Place(file).error("there are no parameters")
    _check_names(entries, errors)
    clauses = [*sections["forbidden"], *forbidden]
    builder = _Builder(entries, digits, errors)
    space = builder.space(clauses, file)
    if space is None or errors:
        raise FormatError(errors)
    return Described(space, (*builder.notes, *shared_switches(entries, space)))


def _sections(text: str, file: str, errors: list[str]) -> dict[str, list[Line]]:
    sections: dict[str, list[Line]] = {"parameters": [], "forbidden": [], "global": []}
    current: list[Line] = sections["parameters"]
    for line in lines_of(text, file):
        word = line.text.strip()
        if not word.startswith("["):
            current.append(line)
        elif word in ("[forbidden]", "[global]"):
            current = sections[word.strip("[]")]
        else:
            errors.append(f"{line.place}: unknown section {word}; known: [forbidden], [global]")
            current = []
    return sections


def _digits(lines: Sequence[Line]) -> int | None:
    found = None
    for line in lines:
        setting = re.fullmatch(r"\s*digits\s*(=|<-)\s*(\d+)\s*", line.text)
        if not setting or not 1 <= int(setting[2]) <= 15:
            raise line.place.error(f"unknown setting {line.text.strip()!r}; use digits = 1 to 15")
        found = int(setting[2])
    return found


def _check_names(entries: Sequence[Entry], errors: list[str]) -> None:
    names: dict[str, Place] = {}
    for entry in entries:
        if error := name_error(entry.name):
            errors.append(f"{entry.place}: {error}")
        if entry.name in names:
            errors.append(f"{entry.place}: {entry.name!r} is also in line {names[entry.name].line}")
        names.setdefault(entry.name, entry.place)


class _Builder:
    """Entries → parameters → the space; every error is collected."""

    def __init__(self, entries: Sequence[Entry], digits: int, errors: list[str]) -> None:
        self._entries, self._digits, self._errors = entries, digits, errors
        self._by_name = {entry.name: entry for entry in entries}
        self.notes: list[str] = []
        self._levels = {
            e.name: Alternatives(levels_of([text for text, _, _ in e.domain]))
            if e.type in "co"
            else None
            for e in entries
        }

    def space(self, clauses: Sequence[Line], file: str) -> Space | None:
        parameters, forbidden = dict[str, Parameter](), list[Node]()
        for entry in self._entries:
            with collecting(self._errors):
                parameters[entry.name] = self._parameter(entry)
        for line in clauses:
            with collecting(self._errors):
                forbidden.append(self._clause(line))
        if self._errors:
            return None
        for name, why in switched_off(parameters).items():
            _, place = self._by_name[name].condition or ("", self._by_name[name].place)
            self.notes.append(f"{place}: {name} is never active, as {why}")
            parameters[name] = replace(parameters[name], when=Truth(False))  # type: ignore[type-var]
        try:
            return Space(parameters, forbidden=forbidden)
        except InputError as error:
            errors: Sequence[PlacedError] = getattr(error, "errors", ())
            found = [f"{self._place(each, clauses, file)}: {each.message}" for each in errors]
            self._errors.extend(found or [f"{Place(file)}: {error}"])
            return None

    def _place(self, error: PlacedError, clauses: Sequence[Line], file: str) -> Place:
        """The place of a parameter or clause that the space refuses."""
        match error.path:
            case ("forbidden", int(index)):
                line = clauses[index]
                start = len(line.text) - len(line.text.lstrip())
                return line.at(start + (error.offset or 0))
            case (str(name), *rest) if name in self._by_name:
                entry = self._by_name[name]
                if rest == ["when"] and entry.condition:
                    text, place = entry.condition
                    return place.after(text[: error.offset or 0])
                ends = dict(zip(("low", "high"), entry.domain, strict=False))
                return ends[str(rest[0])][2] if rest and rest[0] in ends else entry.place
        return Place(file)

    def _clause(self, line: Line) -> Node:
        offset = len(line.text) - len(line.text.lstrip())
        return condition(line.text.strip(), line.at(offset), self._levels)

    def _parameter(self, entry: Entry) -> Parameter:
        when = None
        if entry.condition:
            when = condition(*entry.condition, self._levels)
        levels = self._levels[entry.name]
        try:
            if levels is not None:
                kind = Categorical if entry.type == "c" else Ordinal
                if kind is Ordinal:
                    _check_order(entry, levels.values)
                return kind(levels.values, switch=entry.switch, when=when)
            return self._numeric(entry, when)
        except FormatError:
            raise
        except InputError as error:
            raise entry.place.error(f"{entry.name}: {error}") from error

    def _numeric(self, entry: Entry, when: Node | None) -> Parameter:
        if len(entry.domain) != 2:
            raise entry.place.error(
                f"{entry.name} must have two ends, as (1, 10); got {len(entry.domain)}"
            )
        low, high = (self._end(entry, *each) for each in entry.domain)
        log = entry.type.endswith("log")
        if entry.type[0] == "i":
            return Integer(low, high, log=log, switch=entry.switch, when=when)
        return Real(low, high, log=log, digits=self._digits, switch=entry.switch, when=when)

    def _end(self, entry: Entry, text: str, quoted: bool, place: Place) -> float | int | Node:
        """One end of a numeric domain: a number, or an expression over other parameters."""
        if not _NUMBER.fullmatch(text):
            inside = place.after('"') if quoted else place
            return bound(text, inside, self._levels)
        if not math.isfinite(float(text)):
            raise place.error(must_be(entry.name, "finite", text))
        value = Decimal(text if float(text) else 0)
        if entry.type[0] == "i":
            if value != value.to_integral_value():
                raise place.error(
                    f"{entry.name} must have whole ends, as it is of type i; got {text}"
                )
            return int(value)
        if -int(value.normalize().as_tuple().exponent) > self._digits:
            raise place.error(
                f"{entry.name}: {text} has more than {self._digits} decimal places; "
                "set digits in [global]"
            )
        return float(text)


def _check_order(entry: Entry, values: Sequence[Value]) -> None:
    """Refuse numbers that do not increase, as irace 4.4 does."""
    numbers = [value for value in values if not isinstance(value, str)]
    if numbers != sorted(numbers):
        rising = ", ".join(map(str, sorted(numbers)[:8]))
        raise entry.place.error(
            f"{entry.name}: ordered values that are numbers must rise, as in ({rising}); "
            "type c takes them in any order"
        )


Parameters = Mapping[str, Parameter]


# --- notes on possible mistakes -----------------------------------------------------------------


def shared_switches(entries: Sequence[Entry], space: Space) -> Iterator[str]:
    """Parameters with one switch that can be active at once, each switch noted once."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.switch.strip():
            groups.setdefault(entry.switch, []).append(entry)
    for switch, group in groups.items():
        if len(group) > 1 and len(both := at_once(space, [entry.name for entry in group])) > 1:
            place = next(entry.place for entry in group if entry.name == both[1])
            yield (
                f'{place}: {both[1]} has the switch "{switch}" of {both[0]}, and both can be '
                "active at once: the target then gets it twice"
            )


def switched_off(parameters: Parameters) -> dict[str, str]:
    """Parameters that are never active because of a fixed one → the reason."""
    off: dict[str, str] = {}
    conditions = {name: one.when for name, one in parameters.items() if isinstance(one.when, Node)}
    children: dict[str, list[str]] = {}
    for name, when in conditions.items():
        for parent in names(when):
            children.setdefault(parent, []).append(name)
    left: Iterable[str] = conditions
    while found := {
        name: _why(conditions[name], parameters, off)
        for name in left
        if name not in off and not _can(conditions[name], True, parameters, off)
    }:
        off |= found
        left = dict.fromkeys(child for name in found for child in children.get(name, ()))
    return off


def _can(node: Node, wanted: bool, parameters: Parameters, off: Collection[str]) -> bool:
    """Whether a condition can be `wanted`; comparisons with an inactive parameter are unknown."""
    match node:
        case Truth():
            return True  # explicit, so it is intended
        case Not(operand):
            return _can(operand, not wanted, parameters, off)
        case And(operands) | Or(operands):
            parts = [_can(each, wanted, parameters, off) for each in operands]
            return all(parts) if isinstance(node, And) is wanted else any(parts)
        case Active(name):
            return name not in off or not wanted
    if set(names(node)) & set(off):
        return False
    match node:
        case Compare("==" | "!=" as sign, Name(name), Text(value) | NumberNode(value)):
            levels = parameters[name].levels if name in parameters else None
            if levels is not None and len(levels) == 1:
                return (same(levels[0], value) is (sign == "==")) is wanted
    return True


def _why(node: Node, parameters: Parameters, off: Collection[str]) -> str:
    found = []
    for name in names(node):
        levels = parameters[name].levels if name in parameters else None
        if name in off:
            found.append(f"{name} never is")
        elif levels is not None and len(levels) == 1:
            found.append(f"{name} is always {levels[0]}")
    return " and ".join(found)
