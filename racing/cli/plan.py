"""Say what a search is going to do with its budget, before it is run.

Nothing is started: the code of the search is run on a made-up target with made-up run times, so
real counts differ by some tens of percent.
"""

from __future__ import annotations

import argparse
import math
import os
from dataclasses import asdict
from typing import TYPE_CHECKING

from racing.cli import exits
from racing.cli.console import add_json, say, say_json
from racing.cli.irace import add_search
from racing.errors import InputError

if TYPE_CHECKING:
    from racing.scenario import Scenario
    from racing.search.plan import SearchPlan

HELP = "say what a search is going to do with its budget"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("config", metavar="CONFIG", help="the scenario, a YAML file")
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="how many evaluations run at once, -1 for one per processor (default: the scenario's)",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help="what an evaluation takes on average, to say how long the search is going to take",
    )
    add_search(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.scenario import read

    scenario = read(args.config, search=args.search)
    if args.seconds is not None and not args.seconds > 0:
        raise InputError(f"--seconds {args.seconds}: must be above 0")
    jobs = scenario.execution.jobs if args.jobs is None else args.jobs
    plan = plan_of(scenario, jobs, math.nan if args.seconds is None else args.seconds)
    if args.json:
        say_json(asdict(plan))
    else:
        for line in plan.lines():
            say(line)
        if plan.window:
            recommended = plan.recommended_window
            say(f"window {plan.window}; {recommended} is recommended for this many jobs")
    return exits.OK


def plan_of(scenario: Scenario, jobs: int, seconds: float) -> SearchPlan:
    """The plan of a scenario's search.

    Raises
    ------
    InputError
        If the scenario has no search, or jobs make no sense.
    """
    from racing.scenario import SearchSettings
    from racing.search.plan import plan

    if scenario.search is None or scenario.space is None:
        raise InputError("the scenario has no search, so there is nothing to plan")
    if jobs < 1 and jobs != -1:
        raise InputError(f"jobs is {jobs}; it must be 1 or more, or -1 for one per processor")
    search = scenario.search
    window = search.window if isinstance(search, SearchSettings) else 1
    settings = search.settings if isinstance(search, SearchSettings) else search
    return plan(
        scenario.budget,
        configurations=scenario.space.size,
        parameters=len(scenario.space),
        instances=scenario.plan.instances,
        window=window,
        workers=jobs if jobs > 0 else os.cpu_count() or 1,
        seconds=seconds,
        settings=settings,
        seed=scenario.seed,
    )
