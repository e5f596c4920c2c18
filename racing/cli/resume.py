"""Go on where a run stopped or was killed; nothing that was evaluated is evaluated again.

With --budget, go on with a run that is over.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from racing.cli.budgets import budget_from
from racing.cli.console import add_json
from racing.cli.driving import add_driving, add_engine, drive

HELP = "go on where a run stopped or was killed"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("run", metavar="RUN", help="the log of the run")
    parser.add_argument(
        "--budget",
        metavar="+N",
        help="so much more for a run that is over: evaluations such as +500, a time such as +30m, "
        "or pairs such as evaluations=500,target_time=2h",
    )
    parser.add_argument(
        "--accept-changed-target",
        action="store_true",
        help="go on although a file of the target has changed, and keep the costs so far",
    )
    add_driving(parser)
    add_engine(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.runs import resume

    log = Path(args.run)
    accept = args.accept_changed_target
    more = None if args.budget is None else budget_from(args.budget)
    return drive(
        lambda options: resume(
            log,
            budget=more,
            accept_changed_target=accept,
            options=options,
            pool=args.engine,
        ),
        log,
        args,
    )
