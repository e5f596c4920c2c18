"""The space of a file of another program while it is read: all formats build it here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from racing.base.errors import MOST_ERRORS, FormatError, InputError
from racing.base.records import Errors
from racing.scenario.files import Place
from racing.scenario.formats.clauses import Alternatives, clause
from racing.space import Parameter, Space, Value
from racing.space.expressions import And, Dialect, Node
from racing.space.keys import ParameterKind
from racing.space.parameter import name_error

MOST_LINES = 10_000


class Line(NamedTuple):
    """A line without its comment and the blanks around it, and the place where it begins."""

    text: str
    place: Place


def lines_of(text: str, file: str, *, longest: int = 250_000) -> Iterator[Line]:
    """The lines with content; `#` begins a comment.

    Raises
    ------
    FormatError
        If the file has more than `longest` characters, or more than `MOST_LINES` lines.
    """
    if len(text) > longest:
        raise Place(file).error(f"larger than {longest} characters; no larger file is read")
    count = 0
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].rstrip()
        if said := line.lstrip():
            count += 1
            if count > MOST_LINES:
                raise Place(file, number).error(f"more than {MOST_LINES} lines; no more are read")
            yield Line(said, Place(file, number, 1 + len(line) - len(said)))


@contextmanager
def collecting(errors: list[str]) -> Iterator[None]:
    """Context manager that collects the errors of a file, so that all are reported at once.

    Raises
    ------
    FormatError
        With the errors so far, when as many are found as are reported.
    """
    try:
        yield
    except FormatError as error:
        errors.extend(error.errors)
    if len(errors) >= MOST_ERRORS:
        raise FormatError([*errors[: MOST_ERRORS - 1], "… and more; the rest was not read"])


class Draft:
    """Parameters and forbidden clauses with their places, and the errors so far.

    Attributes
    ----------
    places
        `alpha`, `alpha.when`, `alpha.low` or `forbidden[2]` → its place.
    levels
        Parameter → its values; None for a numeric one.
    """

    def __init__(self, file: str, dialect: Dialect) -> None:
        self.errors: list[str] = []
        self.parameters: dict[str, Parameter] = {}
        self.levels: dict[str, Alternatives | None] = {}
        self.places: dict[str, Place] = {}
        self._forbidden: list[Node] = []
        self._file, self._dialect = file, dialect

    def declare(self, name: str, place: Place, levels: Sequence[Value] | None) -> None:
        """Note a name, which clauses may then have."""
        self.levels.setdefault(name, None if levels is None else Alternatives(tuple(levels)))
        if refused := name_error(name):
            raise place.error(refused)
        if name in self.places:
            raise place.error(f"{name!r} is also in line {self.places[name].line}")
        self.places[name] = place

    def clause(self, line: Line) -> Node:
        """A condition, a forbidden clause or a bound."""
        return clause(line.text, line.place, self.levels, self._dialect)

    def add(self, name: str, data: Mapping[str, Any], conditions: Sequence[Line] = ()) -> None:
        """Add a parameter in plain data, as a scenario has it; all its conditions must hold."""
        when = [self.clause(each) for each in conditions]
        if when:
            self.places[f"{name}.when"] = conditions[0].place
            data = {**data, "when": when[0] if len(when) == 1 else And(tuple(map(_bare, when)))}
        errors = Errors(plain=True)
        self.parameters[name] = ParameterKind().read(data, name, errors)
        for path, message, _ in errors.found:
            what = name if path in self.places else path
            self.errors.append(f"{self.place(path)}: {what}: {message}")

    def forbid(self, line: Line) -> None:
        """Add a forbidden clause."""
        self.places[f"forbidden[{len(self._forbidden)}]"] = line.place
        self._forbidden.append(self.clause(line))

    def place(self, path: str, offset: int | None = None) -> Place:
        """The place of a part, or of what has it."""
        while path and path not in self.places:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self.places[path].at(offset or 0) if path else Place(self._file)

    def space(self) -> Space:
        """The space.

        Raises
        ------
        FormatError
            With all errors, each with file, line and column.
        """
        if not self.errors and not self.parameters:
            raise Place(self._file).error("there are no parameters")
        if not self.errors:
            try:
                return Space(self.parameters, forbidden=self._forbidden)
            except InputError as error:
                found = getattr(error, "errors", ())
                self.errors += [f"{self.place(e.place, e.offset)}: {e.message}" for e in found]
                self.errors += [] if found else [f"{Place(self._file)}: {error}"]
        raise FormatError(self.errors)


def _bare(node: Node) -> Node:
    """The node without places, which are in texts of their own."""
    return replace(node.mapped(_bare), at=0)
