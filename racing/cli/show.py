"""Show the state of a run: the best candidate, the dropped ones and why, and the spending.

It only reads, so it can be used during the run.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from racing.cli import exits
from racing.cli.by import add_by
from racing.cli.console import add_json, say_json, tell
from racing.log.sqlite import SQLiteLog
from racing.report import gather
from racing.report.run import run_report
from racing.report.run_document import shown

EXAMPLES = (
    "racing show runs/race.sqlite",
    "racing show runs/race.sqlite --all",
    "racing show runs/race.sqlite --by family",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", metavar="RUN", help="the log of a run, finished or not")
    parser.add_argument(
        "--all",
        action="store_true",
        help="every row of long tables, not 20 of them, with every value",
    )
    add_by(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    log = Path(args.run)
    with SQLiteLog.open(log, write=False) as book:
        told = run_report(gather(book, by=args.by), log)
    if args.json:
        say_json(told)
    else:
        tell(shown(told, everything=args.all))
    return exits.OK
