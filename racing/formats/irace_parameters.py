"""irace's parameter files (3.5 and 4.x) → a space.

A line is `name "switch" type (domain) [| condition]`; `#` begins a comment anywhere, also inside
quotes. `[forbidden]` is followed by one R expression a line, `[global]` by `digits = n`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from racing.errors import FormatError, InputError
from racing.formats.places import Place, collecting
from racing.formats.r_conditions import bound, condition
from racing.space import Categorical, Integer, Ordinal, Real, Space
from racing.space.errors import PlacedError
from racing.space.expressions import Node
from racing.space.parameter import Parameter, Value

DIGITS = 4  # of real parameters, where the file says nothing (irace's default)

_NAME = re.compile(r"[A-Za-z0-9._]+")
_TYPES = ("c", "o", "i", "r", "i,log", "r,log")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Line:
    """A line without its comment, and where it begins."""

    text: str
    place: Place

    def at(self, offset: int) -> Place:
        """The place of a character of it."""
        return self.place.after(self.text[:offset])


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One parameter as its line says it, with the places of its parts."""

    name: str
    switch: str
    type: str
    domain: tuple[tuple[str, bool, Place], ...]  # text, whether it was quoted, place
    condition: tuple[str, Place] | None
    place: Place


def read_parameters(path: str | os.PathLike[str]) -> Space:
    """The space of a parameter file of irace.

    Parameters
    ----------
    path
        The file, in UTF-8.

    Returns
    -------
    A space; every parameter has its switch. The values of a categorical or ordinal parameter are
    numbers if all of them are written as Python writes numbers, and text otherwise.

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
    return parse_parameters(text, str(path))


def parse_parameters(
    text: str, file: str = "parameters.txt", *, forbidden: Sequence[Line] = ()
) -> Space:
    """The space that the text of a parameter file describes; see `read_parameters`.

    Parameters
    ----------
    forbidden
        Further clauses, as irace 3.5 has them in a file of their own.
    """
    errors: list[str] = []
    sections = _sections(text, file, errors)
    digits, entries = DIGITS, list[Entry]()
    with collecting(errors):
        digits = _digits(sections["global"]) or DIGITS
    for line in sections["parameters"]:
        with collecting(errors):
            entries.append(_Scanner(line).entry())
    _check_names(entries, errors)
    clauses = [*sections["forbidden"], *forbidden]
    space = _Builder(entries, digits, errors).space(clauses, file)
    if space is None or errors:
        raise FormatError(errors)
    return space


def lines_of(text: str, file: str) -> Iterator[Line]:
    """The lines that say something, without comments."""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0]
        if line.strip():
            yield Line(line, Place(file, number))


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
            raise line.place.error(f"{line.text.strip()!r} is no setting; known: digits = 1 to 15")
        found = int(setting[2])
    return found


def _check_names(entries: Sequence[Entry], errors: list[str]) -> None:
    names: dict[str, Place] = {}
    switches: dict[str, str] = {}
    for entry in entries:
        if entry.name in names:
            errors.append(
                f"{entry.place}: {entry.name!r} stands also in line {names[entry.name].line}"
            )
        names.setdefault(entry.name, entry.place)
        other = (
            switches.setdefault(entry.switch, entry.name) if entry.switch.strip() else entry.name
        )
        if other != entry.name:
            errors.append(f"{entry.place}: {entry.name!r} has the same switch as {other!r}")


class _Scanner:
    """The parts of one line."""

    def __init__(self, line: Line) -> None:
        self._line, self._text, self._at = line, line.text.rstrip(), 0

    def entry(self) -> Entry:
        self._skip()
        place = self._line.at(self._at)
        name = self._match(_NAME, "a parameter's name (letters, digits, . and _)")
        self._skip()
        switch = self._quoted('the switch in quotes, such as "--name "')
        self._skip()
        kind = self._match(re.compile(r"[A-Za-z]+(\s*,\s*[A-Za-z]+)?"), f"a type: {_known()}")
        kind = re.sub(r"\s", "", kind)
        if kind not in _TYPES:
            raise self._line.at(self._at - len(kind)).error(f"unknown type {kind!r}; {_known()}")
        self._skip()
        domain = self._domain()
        self._skip()
        return Entry(
            name=name, switch=switch, type=kind, domain=domain, condition=self._rest(), place=place
        )

    def _domain(self) -> tuple[tuple[str, bool, Place], ...]:
        self._match(re.compile(r"\("), "the domain in brackets, such as (1, 10)")
        values: list[tuple[str, bool, Place]] = []
        while True:
            self._skip()
            place = self._line.at(self._at)
            if self._next in ('"', "'"):
                values.append((self._quoted("a value"), True, place))
            else:
                values.append((self._bare(), False, place))
            self._skip()
            if self._match(re.compile(r"[,)]"), "a comma or a closing bracket") == ")":
                return tuple(values)

    def _bare(self) -> str:
        """A value without quotes, to the comma or bracket that ends it."""
        start, depth = self._at, 0
        while self._next and (depth or self._next not in ",)"):
            depth += {"(": 1, ")": -1}.get(self._next, 0)
            self._at += 1
        value = self._text[start : self._at].strip()
        if not value:
            raise self._line.at(start).error('a value is missing; write "" for empty text')
        return value

    def _rest(self) -> tuple[str, Place] | None:
        if not self._next:
            return None
        self._match(re.compile(r"\|"), "a condition after |, or the end of the line")
        self._skip()
        if not self._next:
            raise self._line.at(self._at).error("a condition is missing after |")
        return self._text[self._at :], self._line.at(self._at)

    def _quoted(self, wanted: str) -> str:
        start, quote = self._at, self._next
        if quote not in ('"', "'") or not quote:
            raise self._line.at(start).error(f"expected {wanted}")
        end = self._text.find(quote, start + 1)
        if end < 0:
            raise self._line.at(start).error("the quotes are not closed on this line")
        self._at = end + 1
        return self._text[start + 1 : end]

    def _match(self, pattern: re.Pattern[str], wanted: str) -> str:
        found = pattern.match(self._text, self._at)
        if not found:
            got = self._text[self._at :].split(maxsplit=1)
            shown = f", not {got[0][:20]!r}" if got else ", not the end of the line"
            raise self._line.at(self._at).error(f"expected {wanted}{shown}")
        self._at = found.end()
        return found[0]

    def _skip(self) -> None:
        while self._next.isspace():
            self._at += 1

    @property
    def _next(self) -> str:
        return self._text[self._at : self._at + 1]


def _known() -> str:
    return f"known: {', '.join(_TYPES)}"


class _Builder:
    """Entries → parameters → the space; every error is collected."""

    def __init__(self, entries: Sequence[Entry], digits: int, errors: list[str]) -> None:
        self._entries, self._digits, self._errors = entries, digits, errors
        self._levels = {
            e.name: levels_of([text for text, _, _ in e.domain]) if e.type in "co" else None
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
        try:
            return Space(parameters, forbidden=forbidden)
        except InputError as error:
            errors: Sequence[PlacedError] = getattr(error, "errors", ())
            told = [f"{self._place(each, clauses, file)}: {each.message}" for each in errors]
            self._errors.extend(told or [f"{file}: {error}"])
            return None

    def _place(self, error: PlacedError, clauses: Sequence[Line], file: str) -> Place:
        """Where a parameter or clause that the space refuses stands."""
        match error.path:
            case ("forbidden", int(index)):
                line = clauses[index]
                start = len(line.text) - len(line.text.lstrip())
                return line.at(start + (error.offset or 0))
            case (name, *rest):
                entry = next((e for e in self._entries if e.name == name), None)
                if entry is None:
                    return Place(file)
                if rest == ["when"] and entry.condition:
                    text, place = entry.condition
                    return place.after(text[: error.offset or 0])
                return entry.place
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
                return kind(levels, switch=entry.switch, when=when)
            return self._numeric(entry, when)
        except FormatError:
            raise
        except InputError as error:
            raise entry.place.error(f"{entry.name}: {error}") from error

    def _numeric(self, entry: Entry, when: Node | None) -> Parameter:
        if len(entry.domain) != 2:
            raise entry.place.error(
                f"{entry.name}: a numeric domain has two ends, as (1, 10), not {len(entry.domain)}"
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
        value = Decimal(text)
        if entry.type[0] == "i":
            if value != value.to_integral_value():
                raise place.error(
                    f"{entry.name}: {text} is no whole number; type i needs whole ends"
                )
            return int(value)
        if round(value, self._digits) != value:
            raise place.error(
                f"{entry.name}: {text} has more than {self._digits} decimal places; "
                "set digits in [global]"
            )
        return float(text)


def levels_of(texts: Sequence[str]) -> tuple[Value, ...]:
    """Listed values: numbers if each text is what Python writes for one, else all of them text."""
    values = [_value(text) for text in texts]
    numbers = [value for value in values if not isinstance(value, str)]
    if len(numbers) < len(values) or len(set(numbers)) < len(numbers):
        return tuple(texts)  # 1 and 1.0 are two values only as text
    return tuple(numbers)


def _value(text: str) -> Value:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    for kind in (int, float):
        if number.is_finite() and abs(number) < 10**15 and str(kind(number)) == text:
            return kind(number)
    return text
