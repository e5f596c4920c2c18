"""Documents set as plain text, Markdown or LaTeX (tables in booktabs style)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from racing.compare.blocks import Block, Heading, Items, Paragraph, TextTable

_WIDTH = 88
_NAME = re.compile(r"`([^`]*)`")
_LATEX = {
    "\\": r"\textbackslash{}",
    **{mark: "\\" + mark for mark in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "–": "--",
    "∞": r"$\infty$",
    "χ²": r"$\chi^2$",
    "η²": r"$\eta^2$",
    "√": r"$\surd$",
    "·": r"$\cdot$",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    "α": r"$\alpha$",
    "ρ": r"$\rho$",
    "θ": r"$\theta$",
}
_LATEX_MARKS = re.compile("|".join(map(re.escape, sorted(_LATEX, key=len, reverse=True))))
_POWER = re.compile(r"(?<![\w.])(\d(?:\.\d+)?)e([+-])0*(\d+)(?!\w)")
_MARKDOWN_MARKS = re.compile(r"([\\*_|<>#\[\]])")


def text(blocks: Sequence[Block], *, width: int = _WIDTH) -> str:
    """Plain text for a terminal."""
    return "\n\n".join(_text(block, width, first=at == 0) for at, block in enumerate(blocks)) + "\n"


def markdown(blocks: Sequence[Block]) -> str:
    """Markdown with pipe tables."""
    parts = []
    for at, block in enumerate(blocks):
        match block:
            case Heading(title):
                parts.append(f"{'#' if at == 0 else '##'} {_markdown(title)}")
            case Paragraph(words):
                parts.append(_markdown(words))
            case Items(items):
                parts.append("\n".join(f"- {_markdown(item)}" for item in items))
            case TextTable():
                parts.append(_markdown_table(block))
    return "\n\n".join(parts) + "\n"


def latex(blocks: Sequence[Block]) -> str:
    """The tables as LaTeX tables with captions; needs the package booktabs."""
    tables = [_latex_table(block) for block in blocks if isinstance(block, TextTable)]
    return "% \\usepackage{booktabs}\n" + "\n".join(tables)


def escape_latex(words: str) -> str:
    """Text as LaTeX source: special characters escaped, powers of ten and signs in math mode."""
    with_powers = _POWER.sub(_power_mark, _bare(words))
    escaped = _LATEX_MARKS.sub(lambda found: _LATEX[found[0]], with_powers)
    return _MARKED_POWER.sub(_power, escaped)


_MARKED_POWER = re.compile("\x00([^\x00]*)\x00([^\x00]*)\x00")


def _power_mark(found: re.Match[str]) -> str:
    sign = "-" if found[2] == "-" else ""
    return f"\x00{found[1]}\x00{sign}{found[3]}\x00"


def _power(found: re.Match[str]) -> str:
    return f"${found[1]}\\cdot 10^{{{found[2]}}}$"


def _text(block: Block, width: int, *, first: bool) -> str:
    match block:
        case Heading(title):
            rule = ("=" if first else "-") * len(_bare(title))
            return f"{_bare(title)}\n{rule}"
        case Paragraph(words):
            return textwrap.fill(_bare(words), width)
        case Items(items):
            return "\n".join(
                textwrap.fill(_bare(item), width, initial_indent="- ", subsequent_indent="  ")
                for item in items
            )
        case TextTable():
            return _text_table(block)


def _text_table(table: TextTable) -> str:
    heads = [column.removeprefix(">") for column in table.columns]
    rows = [[_bare(cell) for cell in row] for row in table.rows]
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
    rows = [[_markdown(cell) for cell in row] for row in table.rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in (heads, marks, *rows))


def _latex_table(table: TextTable) -> str:
    form = "".join("r" if column.startswith(">") else "l" for column in table.columns)
    heads = [escape_latex(column.removeprefix(">")) for column in table.columns]
    lines = [" & ".join(escape_latex(cell) for cell in row) + r" \\" for row in table.rows]
    return "\n".join(
        (
            r"\begin{table}",
            r"  \centering",
            f"  \\caption{{{escape_latex(table.caption)}}}",
            f"  \\label{{tab:{table.key}}}",
            f"  \\begin{{tabular}}{{{form}}}",
            r"    \toprule",
            f"    {' & '.join(heads)} \\\\",
            r"    \midrule",
            *(f"    {line}" for line in lines),
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        )
    )


def _markdown(words: str) -> str:
    """Names as code, everything else escaped where Markdown would read a mark."""
    parts = _NAME.split(words)
    for at, part in enumerate(parts):
        parts[at] = _code(part) if at % 2 else _MARKDOWN_MARKS.sub(r"\\\1", part)
    return "".join(parts)


def _code(name: str) -> str:
    return "`" + name.replace("|", "\\|") + "`"


def _bare(words: str) -> str:
    return _NAME.sub(r"\1", words)
