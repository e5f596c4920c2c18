"""Check a scenario, and run its target once to see its answer."""

from __future__ import annotations

import argparse

from racing.cli import exits
from racing.cli.console import print_result, read_or_not, results_alone
from racing.cli.options import CHANGES, CONFIG, JSON, option
from racing.cli.scenario import stated
from racing.report.check import check, checked

EXAMPLES = (
    "racing check race.yaml",
    "racing check race.yaml --no-run",
    "racing check race.yaml --budget 2000 --set rule=sign",
)

ARGUMENTS = (
    CONFIG,
    option(
        "--no-run", dest="run", action="store_false", help="only read it; do not start the target"
    ),
    *CHANGES,
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    scenario = stated(args)
    with results_alone():
        told = check(scenario, args.config, run=args.run)
    with read_or_not():
        print_result(args, told, checked)
    failed = told.trial is not None and told.trial.status != "ok"
    return exits.TARGET_FAILED if failed else exits.OK
