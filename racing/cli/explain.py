"""Explain a run's winner: which changes brought its gain, which parameters matter, what was missed.

It reads the log. With --budget it also evaluates configurations between the default and the winner;
these evaluations are recorded beside the run, so the same command resumes an interrupted ablation.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from racing.analysis.explain.explanation import explain
from racing.cli import exits
from racing.cli.console import print_result, say, talk
from racing.cli.options import DRIVING, JSON, RUN, option
from racing.cli.session import finished
from racing.report.explanation import explained, write_csv

EXAMPLES = (
    "racing explain runs/race.sqlite",
    "racing explain runs/race.sqlite --budget 300",
    "racing explain runs/race.sqlite --csv tables",
)

ARGUMENTS = (
    RUN,
    option(
        "--budget",
        type=int,
        metavar="N",
        help="evaluations for a path of changes to the winner (default: none are made)",
    ),
    option(
        "--against",
        metavar="NAME",
        help="name or #id of the candidate that the path begins with (default: the default, else "
        "the run's first)",
    ),
    option("--csv", metavar="FOLDER", help="also write the tables as CSV files into FOLDER"),
    *DRIVING,
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    found = finished(
        lambda options: explain(
            Path(args.run), against=args.against, budget=args.budget, options=options
        ),
        args,
    )
    print_result(args, found, explained)
    for file in write_csv(found, Path(args.csv)) if args.csv else ():
        (talk if args.json else say)(f"wrote {file}")
    return exits.OK
