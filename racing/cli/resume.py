"""Resume a run that stopped or was killed; no finished evaluation is repeated.

With --budget, extend a finished run; with --instances, add instances to any.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from racing.analysis.trial import files_of
from racing.base.errors import InputError, RacingError, must_be
from racing.base.records import INVALID, Errors, Record
from racing.cli.console import talk
from racing.cli.options import DRIVING, ENGINE, JSON, RUN, option
from racing.cli.run import drive
from racing.cli.scenario import limits
from racing.core.budget import Budget
from racing.log import SQLiteLog
from racing.runner.edited import edits, extension
from racing.runner.run import resume

_FORMS = "a number of evaluations such as +500, a time such as +30m, or name=limit pairs"

EXAMPLES = (
    "racing resume runs/race.sqlite",
    "racing resume runs/race.sqlite --instances more/* --budget +500",
    "racing resume runs/race.sqlite --jobs 8 --quiet",
)

ARGUMENTS = (
    RUN,
    option(
        "--budget",
        metavar="+N",
        help="so much more for a run that is over: evaluations such as +500, a time such as +30m, "
        "or pairs such as evaluations=500,target_time=2h",
    ),
    option(
        "--instances",
        metavar="FILE",
        nargs="+",
        default=(),
        help="add instances: files, patterns or folders, or names as the scenario has them; they "
        "come next, before the rest of those of the run",
    ),
    option(
        "--accept-changed-target",
        action="store_true",
        help="go on although a file of the target has changed, and keep the costs so far",
    ),
    *DRIVING,
    ENGINE,
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    log = Path(args.run)
    accept = args.accept_changed_target
    more = None if args.budget is None else budget_from(args.budget)
    added = [
        os.path.abspath(one) if os.path.exists(one) else one
        for given in args.instances
        for one in files_of(given)
    ]
    with suppress(RacingError):  # `resume` says what is wrong
        for line in notes(log, more):
            talk(line)
    return drive(
        lambda options: resume(
            log,
            budget=more,
            instances=added,
            accept_changed_target=accept,
            options=options,
            pool=args.engine,
        ),
        log,
        args,
    )


def budget_from(text: str) -> Budget:
    """The budget from a text.

    Raises
    ------
    InputError
        If the text is no budget.
    """
    errors = Errors()
    found = Record(Budget).read(limits(text), "", errors)
    if found is INVALID or errors.found:
        raise InputError(must_be("--budget", _FORMS, text, "; ".join(map(str, errors.found))))
    assert isinstance(found, Budget)
    return found


def notes(path: Path, more: Budget | None) -> Iterator[str]:
    """What is to be known before a run goes on: edits of its file, and its budget in all."""
    with SQLiteLog.open(path, write=False) as log, log.snapshot():
        yield from edits(log, extended=more is not None)
        if more is not None:
            yield extension(log, more)
