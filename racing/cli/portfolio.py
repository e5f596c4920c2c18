"""Choose a team of candidates that complement each other, from the logs of runs.

No candidate is best everywhere. Of a team each instance counts with its best member, as if all ran
at once, or the right one were chosen. Its gain is estimated on instances that had no part in the
choice. With --fill it evaluates where that may change the choice; these evaluations are recorded
beside the first run, so the same command resumes it.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from racing.analysis.portfolio.choice import portfolio
from racing.analysis.portfolio.fill import fill
from racing.cli import exits
from racing.cli.console import print_result, say, talk
from racing.cli.options import BY, DRIVING, JSON, PICTURES, option
from racing.cli.session import finished, write_pictures
from racing.report.page import write_page
from racing.report.page.data import team_page
from racing.report.pictures.team import team_pictures
from racing.report.portfolio import team_document, team_form

EXAMPLES = (
    "racing portfolio runs/race.sqlite",
    "racing portfolio runs/race.sqlite --size 3 --fill 200",
    "racing portfolio runs/race.sqlite --by family --export yaml",
)

ARGUMENTS = (
    option("runs", metavar="RUN", nargs="+", help="the logs of runs on the same instances"),
    option(
        "--size",
        type=int,
        metavar="K",
        help="how many members (default: so many that no larger team is shown to be better)",
    ),
    option(
        "--fill",
        type=int,
        metavar="N",
        help="first spend N evaluations, all such commands together, where they may change the "
        "team",
    ),
    BY,
    option(
        "--export",
        choices=("yaml", "json", "commands"),
        help="print the team alone, to be used: as candidates of a scenario, as JSON, or a command "
        "line a member",
    ),
    option("--html", metavar="FILE", help="write a page with pictures of the team"),
    *PICTURES,
    *DRIVING,
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.fill is not None:
        finished(lambda options: fill(args.runs, args.fill, size=args.size, options=options), args)
    found = portfolio(args.runs, size=args.size, by=args.by)
    if args.export:
        say(team_form(found, args.export), end="")
    else:
        print_result(args, found, team_document)
    files = write_pictures(args, partial(team_pictures, found))
    if args.html:
        files.append(write_page(Path(args.html), team_page(found, name=", ".join(args.runs))))
    for path in files:
        talk(f"wrote {path}")
    return exits.OK
