"""Documents as plain text, for terminals and files."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from racing.answer import document as doc
from racing.answer.document import Document, Part, TextTable, bare, line, parts
from racing.base.plain import printable

WIDTH = 88
_GAP, _MARGIN = "  ", "  "
_NARROWEST = 8  # columns that a wide table does not make narrower


def text(document: Document, *, width: int = WIDTH, fold: bool = False) -> str:
    """Plain text.

    Parameters
    ----------
    width
        The columns of a line: tables are cut there, and paragraphs wrapped, at 88 at the latest.
    fold
        Whether other tables keep to it too: their widest cells are folded. Elsewhere a row is a
        line, so that other programs can read it.
    """
    return "".join(
        printable(("\n" if at else "") + _part(part, width, fold, first=at == 0)) + "\n"
        for at, part in enumerate(document)
    )


def _part(part: Part, width: int, fold: bool, *, first: bool) -> str:
    match part:
        case doc.Heading(words):
            return f"{line(words)}\n{('=' if first else '-') * _columns(line(words))}"
        case doc.Paragraph(words) | doc.Figure(caption=words):
            return _filled(words, min(width, WIDTH))
        case doc.Sentences(lines):
            return "\n".join(map(_said, lines))
        case doc.BulletList(items):
            return "\n".join(_filled(item, min(width, WIDTH), "- ", "  ") for item in items)
        case doc.Command(words):
            return f"{_MARGIN}{words}"
        case doc.Callout(label, words):
            return f"{label}: {_said(words)}"
        case doc.TextTable():
            return "\n".join(_table(part, width, fold))


def _table(table: TextTable, width: int, fold: bool) -> Iterator[str]:
    margin = _MARGIN if table.title else ""
    lines = [[line(cell.removeprefix(">")) for cell in table.columns]]
    lines += [[line(cell) for cell in row] for row in table.rows]
    widths = [max(map(_columns, column)) for column in zip(*lines, strict=True)]
    room = width - len(margin) - len(_GAP) * (len(widths) - 1)
    if table.cut:
        widths[-1] = min(widths[-1], max(room - sum(widths[:-1]), _columns(lines[0][-1])))
        lines = [[*row[:-1], cut(row[-1], widths[-1])] for row in lines]
    elif fold:
        widths = _fitted(widths, room)
    lines.insert(1, ["─" * w for w in widths])
    right = [column.startswith(">") for column in table.columns]
    if table.title:
        yield bare(table.title)
    yield from (f"{margin}{drawn}".rstrip() for row in lines for drawn in _row(row, widths, right))
    yield from (f"{margin}{bare(note)}" for note in table.notes)


def _row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    """The lines of a row: several where cells are folded."""
    folded = [_wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for pieces in zip_longest(*folded, fillvalue=""):
        yield _GAP.join(
            gap + piece if to_the_right else piece + gap
            for piece, width, to_the_right in zip(pieces, widths, right, strict=True)
            for gap in [" " * (width - _columns(piece))]
        )


def _fitted(widths: Sequence[int], room: int) -> list[int]:
    """Widths that fill the room at most, taken from the widest."""
    fitted = [min(width, max(room, _NARROWEST)) for width in widths]
    while sum(fitted) > room and max(fitted) > _NARROWEST:
        fitted[fitted.index(max(fitted))] -= 1
    return fitted


def _filled(words: str, width: int, first: str = "", others: str = "") -> str:
    """A paragraph whose first line and other lines begin so."""
    lines = _wrapped(" ".join(_said(words).split()), width - len(others))
    return "\n".join(f"{others if at else first}{one}" for at, one in enumerate(lines))


def _said(words: str) -> str:
    """Words of a sentence; a name keeps its marks where nothing else says where it ends."""
    pieces = parts(words)
    for at in range(1, len(pieces), 2):
        if " " in pieces[at] or pieces[at].startswith("-"):
            pieces[at] = f"`{pieces[at]}`"
    return "".join(pieces)


def _wrapped(text: str, room: int) -> list[str]:
    """The text in lines of so many columns; a longer word is cut."""
    if _columns(text) <= room:
        return [text]
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".lstrip()
        if _columns(joined) <= room:
            lines[-1] = joined
        else:
            lines += _pieces(word, room)
    return lines if lines[0] else lines[1:]


def _pieces(word: str, room: int) -> list[str]:
    found = [""]
    for sign in word:
        if found[-1] and _columns(found[-1] + sign) > room:
            found.append("")
        found[-1] += sign
    return found


def cut(text: str, room: int) -> str:
    """The text, cut to so many columns."""
    return text if _columns(text) <= room else f"{_pieces(text, max(room - 1, 1))[0].rstrip()}…"


def _columns(text: str) -> int:
    """The columns of a terminal that a text takes: Chinese signs take two, accents none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )
