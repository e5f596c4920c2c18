"""Where words go: results to stdout, talk to stderr."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from racing.plain import drop as drop
from racing.plain import json_text, printable
from racing.plain import talk as talk
from racing.units import duration as duration


def say(text: str = "") -> None:
    """Print a part of the result."""
    print(printable(text))


@contextmanager
def results_alone() -> Iterator[None]:
    """Keep stdout for the result: what is written to its file descriptor goes to stderr meanwhile.

    A target may run in this very process, and C code in it prints without asking `sys.stdout`.
    """
    try:
        sys.stdout.flush()
        kept = os.dup(1)
    except (OSError, ValueError):  # there is no stdout to keep
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
    """Have C's own buffers written, where its library can be asked."""
    with suppress(OSError, AttributeError, ImportError):
        import ctypes

        ctypes.CDLL(None).fflush(None)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Give a command the option `--json`."""
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def say_json(data: Any) -> None:
    """Print the result as JSON; `racing.plain.jsonable` says what infinities become."""
    print(json_text(data))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table to stdout; columns whose name starts with `>` are set to the right.

    On a terminal it keeps to the width of the window; elsewhere a row is a line.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table

    grid = Table(box=box.SIMPLE_HEAD)
    for column in columns:
        right = column.startswith(">")
        grid.add_column(
            printable(column.lstrip(">")), justify="right" if right else "left", overflow="fold"
        )
    for row in rows:
        grid.add_row(*(printable(str(cell)) for cell in row))
    width = None if sys.stdout.isatty() else 10_000

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # ours to answer, not a reason to exit with 1

    console = Plain(file=sys.stdout, width=width, markup=False, highlight=False)
    with console.capture() as drawn:
        console.print(grid)
    say(f"\n{title}")
    for line in drawn.get().splitlines():
        if line.strip():
            print(line.rstrip())  # with the styles of a terminal; its cells are printable


def number(value: float, digits: int = 4) -> str:
    """A number for people."""
    return "–" if math.isnan(value) else f"{value + 0.0:.{digits}g}"  # no -0


def count(n: int, thing: str) -> str:
    """`1 instance`, `2 instances`."""
    return f"{n} {thing}{'' if n == 1 else 's'}"
