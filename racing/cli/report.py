"""Write a report of a run: a page with pictures, or the pictures as files for papers.

The page is one HTML file for any browser, without a network. Its first paragraph has the winner,
its gain, and the interval of the gain. Several runs are side by side on one page. The command only
reads the logs, so it can be used during a run.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from racing.base.errors import InputError
from racing.cli import exits
from racing.cli.console import Written, say_json, talk
from racing.cli.options import BY, JSON, PICTURES, option
from racing.cli.session import write_pictures
from racing.report import read_history
from racing.report.page import page_data, write_page
from racing.report.page.data import read_several_data
from racing.report.pictures import pictures

EXAMPLES = (
    "racing report runs/race.sqlite",
    "racing report runs/first.sqlite runs/second.sqlite --output both.html",
    "racing report runs/race.sqlite --svg figures",
)

ARGUMENTS = (
    option(
        "runs", metavar="RUN", nargs="+", help="the log of a run, finished or not; or of several"
    ),
    option("-o", "--output", metavar="FILE", help="the page (default: RUN with the ending .html)"),
    *PICTURES,
    BY,
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    runs = [Path(run) for run in args.runs]
    written = _of_one(runs[0], args) if len(runs) == 1 else [_of_several(runs, args)]
    if args.json:
        say_json(Written(tuple(written)))
    for path in written:
        talk(f"wrote {path}")
    return exits.OK


def _of_one(run: Path, args: argparse.Namespace) -> list[Path]:
    """The page of a run, or its pictures as files."""
    history = read_history(run, by=args.by)
    written = write_pictures(args, partial(pictures, history))
    if args.output or not written:
        page = Path(args.output or run.with_suffix(".html"))
        written.append(write_page(page, page_data(history, run)))
    return written


def _of_several(runs: list[Path], args: argparse.Namespace) -> Path:
    """The page that has several runs side by side."""
    if args.png or args.svg:
        raise InputError("--png and --svg take one run; several runs make a page")
    if args.by:
        raise InputError("--by takes one run; several runs stand side by side as a whole")
    page = Path(args.output or runs[0].with_name("-".join(run.stem for run in runs) + ".html"))
    return write_page(page, read_several_data(runs))
