"""Lines of irace's parameter files → entries, each part with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from racing.scenario.formats.places import Place

MOST = 10_000
"""The most lines with content; larger files are refused, to bound the time."""

_TYPES = ("c", "o", "i", "r", "i,log", "r,log")
_NAME = re.compile(r"[A-Za-z0-9._]+")
_TYPE = re.compile(r"[A-Za-z]+(\s*,\s*[A-Za-z]+)?")
_BLANKS = re.compile(r"\s*")
_ENDS = re.compile(r"[(),]")


@dataclass(frozen=True)
class Line:
    """A line without its comment, and its place."""

    text: str
    place: Place

    def at(self, offset: int) -> Place:
        """The place of a character of the line."""
        return replace(self.place, column=self.place.column + offset)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One parameter of a line, with the places of its parts."""

    name: str
    switch: str
    type: str
    domain: tuple[tuple[str, bool, Place], ...]  # text, whether it was quoted, place
    condition: tuple[str, Place] | None
    place: Place


def lines_of(text: str, file: str) -> Iterator[Line]:
    """The lines with content, without comments.

    Raises
    ------
    FormatError
        If there are too many.
    """
    count = 0
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0]
        if line.strip():
            count += 1
            if count > MOST:
                raise Place(file, number).error(f"more than {MOST} lines; no more are read")
            yield Line(line, Place(file, number))


class Scanner:
    """The parts of one line."""

    def __init__(self, line: Line) -> None:
        self._line, self._text, self._at = line, line.text.rstrip(), 0

    def entry(self) -> Entry:
        self._skip()
        place = self._line.at(self._at)
        name = self._match(_NAME, "a parameter's name (letters, digits, . and _)")
        if self._next and not self._next.isspace() and self._next not in "\"'":
            word = self._text[self._at - len(name) :].split(maxsplit=1)[0]
            raise place.error(
                f"{word[:40]!r} cannot name a parameter: irace allows letters, digits, . and _"
            )
        self._skip()
        switch = self._quoted('the switch in quotes, such as "--name "')
        self._skip()
        kind = self._match(_TYPE, f"a type: {_known()}")
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
        start, depth, self._at = self._at, 0, len(self._text)
        for found in _ENDS.finditer(self._text, start):
            if not depth and found[0] in ",)":
                self._at = found.start()
                break
            depth += {"(": 1, ")": -1}.get(found[0], 0)
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
            raise self._line.at(start).error(f"this must be {wanted}")
        end = self._text.find(quote, start + 1)
        if end < 0:
            raise self._line.at(start).error("the quotes are not closed on this line")
        self._at = end + 1
        return self._text[start + 1 : end]

    def _match(self, pattern: re.Pattern[str], wanted: str) -> str:
        found = pattern.match(self._text, self._at)
        if not found:
            got = self._text[self._at : self._at + 40].split(maxsplit=1)
            shown = repr(got[0][:20]) if got else "the end of the line"
            raise self._line.at(self._at).error(f"this must be {wanted}; got {shown}")
        self._at = found.end()
        return found[0]

    def _skip(self) -> None:
        found = _BLANKS.match(self._text, self._at)
        self._at = found.end() if found else self._at

    @property
    def _next(self) -> str:
        return self._text[self._at : self._at + 1]


def _known() -> str:
    return f"known: {', '.join(_TYPES)}"
