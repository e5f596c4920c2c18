"""Write a run's outcomes, candidates and verdicts as CSV and JSON files."""

from __future__ import annotations

import argparse
from pathlib import Path

from racing.cli.console import print_files
from racing.cli.options import JSON, RUN, option
from racing.log.export import export
from racing.log.sqlite import SQLiteLog

EXAMPLES = (
    "racing export runs/race.sqlite",
    "racing export runs/race.sqlite --to tables",
    "racing export runs/race.sqlite --raw",
)

ARGUMENTS = (
    RUN,
    option(
        "--to",
        metavar="FOLDER",
        help="where the files go (default: the log's name, without .sqlite)",
    ),
    option(
        "--raw",
        action="store_true",
        help="write text as it is, also where a spreadsheet would take it for a formula",
    ),
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    log = Path(args.run)
    with SQLiteLog.open(log, write=False) as book:
        files = export(book, Path(args.to) if args.to else log.with_suffix(""), raw=args.raw)
    print_files(args, files)
    return 0
