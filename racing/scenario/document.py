"""Reads YAML text into plain data with the place of each value.

Anchors, aliases, tags, merge keys and several documents are refused, so the data cannot grow beyond
the size of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from racing.base.errors import ScenarioError, placed, shorten
from racing.base.records import INVALID, FieldError
from racing.base.records.kinds import join
from racing.scenario.scalars import Trap, resolve

if TYPE_CHECKING:
    import yaml

_DEEPEST = 20
_MOST_VALUES, _MOST_NOTED = 120_000, 1_000
"""How many values are read, and how many errors noted, before the reading ends."""
_SHORT = 50_000  # characters


class Place(NamedTuple):
    """The place of a value: the line of its key, and the first character of its text.

    `column` is 0 for lists, mappings and blocks of text.
    """

    line: int
    value_line: int = 0
    column: int = 0


_PAIR = re.compile(
    r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
)
_HALF = re.compile("[\ud800-\udfff]")


@dataclass
class Document:
    """A file as plain data, with the place of each value and the errors of the file itself.

    Attributes
    ----------
    file
        Its name in messages; empty without a file.
    data
        Scalars, lists, dicts from text; `INVALID` for errors.
    places
        Path, such as `space.alpha.real[0]` → place.
    changed
        The paths of values that options replaced: these are not in the file.
    """

    file: str = ""
    data: Any = None
    places: dict[str, Place] = field(default_factory=dict)
    errors: list[tuple[int, str]] = field(default_factory=list)
    changed: tuple[str, ...] = ()

    def note(self, error: FieldError, place: Place | None = None) -> None:
        """Note an error at a place, or at the nearest one above its path."""
        path, message, offset = error
        if any(path == one or path.startswith((f"{one}.", f"{one}[")) for one in self.changed):
            where = f"{self.file}, changed by an option" if self.file else ""
            told = placed(shorten(path, 200), message)
            self.errors.append((0, ": ".join(filter(None, (where, told)))))
            return
        path = above = self._as_written(path)
        while place is None and above and above not in self.places:
            above = above[: max(above.rfind("."), above.rfind("["), 0)]
        place = place or self.places.get(above, Place(0))
        exact = above == path
        path = shorten(path, 200)
        where = f"{self.file}:{place.line}" if self.file and place.line else self.file
        if offset is not None and place.column and exact:
            where = f"{self.file}:{place.value_line}:{place.column + offset}"
        elif offset is not None:
            message += f" (column {offset + 1} of it)"
        self.errors.append((place.line, ": ".join(filter(None, (where, placed(path, message))))))

    def _as_written(self, path: str) -> str:
        """A path below `list` as in the file, which may have the list alone."""
        head, key, rest = path.partition(".list[")
        alone = key and self.places and f"{head}.list" not in self.places
        return f"{head}[{rest}" if alone else path

    def raise_if_any(self, errors: Iterable[FieldError] = ()) -> None:
        """Raise these errors and those noted, in the order of the file.

        Raises
        ------
        ScenarioError
        """
        for error in errors:
            self.note(error)
        if self.errors:
            self.errors.sort(key=lambda error: error[0])
            raise ScenarioError(tuple(dict.fromkeys(text for _, text in self.errors)))


def compose(text: str, file: str = "") -> Document:
    """The document of a YAML text; its data is `INVALID` if it cannot be read."""
    import yaml

    document = Document(file, INVALID)
    try:
        text = _PAIR.sub(_character, text)
        composer = _Composer(yaml.parse(text, Loader=_loader(len(text))), document)
        document.data = composer.document()
    except yaml.MarkedYAMLError as error:
        begun = re.search("quoted scalar|simple key", str(error.context))
        mark = (error.context_mark if begun else None) or error.problem_mark or error.context_mark
        document.note(FieldError("", _problem(error, text)), Place(mark.line + 1 if mark else 0))
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        message = f"the character U+{error.character:04X} is not allowed"
        document.note(FieldError("", message), Place(line))
    except _Stop:
        pass
    return document


def _character(pair: re.Match[str]) -> str:
    """The escape of YAML for a character that JSON escapes in two halves, such as an emoji."""
    high, low = (int(half, 16) for half in pair.groups()[1:])
    return f"{pair[1]}\\U{0x10000 + (high - 0xD800 << 10) + low - 0xDC00:08x}"


def _loader(size: int) -> Any:
    """PyYAML's loader, with clearer messages; libyaml's for large files."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader) if size > _SHORT else yaml.SafeLoader


def _problem(error: yaml.MarkedYAMLError, text: str) -> str:
    """The message of a syntax error in a text."""
    last = 1 + (error.problem_mark.line if error.problem_mark else 0)
    begun = "".join(re.findall(r"^\s*", "\n".join(text.split("\n")[:last]), re.MULTILINE))
    for sign, name in (("\t", "tab"), ("\u00a0", "no-break space")):
        if sign in begun or repr(sign) in str(error.problem):
            return _INDENTED.format(name)
    said = ": ".join(str(part).strip() for part in (error.context, error.problem) if part)
    fix = next((fix for found, fix in _SYNTAX if re.search(found, said)), "")
    return f"cannot be read as YAML: {said}{fix and f'; {fix}'}"


