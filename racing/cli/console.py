"""Output streams: results to stdout, other messages to stderr."""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from racing.base.plain import drop as drop
from racing.base.plain import json_text, printable
from racing.base.plain import say as say
from racing.base.plain import talk as talk
from racing.base.units import duration as duration


@contextmanager
def results_alone() -> Iterator[None]:
    """Context manager that keeps stdout for the result: other output to it goes to stderr.

    A target may run in this process, and its C code prints without `sys.stdout`.
    """
    try:
        sys.stdout.flush()
        kept = os.dup(1)
    except (OSError, ValueError):  # without a stdout
        yield
        return
    try:
        with suppress(OSError):
            os.dup2(2, 1)
        yield
    finally:
        _flush_c_output()
        os.dup2(kept, 1)
        os.close(kept)


def _flush_c_output() -> None:
    """Flush the buffers of C, if its library is available."""
    with suppress(OSError, AttributeError, ImportError):
        import ctypes

        ctypes.CDLL(None).fflush(None)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option `--json` to a command."""
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def say_json(data: Any) -> None:
    """Print the result as JSON; `racing.base.plain.jsonable` converts infinities."""
    say(json_text(data))


def width() -> int:
    """The width of a line: that of the terminal, or $COLUMNS, or 80."""
    return shutil.get_terminal_size((80, 24)).columns


def fit(line: str) -> str:
    """The line, cut to the width."""
    return _shortened(line, width())


_MARGIN, _GAP = 3, 3
"""Widths of the margin of a table, and of the gap between cells."""


def table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    cut_last: bool = False,
) -> None:
    """Print a table to stdout; columns with a name that starts with `>` are right-aligned.

    On a terminal it keeps to the width of the window; elsewhere a row is a line. With `cut_last`
    rows are lines that fit the width in either case: the last column is cut.
    """
    lines = [[printable(str(cell)) for cell in row] for row in rows]
    names = [printable(column.lstrip(">")) for column in columns]
    right = [column.startswith(">") for column in columns]
    if cut_last:
        lines = _cut(lines, names)
    if sys.stdout.isatty():
        drawn = _styled(names, lines, right, room=10_000 if cut_last else None)
    else:
        drawn = list(_aligned(names, lines, right))
    say(f"\n{title}")
    for line in drawn:
        if line.strip():
            print(line.rstrip())  # with the styles of a terminal; its cells are printable


def _aligned(
    names: Sequence[str], lines: Sequence[Sequence[str]], right: Sequence[bool]
) -> Iterator[str]:
    """The lines of a table without styles: rich, which draws the same, takes long to import."""
    widths = [max(map(_columns, cells)) for cells in zip(names, *lines, strict=True)]
    rule = "─" * (sum(widths) + _GAP * (len(widths) - 1) + 2)
    for number, row in enumerate((names, *lines)):
        cells = [
            f"{gap}{cell}" if end else f"{cell}{gap}"
            for cell, room, end in zip(row, widths, right, strict=True)
            for gap in [" " * (room - _columns(cell))]
        ]
        yield "  " + (" " * _GAP).join(cells)
        if number == 0:
            yield f" {rule}"


def _columns(text: str) -> int:
    """The columns of a terminal that a text takes: Chinese signs take two, accents none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def _styled(
    names: Sequence[str], lines: Sequence[Sequence[str]], right: Sequence[bool], room: int | None
) -> list[str]:
    """The lines of a table with the styles of a terminal; None for the width of the window."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    grid = Table(box=box.SIMPLE_HEAD)
    for name, end in zip(names, right, strict=True):
        grid.add_column(name, justify="right" if end else "left", overflow="fold")
    for row in lines:
        grid.add_row(*row)

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # handled by us, instead of an exit with 1

    console = Plain(file=sys.stdout, width=room, markup=False, highlight=False)
    with console.capture() as drawn:
        console.print(grid)
    return drawn.get().splitlines()


def _cut(lines: Sequence[Sequence[str]], names: Sequence[str]) -> list[list[str]]:
    """The rows with last cells cut to the width."""
    widths = [max(map(len, cells)) for cells in zip(names, *lines, strict=True)][:-1]
    room = width() - _MARGIN - sum(widths) - _GAP * len(widths)
    return [[*row[:-1], _shortened(row[-1], max(room, len(names[-1])))] for row in lines]


def _shortened(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"


def interval(gain: Mapping[str, Any]) -> str:
    """A mean with its interval; a dash where it is not known."""
    if gain["mean"] is None:
        return "–"
    return f"{number(gain['mean'])} ({number(gain['low'])} to {number(gain['high'])})"


def number(value: float | None, digits: int = 4) -> str:
    """A number as text; a dash for None or NaN."""
    return "–" if value is None or math.isnan(value) else f"{value + 0.0:.{digits}g}"  # no -0


def count(n: int, thing: str) -> str:
    """`1 instance`, `2 instances`."""
    return f"{n} {thing}{'' if n == 1 else 's'}"
