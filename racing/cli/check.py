"""Check a scenario, and run its target once to see its answer."""

from __future__ import annotations

import argparse

from racing.cli import exits
from racing.cli.changes import add_changes, changes_of
from racing.cli.console import add_json, read_or_not, results_alone, say_json, tell
from racing.cli.irace import add_search, say_options
from racing.report.check import check, checked
from racing.scenario import read

EXAMPLES = (
    "racing check race.yaml",
    "racing check race.yaml --no-run",
    "racing check race.yaml --budget 2000 --set rule=sign",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("config", metavar="CONFIG", help="a scenario in YAML, or irace's .txt")
    parser.add_argument(
        "--no-run", dest="run", action="store_false", help="only read it; do not start the target"
    )
    add_changes(parser)
    add_search(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    scenario = read(args.config, search=args.search, changes=changes_of(args))
    say_options(args.config, args.search)
    with results_alone():
        told = check(scenario, args.config, run=args.run)
    with read_or_not():
        if args.json:
            say_json(told)
        else:
            tell(checked(told))
    failed = told.trial is not None and told.trial.status != "ok"
    return exits.TARGET_FAILED if failed else exits.OK
