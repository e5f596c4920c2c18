"""Race from a scenario file to a winner."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from racing.cli.console import add_json
from racing.cli.driving import add_driving, drive

HELP = "race from a scenario file to a winner"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("config", metavar="CONFIG", help="a scenario in YAML, or irace's .txt")
    parser.add_argument("--log", metavar="FILE", help="where the run is recorded")
    parser.add_argument(
        "--force", action="store_true", help="replace the log of an earlier run, which is lost"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="another seed than the scenario's")
    add_driving(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.cli.irace import tell_options
    from racing.runs import run
    from racing.scenario import read

    scenario = read(args.config)
    tell_options(args.config)
    if args.seed is not None:
        scenario = replace(scenario, seed=args.seed)
    log = Path(args.log) if args.log else scenario.plan.log
    return drive(
        lambda options: run(scenario, log=log, options=options, force=args.force), log, args
    )
