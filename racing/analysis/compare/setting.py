"""Documents as plain text or Markdown; for LaTeX see `latex`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from racing.analysis.compare.blocks import Block, BulletList, Heading, Paragraph, TextTable
from racing.analysis.compare.marks import bare, parts

_WIDTH = 88
_MARKDOWN_MARKS = re.compile(r"([\\`*_|<>#\[\]~&$])")
_TICKS = re.compile("`+")


def text(blocks: Sequence[Block], *, width: int = _WIDTH) -> str:
    """Plain text for a terminal."""
    return "\n\n".join(_text(block, width, first=at == 0) for at, block in enumerate(blocks)) + "\n"


def markdown(blocks: Sequence[Block]) -> str:
    """Markdown with pipe tables; the best of a column is bold."""
    set_blocks = []
    for at, block in enumerate(blocks):
        match block:
            case Heading(title):
                set_blocks.append(f"{'#' if at == 0 else '##'} {_markdown(title)}")
            case Paragraph(words):
                set_blocks.append(_markdown(words))
            case BulletList(items):
                set_blocks.append("\n".join(f"- {_markdown(item)}" for item in items))
            case TextTable():
                set_blocks.append(_markdown_table(block))
    return "\n\n".join(set_blocks) + "\n"


def _text(block: Block, width: int, *, first: bool) -> str:
    match block:
        case Heading(title):
            rule = ("=" if first else "-") * len(bare(title))
            return f"{bare(title)}\n{rule}"
        case Paragraph(words):
            return textwrap.fill(bare(words), width)
        case BulletList(items):
            return "\n".join(
                textwrap.fill(bare(item), width, initial_indent="- ", subsequent_indent="  ")
                for item in items
            )
        case TextTable():
            return _text_table(block)


def _text_table(table: TextTable) -> str:
    heads = [column.removeprefix(">") for column in table.columns]
    rows = [[bare(cell) for cell in row] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = [heads, ["─" * w for w in widths], *rows]
    right = [column.startswith(">") for column in table.columns]
    return "\n".join(
        "  ".join(
            cell.rjust(w) if r else cell.ljust(w)
            for cell, w, r in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def _markdown_table(table: TextTable) -> str:
    heads = [_markdown(column.removeprefix(">")) or " " for column in table.columns]
    marks = ["---:" if column.startswith(">") else ":---" for column in table.columns]
    rows = [
        [
            f"**{_markdown(cell)}**" if (i, j) in table.best else _markdown(cell)
            for j, cell in enumerate(row)
        ]
        for i, row in enumerate(table.rows)
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in (heads, marks, *rows))


def _markdown(words: str) -> str:
    """Names as code, everything else escaped where Markdown would read a mark."""
    pieces = parts(words)
    for at, piece in enumerate(pieces):
        pieces[at] = _code(piece) if at % 2 else _MARKDOWN_MARKS.sub(r"\\\1", piece)
    return "".join(pieces)


def _code(name: str) -> str:
    """A code span: its fence is longer than any run of ticks within; a | would end a cell."""
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(name)), default=0))
    pad = " " if not name.strip() or name[0] in "` " or name[-1] in "` " else ""
    return fence + pad + name.replace("|", "\\|") + pad + fence
