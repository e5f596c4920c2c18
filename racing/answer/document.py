"""The parts of a document, and the marks around the names in its sentences.

A document is a sequence of parts. Its words are plain text in which a name stands between two `
marks (`quoted`), so that every writer can set it, whatever its characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from racing.base.plain import printable
from racing.base.words import number

_TICK = "\ue060"  # stands for a ` within a name, which would end it; of Unicode's private use
_MARKED = re.compile(r"`([^`]*)`")


@dataclass(frozen=True)
class Heading:
    """A heading; the first part of a document is its title."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Running text; a terminal wraps it."""

    text: str


@dataclass(frozen=True)
class Sentences:
    """Sentences, each on a line of its own."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class BulletList:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Command:
    """A command to copy: literal text without marks."""

    text: str


@dataclass(frozen=True)
class Callout:
    """A sentence that stands out: its label, such as `Next` or `warning`, and what it says."""

    label: str
    text: str


@dataclass(frozen=True)
class Figure:
    """A picture: what it shows in words, and SVG that is trusted, where it can be drawn."""

    caption: str
    svg: str


@dataclass(frozen=True)
class TextTable:
    """A table of text; columns whose name starts with `>` are right-aligned.

    Attributes
    ----------
    key
        A short name, for files and labels.
    columns, rows
        Heads and cells, all of them words with marks.
    caption
        What it shows, in full sentences: for a paper, where a table stands away from its text.
    best
        The cells (row, column) that hold the best of their column.
    title, notes
        A line above it, and sentences below it.
    cut
        Whether its last column ends where a line of the terminal does.
    """

    key: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    best: frozenset[tuple[int, int]] = frozenset()
    title: str = ""
    notes: tuple[str, ...] = ()
    cut: bool = False

    def spelled(self, cell: Callable[[str], str], best: str) -> list[list[str]]:
        """The rows in another notation; in `best`, `{}` stands for the best cell of a column."""
        return [
            [best.format(cell(one)) if (i, j) in self.best else cell(one)
             for j, one in enumerate(row)]
            for i, row in enumerate(self.rows)
        ]  # fmt: skip


Part: TypeAlias = (
    Heading | Paragraph | Sentences | BulletList | Command | Callout | Figure | TextTable
)
Document: TypeAlias = Sequence[Part]


def table(
    key: str, title: str, columns: Sequence[str], rows: Iterable[Iterable[object]], *,
    notes: Iterable[str] = (), cut: bool = False,
) -> TextTable:  # fmt: skip
    """A table with a title.

    Cells that are text are words with marks; numbers have four digits, None and NaN are a dash, and
    anything else, such as a candidate, is printed letter by letter.
    """
    cells = tuple(tuple(map(_cell, row)) for row in rows)
    return TextTable(key, tuple(columns), cells, title=title, notes=tuple(notes), cut=cut)


def _cell(value: object) -> str:
    if value is None or isinstance(value, float):
        return number(value)
    return value if isinstance(value, str) else literal(str(value))


def quoted(name: object) -> str:
    """A name between marks, letter by letter."""
    return f"`{literal(str(name))}`"


def literal(text: str) -> str:
    """Text without marks and on one line: control characters and line ends become escapes."""
    one_line = text.replace("\n", "\\n").replace("\t", "\\t")
    return printable(one_line).replace("`", _TICK)


def parts(words: str) -> list[str]:
    """Words and names alternately: the items at odd places are names."""
    return [part.replace(_TICK, "`") for part in _MARKED.split(printable(words))]


def spelled(words: str, name: Callable[[str], str], text: Callable[[str], str]) -> str:
    """Words in another notation: names by one function, all between them by the other."""
    return "".join((name if at % 2 else text)(piece) for at, piece in enumerate(parts(words)))


def bare(words: str) -> str:
    """Words and names without marks."""
    return "".join(parts(words))


def line(words: str) -> str:
    """Words and names without marks, on one line."""
    return " ".join(bare(words).splitlines())