_INDENTED = "a {} is used for indentation; use spaces"
_SYNTAX = (
    (r"quoted scalar: found unexpected end", "close the quote"),
    (r"block (mapping|collection)", "indent all keys of a mapping, or all - of a list, alike"),
    (r"simple key", "write a blank after the colon"),
    (r"flow (mapping|sequence)|values are not allowed|cannot start any token",
     "close each bracket, and put a text with { } [ ] # or a colon and a blank in quotes"),
)  # fmt: skip
"""A pattern of the parser's message → how to fix it."""


class _Stop(Exception):
    """The rest of this file cannot be read."""


class _Composer:
    """Builds the data from the parser's events, one at a time."""

    def __init__(self, events: Iterator[Any], document: Document) -> None:
        self._events = events
        self._document = document

    def document(self) -> Any:
        """The data of the only document."""
        import yaml

        next(self._events)  # the start of the stream
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            self._stop(0, "the file is empty; a scenario needs at least target, candidates and "
                          "instances")  # fmt: skip
        root = self._value(next(self._events), "", depth=0)
        next(self._events)  # the end of the document
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            self._stop(_line(event), "a second document starts here; a scenario is one document")
        return root

    def _note(self, line: int, path: str, message: str) -> None:
        self._document.note(FieldError(path, message), Place(line))
        if len(self._document.errors) >= _MOST_NOTED:
            raise _Stop

    def _stop(self, line: int, message: str) -> None:
        self._note(line, "", message)
        raise _Stop

    def _value(self, event: Any, path: str, *, depth: int, line: int = 0) -> Any:
        """The value from this event on; `line` is that of its key."""
        import yaml

        line = line or _line(event)
        if depth > _DEEPEST:
            self._stop(line, f"nested more than {_DEEPEST} levels deep")
        if len(self._document.places) >= _MOST_VALUES:
            what = "keep instances or candidates in a file of their own, such as instances: {file: "
            self._stop(line, f"more than {_MOST_VALUES:,} values; {what}names.txt}}")
        refused = _refused(event)
        if refused:
            self._note(line, path, refused)
        self._document.places[path] = _place(event, line)
        value: Any = None
        if isinstance(event, yaml.MappingStartEvent):
            value = self._mapping(path, depth)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self._sequence(path, depth)
        elif not refused:
            value = self._scalar(event, path, line)
        return INVALID if refused else value

    def _scalar(self, event: Any, path: str, line: int) -> Any:
        if event.style:  # quoted, or a block of text
            return self._text(event, path, line)
        try:
            return resolve(event.value)
        except Trap as trap:
            self._note(line, path, str(trap))
            return INVALID

    def _sequence(self, path: str, depth: int) -> list[Any]:
        import yaml

        items: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._value(event, f"{path}[{len(items)}]", depth=depth + 1))
        return items

    def _mapping(self, path: str, depth: int) -> dict[str, Any]:
        import yaml

        parts: dict[str, Any] = {}
        lines: dict[str, int] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            name, line = self._key(event, path), _line(event)
            below = join(path, name)
            value = self._value(next(self._events), below, depth=depth + 1, line=line)
            if name in parts:
                self._note(line, below, f"given twice (the first time on line {lines[name]})")
            elif name == "<<":
                self._note(line, below, "merge keys are not allowed; write the keys out")
            else:
                parts[name], lines[name] = value, line
        return parts

    def _key(self, event: Any, path: str) -> str:
        """A key, always as text."""
        import yaml

        if not isinstance(event, yaml.ScalarEvent):
            self._stop(_line(event), "a key must be a word, not a list or a mapping")
        if refused := _refused(event):
            self._note(_line(event), path, refused)
        if not event.style and event.value.startswith("\u00a0"):
            self._stop(_line(event), _INDENTED.format("no-break space"))
        return self._text(event, path, _line(event))

    def _text(self, event: Any, path: str, line: int) -> str:
        """A text, which every file and terminal can hold."""
        text = str(event.value)
        if half := _HALF.search(text):
            what = f"\\u{ord(half[0]):04x} is one half of a character; write the other one too"
            self._note(line, path, what)
        return text


def _refused(event: Any) -> str | None:
    """The error for the anchor, alias or tag of a value, if any."""
    import yaml

    anchor = shorten(event.anchor or "")
    if isinstance(event, yaml.AliasEvent):
        return f"the alias *{anchor} is not allowed; write the value out"
    if anchor:
        return f"the anchor &{anchor} is not allowed; write the value where it is needed"
    if event.tag:
        tag = shorten(event.tag.replace("tag:yaml.org,2002:", "!!"))
        return f"the tag {tag} is not allowed; a scenario holds plain values only"
    return None


def _place(event: Any, line: int) -> Place:
    """The place of a value; the column is known in a scalar on one line without escapes."""
    start, end = event.start_mark, event.end_mark
    quotes = 1 if getattr(event, "style", None) in ("'", '"') else 0
    written = end.column - start.column - 2 * quotes
    if start.line != end.line or written != len(getattr(event, "value", "")):
        return Place(line)
    return Place(line, start.line + 1, start.column + 1 + quotes)


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
