"""Choose a team of candidates that complement each other, from the logs of runs.

No candidate is best everywhere. Of a team each instance counts with its best member, as if all ran
at once, or the right one were chosen. Its gain is estimated on instances that had no part in the
choice. With --fill it evaluates where that may change the choice; these evaluations are recorded
beside the first run, so the same command resumes it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from racing.analysis.portfolio import portfolio
from racing.analysis.portfolio.fill import fill
from racing.cli import exits
from racing.cli.by import add_by
from racing.cli.console import add_json, say, say_json, talk, tell
from racing.cli.session import add_driving, driven
from racing.report.figures import write_figures
from racing.report.page import write_page
from racing.report.page.portfolio import team_page
from racing.report.pictures.team import team_pictures
from racing.report.portfolio import team_document, team_form, team_report

if TYPE_CHECKING:
    from racing.analysis.portfolio import Portfolio

EXAMPLES = (
    "racing portfolio runs/race.sqlite",
    "racing portfolio runs/race.sqlite --size 3 --fill 200",
    "racing portfolio runs/race.sqlite --by family --export yaml",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "runs", metavar="RUN", nargs="+", help="the logs of runs on the same instances"
    )
    parser.add_argument(
        "--size",
        type=int,
        metavar="K",
        help="how many members (default: so many that no larger team is shown to be better)",
    )
    parser.add_argument(
        "--fill",
        type=int,
        metavar="N",
        help="first spend N evaluations, all such commands together, where they may change the "
        "team",
    )
    add_by(parser)
    parser.add_argument(
        "--export",
        choices=("yaml", "json", "commands"),
        help="print the team alone, to be used: as candidates of a scenario, as JSON, or a command "
        "line a member",
    )
    parser.add_argument("--html", metavar="FILE", help="write a page with pictures of the team")
    parser.add_argument(
        "--png", metavar="FOLDER", help="the pictures as PNG files (needs `racing[plot]`)"
    )
    parser.add_argument("--svg", metavar="FOLDER", help="the same as SVG files")
    add_driving(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.fill is not None and not _filled(args):
        talk("interrupted; the same command again resumes it")
        return exits.INTERRUPTED
    found = portfolio(args.runs, size=args.size, by=args.by)
    told = team_report(found)
    if args.export:
        say(team_form(told, args.export), end="")
    elif args.json:
        say_json(told)
    else:
        tell(team_document(told))
    for path in _written(found, args):
        talk(f"wrote {path}")
    return exits.OK


def _filled(args: argparse.Namespace) -> bool:
    return driven(lambda options: fill(args.runs, args.fill, size=args.size, options=options), args)


def _written(found: Portfolio, args: argparse.Namespace) -> list[Path]:
    files: list[Path] = []
    if args.html:
        files.append(write_page(Path(args.html), team_page(found, name=", ".join(args.runs))))
    for folder, ending in ((args.png, ".png"), (args.svg, ".svg")):
        if folder:
            files += write_figures(team_pictures(found), Path(folder), ending)
    return files
