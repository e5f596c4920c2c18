"""Write a report of a run that one wants to look at: a page with pictures, or files for papers.

The page is one HTML file that opens in any browser, without a network. It begins with a paragraph
that says who won, by how much and how sure that is. It only reads the log, so it can be used while
the run goes on.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from racing.cli import exits
from racing.cli.console import add_json, say_json, talk

if TYPE_CHECKING:
    from racing.report import History

HELP = "write a page with pictures of a run, or the pictures as files"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("run", metavar="RUN", help="the log of a run, finished or not")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the page (default: RUN with the ending .html)"
    )
    parser.add_argument(
        "--png", metavar="FOLDER", help="the pictures as PNG files instead (needs `racing[plot]`)"
    )
    parser.add_argument("--svg", metavar="FOLDER", help="the same as SVG files")
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    run = Path(args.run)
    history = told(run)
    written = _figures(history, args)
    if args.output or not written:
        written.append(_page(history, run, Path(args.output or run.with_suffix(".html"))))
    if args.json:
        say_json({"files": [str(path) for path in written]})
    for path in written:
        talk(f"wrote {path}")
    return exits.OK


def told(run: Path) -> History:
    """The history of a run in a log."""
    from racing.log.sqlite import SQLiteLog
    from racing.report import history

    with SQLiteLog.open(run, write=False) as log:
        return history(log)


def _figures(history: History, args: argparse.Namespace) -> list[Path]:
    found: list[Path] = []
    for folder, ending in ((args.png, ".png"), (args.svg, ".svg")):
        if folder:
            from racing.report.figures import write_figures

            found += write_figures(history, Path(folder), ending)
    return found


def _page(history: History, run: Path, path: Path) -> Path:
    from racing.cli.web import data_of
    from racing.report.page import html

    return write_page(path, html(data_of(history, run)))


def write_page(path: Path, text: str) -> Path:
    """Write a page, whole or not at all.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    import os

    from racing.errors import InputError

    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8", errors="backslashreplace")
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    return path
