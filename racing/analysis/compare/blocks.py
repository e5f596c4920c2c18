"""The parts of a report, before they are written as text, Markdown or LaTeX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Heading:
    """A heading; the first of a document is its title."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True)
class BulletList:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class TextTable:
    """A table of text; columns whose name starts with `>` are right-aligned.

    `caption` says what it shows, in full sentences: for a paper. `key` is a short name. `best`
    are the cells (row, column) that hold the best of their column.
    """

    key: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str
    best: frozenset[tuple[int, int]] = frozenset()


Block: TypeAlias = Heading | Paragraph | BulletList | TextTable
