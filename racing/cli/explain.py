"""Explain a run's winner: which changes brought its gain, which parameters matter, what was missed.

It reads the log. With --budget it also evaluates configurations between the default and the winner;
these evaluations are recorded beside the run, so the same command resumes an interrupted ablation.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from racing.analysis.explain.explanation import explain
from racing.cli import exits
from racing.cli.console import add_json, say, say_json, talk, tell
from racing.cli.session import add_driving, driven
from racing.report.explanation import explanation_report, write_csv
from racing.report.explanation_document import explained

EXAMPLES = (
    "racing explain runs/race.sqlite",
    "racing explain runs/race.sqlite --budget 300",
    "racing explain runs/race.sqlite --csv tables",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", metavar="RUN", help="the log of a run, finished or not")
    parser.add_argument(
        "--budget",
        type=int,
        metavar="N",
        help="evaluations for a path of changes to the winner (default: none are made)",
    )
    parser.add_argument(
        "--against",
        metavar="NAME",
        help="name or #id of the candidate that the path begins with (default: the default, else "
        "the run's first)",
    )
    parser.add_argument(
        "--csv", metavar="FOLDER", help="also write the tables as CSV files into FOLDER"
    )
    add_driving(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    found = driven(
        lambda options: explain(
            Path(args.run), against=args.against, budget=args.budget, options=options
        ),
        args,
    )
    if found is None:
        talk("interrupted; the same command again resumes it")
        return exits.INTERRUPTED
    told = explanation_report(found)
    if args.json:
        say_json(told)
    else:
        tell(explained(told))
    for file in write_csv(told, Path(args.csv)) if args.csv else ():
        (talk if args.json else say)(f"wrote {file}")
    return exits.OK
