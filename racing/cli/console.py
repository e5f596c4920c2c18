"""Output streams: results to stdout, other messages to stderr."""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from racing.base.plain import drop as drop
from racing.base.plain import json_text, printable
from racing.base.plain import talk as talk
from racing.base.units import duration as duration


def say(text: str = "") -> None:
    """Print a part of the result."""
    print(printable(text))


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
    print(json_text(data))


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
    from rich import box
    from rich.console import Console
    from rich.table import Table

    lines = [[printable(str(cell)) for cell in row] for row in rows]
    names = [printable(column.lstrip(">")) for column in columns]
    if cut_last:
        lines = _cut(lines, names)
    grid = Table(box=box.SIMPLE_HEAD)
    for column, name in zip(columns, names, strict=True):
        grid.add_column(
            name, justify="right" if column.startswith(">") else "left", overflow="fold"
        )
    for row in lines:
        grid.add_row(*row)
    room = None if sys.stdout.isatty() and not cut_last else 10_000

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # handled by us, instead of an exit with 1

    console = Plain(file=sys.stdout, width=room, markup=False, highlight=False)
    with console.capture() as drawn:
        console.print(grid)
    say(f"\n{title}")
    for line in drawn.get().splitlines():
        if line.strip():
            print(line.rstrip())  # with the styles of a terminal; its cells are printable


def _cut(lines: Sequence[Sequence[str]], names: Sequence[str]) -> list[list[str]]:
    """The rows with last cells cut to the width."""
    widths = [max(map(len, cells)) for cells in zip(names, *lines, strict=True)][:-1]
    room = width() - _MARGIN - sum(widths) - _GAP * len(widths)
    return [[*row[:-1], _shortened(row[-1], max(room, len(names[-1])))] for row in lines]


def _shortened(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"


def number(value: float | None, digits: int = 4) -> str:
    """A number as text; a dash for None or NaN."""
    return "–" if value is None or math.isnan(value) else f"{value + 0.0:.{digits}g}"  # no -0


def count(n: int, thing: str) -> str:
    """`1 instance`, `2 instances`."""
    return f"{n} {thing}{'' if n == 1 else 's'}"
