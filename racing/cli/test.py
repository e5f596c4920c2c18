"""Evaluate a run's winner on instances that the race has not seen, against another candidate.

The evaluations are recorded beside the run, so the same command resumes an interrupted test.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from racing.analysis.unseen import holdout
from racing.base.errors import InputError, NothingToTest
from racing.cli import exits
from racing.cli.by import add_by
from racing.cli.console import add_json, say_json, talk, tell
from racing.cli.session import add_driving, driven
from racing.report.unseen import nothing_to_test, tested, unseen_report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from racing.report.run import UnseenReport

EXAMPLES = (
    "racing test runs/race.sqlite",
    "racing test runs/race.sqlite 'held/*.cnf' --jobs 4",
    "racing test runs/race.sqlite held --against '#3'",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", metavar="RUN", help="the log of a run")
    parser.add_argument(
        "instances",
        metavar="INSTANCE",
        nargs="*",
        help="instances held back, or patterns or folders of them (default: the scenario's "
        "test_instances)",
    )
    parser.add_argument(
        "--against",
        metavar="NAME",
        help="name or #id of the other candidate (default: the default, else the run's first)",
    )
    parser.add_argument(
        "--portfolio",
        type=int,
        nargs="?",
        const=0,
        metavar="K",
        help="evaluate a team of K candidates, against the single best and the default, in place "
        "of the winner (default for K: as `racing portfolio` chooses it; of a search for a team, "
        "its team, which is the default without this option)",
    )
    add_by(parser)
    parser.add_argument("--log", metavar="FILE", help="where these evaluations are recorded")
    add_driving(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    told, code = evaluate(
        Path(args.run),
        args,
        instances=args.instances,
        against=args.against,
        record=args.log,
        by=args.by,
        team=args.portfolio,
    )
    if args.json and told is not None:
        say_json(told)
    return code


def evaluate(
    log: Path,
    args: argparse.Namespace,
    *,
    instances: Sequence[str] = (),
    against: str | None = None,
    record: str | None = None,
    by: str | None = None,
    team: int | None = None,
) -> tuple[UnseenReport | None, int]:
    """Test the result of a run, and print that; the parameters are those of `racing.holdout`.

    With `by` the winner is tested, whatever the run is for.

    Returns
    -------
    The test, None if it was interrupted; and the exit code.
    """
    if team is not None and (against or by):
        raise InputError(
            "--portfolio: not with --against or --by; the team is compared with the best single "
            "candidate and with the default"
        )
    try:
        found = driven(
            lambda options: holdout(
                log, instances, against=against, team=team, record=record, options=options
            ),
            args,
        )
        told = None if found is None else unseen_report(log, found, by=by)
    except NothingToTest as nothing:
        told = nothing_to_test(log, nothing.candidate)
    if told is None:
        talk("interrupted; the same command again resumes it")
        return None, exits.INTERRUPTED
    if not args.json:
        tell(tested(told))
    return told, exits.OK
