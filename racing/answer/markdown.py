"""Documents as Markdown, with pipe tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from racing.answer import document as doc
from racing.answer.document import Document, Part, TextTable, parts
from racing.base.plain import printable

_MARKS = re.compile(r"([\\`*_|<>#\[\]~&$])")
# What code and lists begin with.
_BLOCK = re.compile(r"^[ \t]*(\d*)([-+=.)])|^[ \t]+", re.MULTILINE)
_TICKS = re.compile("`+")


def markdown(document: Document) -> str:
    """Markdown; the best of a column is bold."""
    return "\n\n".join(_part(part, first=at == 0) for at, part in enumerate(document)) + "\n"


def _part(part: Part, *, first: bool) -> str:
    match part:
        case doc.Heading(words):
            return f"{'#' if first else '##'} {_line(words)}"
        case doc.Paragraph(words) | doc.Figure(caption=words):
            return _words(words)
        case doc.Sentences(lines):
            return "\n\n".join(map(_words, lines))
        case doc.BulletList(items):
            return "\n".join(f"- {_line(item)}" for item in items)
        case doc.Command(words):
            fence = _fence(words, 3)
            return f"{fence}sh\n{printable(words)}\n{fence}"
        case doc.Callout(label, words):
            return f"> **{_line(label)}:** {_line(words)}"
        case doc.TextTable():
            return "\n\n".join(_table(part))


def _table(table: TextTable) -> Iterator[str]:
    heads = [_cell(column.removeprefix(">")) or " " for column in table.columns]
    marks = ["---:" if column.startswith(">") else ":---" for column in table.columns]
    rows = table.spelled(_cell, "**{}**")
    if table.title:
        yield f"**{_line(table.title)}**"
    yield "\n".join("| " + " | ".join(line) + " |" for line in (heads, marks, *rows))
    yield from map(_words, table.notes)


def _cell(words: str) -> str:
    """Words on a line; a | would end the cell, in a name too."""
    return _line(words, bar="\\|")


def _line(words: str, bar: str = "|") -> str:
    return " ".join(_words(words, bar).splitlines()).strip()


def _words(words: str, bar: str = "|") -> str:
    """Names as code, everything else escaped where Markdown would read a mark."""
    pieces = parts(words)
    for at, piece in enumerate(pieces):
        pieces[at] = _code(piece).replace("|", bar) if at % 2 else _MARKS.sub(r"\\\1", piece)
    pieces[0] = _BLOCK.sub(lambda found: f"{found[1]}\\{found[2]}" if found[2] else "", pieces[0])
    return "".join(pieces)


def _code(name: str) -> str:
    """A code span: its fence is longer than any run of ticks within."""
    fence = _fence(name, 1)
    pad = " " if not name.strip() or name[0] in "` " or name[-1] in "` " else ""
    return fence + pad + name + pad + fence


def _fence(text: str, least: int) -> str:
    """More ticks than any run of them in the text."""
    return "`" * max(least, *(1 + len(run) for run in _TICKS.findall(text)), 0)
