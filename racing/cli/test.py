"""Evaluate a run's winner on instances that the race has not seen, against another candidate.

Of a run for a front its front is tested, of a search for a team its team, each against the default.
The evaluations are recorded beside the run, so the same command resumes an interrupted test.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

from racing.analysis.unseen import holdout
from racing.answer.tested import UnseenTest
from racing.base.errors import InputError, NothingToTest
from racing.cli import exits
from racing.cli.console import print_result
from racing.cli.options import BY, DRIVING, JSON, RUN, option
from racing.cli.session import finished
from racing.report.parts import UnseenReport
from racing.report.run_document import tested, unseen_report

EXAMPLES = (
    "racing test runs/race.sqlite",
    "racing test runs/race.sqlite 'held/*.cnf' --jobs 4",
    "racing test runs/race.sqlite held --against '#3'",
)

ARGUMENTS = (
    RUN,
    option(
        "instances",
        metavar="INSTANCE",
        nargs="*",
        default=[],
        help="instances held back, or patterns or folders of them (default: the scenario's "
        "test_instances)",
    ),
    option(
        "--against",
        metavar="NAME",
        help="name or #id of the other candidate (default: the default, else the run's first)",
    ),
    option(
        "--portfolio",
        type=int,
        nargs="?",
        const=0,
        metavar="K",
        help="evaluate a team of K candidates, against the single best and the default, in place "
        "of the winner (default for K: as `racing portfolio` chooses it; of a search for a team, "
        "its team, which is the default without this option)",
    ),
    BY,
    option(
        "--log",
        metavar="FILE",
        help="where these evaluations are recorded (default: beside RUN, with .test before its "
        "ending)",
    ),
    *DRIVING,
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.portfolio is not None and (args.against or args.by):
        raise InputError(
            "--portfolio: not with --against or --by; the team is compared with the best single "
            "candidate and with the default"
        )
    go = partial(
        holdout, args.run, args.instances, against=args.against, team=args.portfolio,
        record=args.log,
    )  # fmt: skip
    print_result(args, unseen(go, Path(args.run), args, by=args.by), tested)
    return exits.OK


def unseen(
    go: Callable[..., UnseenTest | None], log: Path, args: argparse.Namespace, by: str | None = None
) -> UnseenReport:
    """What a test of a run's result says; `go` is `racing.holdout` without its options."""
    try:
        return unseen_report(log, finished(lambda options: go(options=options), args), by=by)
    except NothingToTest as nothing:
        return unseen_report(log, nothing.candidate)
