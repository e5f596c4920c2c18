"""Documents as plain text, for terminals and files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from racing.answer import document as doc
from racing.answer.document import Document, Part, TextTable, bare, line, parts
from racing.base.plain import columns, narrowest, printable, wrapped

WIDTH = 88
_GAP, _MARGIN, _ENDLESS = "  ", "  ", 10**9


def text(document: Document, *, width: int = WIDTH, fold: bool = False) -> str:
    """Plain text.

    Parameters
    ----------
    width
        The columns of a line: tables are cut there, and paragraphs wrapped, at 88 at the latest.
    fold
        Whether all keeps to it, as on a terminal: lines are wrapped, cells folded, and the rows of
        a table that does not fit become text. Elsewhere a row is a line for other programs.
    """
    return "".join(
        ("\n" if at else "") + _part(part, width, fold, first=at == 0) + "\n"
        for at, part in enumerate(document)
    )


def _part(part: Part, width: int, fold: bool, *, first: bool) -> str:
    end, room = width if fold else _ENDLESS, min(width, WIDTH)
    match part:
        case doc.Heading(words):
            head = printable(line(words))
            return f"{head}\n{('=' if first else '-') * columns(head)}"
        case doc.Paragraph(words) | doc.Figure(caption=words):
            return _fit(_said(words), room)
        case doc.Sentences(lines):
            return "\n".join(_fit(_said(said), end) for said in lines)
        case doc.BulletList(items):
            return "\n".join(_fit(f"- {_said(item)}", room, "  ") for item in items)
        case doc.Command(words):
            return f"{_MARGIN}{printable(words)}"
        case doc.Callout(label, words):
            return _fit(f"{label}: {_said(words)}", end)
        case doc.TextTable():
            return "\n".join(_table(part, width, end))


def _table(table: TextTable, width: int, end: int) -> Iterator[str]:
    margin = _MARGIN if table.title else ""
    lines = [[printable(line(cell.removeprefix(">"))) for cell in table.columns]]
    lines += [[printable(line(cell)) for cell in row] for row in table.rows]
    widths = [max(map(columns, column)) for column in zip(*lines, strict=True)]
    gaps = len(margin) + len(_GAP) * (len(widths) - 1)
    if table.cut:
        widths[-1] = min(widths[-1], max(width - gaps - sum(widths[:-1]), columns(lines[0][-1])))
        lines = [[*row[:-1], cut(row[-1], widths[-1])] for row in lines]
    if table.title:
        yield _fit(bare(table.title), end)
    least = [max(map(narrowest, column)) for column in zip(*lines, strict=True)]
    if sum(least) > end - gaps:
        yield from _listed(lines, margin, width)
    else:
        widths = _fitted(widths, least, end - gaps)
        lines.insert(1, ["─" * w for w in widths])
        right = [column.startswith(">") for column in table.columns]
        yield from (f"{margin}{one}".rstrip() for row in lines for one in _row(row, widths, right))
    yield from (_fit(f"{margin}{bare(note)}", end) for note in table.notes)


def _row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    """The lines of a row: several where cells are folded."""
    folded = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for pieces in zip_longest(*folded, fillvalue=""):
        yield _GAP.join(
            gap + piece if to_the_right else piece + gap
            for piece, width, to_the_right in zip(pieces, widths, right, strict=True)
            for gap in [" " * (width - columns(piece))]
        )


def _listed(lines: Sequence[Sequence[str]], margin: str, width: int) -> Iterator[str]:
    """Rows as text, each cell after the head of its column, where columns do not fit."""
    for first, *cells in lines[1:]:
        named = zip(lines[0][1:], cells, strict=True)
        said = " · ".join([first, *(f"{head} {cell}".strip() for head, cell in named if cell)])
        yield from wrapped(f"{margin}{said}", width, _MARGIN)


def _fitted(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths that fill the room at most, taken from the widest; no word is broken."""
    fitted = [max(min(width, room), own) for width, own in zip(widths, least, strict=True)]
    while sum(fitted) > room:
        spare = [k for k, own in enumerate(least) if fitted[k] > own]
        fitted[max(spare, key=fitted.__getitem__)] -= 1
    return fitted


def _fit(words: str, room: int, indent: str = "") -> str:
    return "\n".join(wrapped(printable(words), room, indent))


def _said(words: str) -> str:
    """Words of a sentence; a name keeps its marks where nothing else says where it ends."""
    pieces = parts(words)
    for at in range(1, len(pieces), 2):
        if " " in pieces[at] or pieces[at].startswith("-"):
            pieces[at] = f"`{pieces[at]}`"
    return "".join(pieces)


def cut(text: str, room: int) -> str:
    """The text, cut to so many columns."""
    if columns(text) <= room:
        return text
    while columns(text) > max(room - 1, 1):
        text = text[:-1]
    return f"{text.rstrip()}…"
