"""Race or search from a scenario file to a winner.

If the scenario has test_instances, the winner is then tested on them.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from racing.cli.console import add_json, talk
from racing.cli.driving import add_driving, add_engine, drive
from racing.cli.irace import add_search, tell_options

if TYPE_CHECKING:
    from racing.scenario import Scenario

HELP = "race or search from a scenario file to a winner"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("config", metavar="CONFIG", help="a scenario in YAML, or irace's .txt")
    parser.add_argument("--log", metavar="FILE", help="where the run is recorded")
    parser.add_argument(
        "--force", action="store_true", help="replace the log of an earlier run, which is lost"
    )
    parser.add_argument(
        "--from",
        dest="earlier",
        metavar="RUN",
        action="append",
        default=[],
        help="start with the configurations that an earlier run found best; may be given again",
    )
    add_search(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="another seed than the scenario's")
    add_driving(parser)
    add_engine(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.runs import run
    from racing.scenario import read

    scenario = read(args.config, search=args.search)
    tell_options(args.config, args.search)
    if args.seed is not None:
        scenario = replace(scenario, seed=args.seed)
    if args.earlier:
        scenario = _started(scenario, args.earlier)
    log = Path(args.log) if args.log else scenario.plan.log
    return drive(
        lambda options: run(scenario, log=log, options=options, force=args.force, pool=args.engine),
        log,
        args,
    )


def _started(scenario: Scenario, logs: list[str]) -> Scenario:
    """The scenario with what earlier runs found best, after saying so."""
    from racing.earlier import start_from

    earlier = start_from(scenario, logs)
    names = ", ".join(entry.name for entry in earlier.taken) or "nothing that is new"
    talk(f"from earlier runs: {names}; configurations only, their outcomes are not used")
    for left in earlier.left_out:
        talk(f"left out: {left}")
    return earlier.scenario
