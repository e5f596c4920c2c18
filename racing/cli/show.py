"""Show the state of a run: the best candidate, the dropped ones and why, and the spending.

It only reads, so it can be used during the run.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from racing.cli import exits
from racing.cli.console import print_result
from racing.cli.options import BY, JSON, RUN, option
from racing.log.sqlite import SQLiteLog
from racing.report import gather
from racing.report.run_document import shown

EXAMPLES = (
    "racing show runs/race.sqlite",
    "racing show runs/race.sqlite --all",
    "racing show runs/race.sqlite --by family",
)

ARGUMENTS = (
    RUN,
    option(
        "--all",
        action="store_true",
        help="every row of long tables, not 20 of them, with every value",
    ),
    BY,
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    log = Path(args.run)
    with SQLiteLog.open(log, write=False) as book:
        told = gather(book, by=args.by)
    print_result(args, told, partial(shown, everything=args.all))
    return exits.OK
