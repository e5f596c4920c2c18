"""Predict what a search will do with its budget.

The target is not started: the code of the search runs on a simulated target with simulated times,
so real counts differ by some tens of per cent.
"""

from __future__ import annotations

import argparse
import math
import os
from dataclasses import asdict
from typing import TYPE_CHECKING

from racing.base.errors import InputError
from racing.base.words import amounts, listed
from racing.cli import exits
from racing.cli.changes import add_changes, changes_of
from racing.cli.console import add_json, say, say_json, talk
from racing.cli.forecast import no_default, reuse_facts, reuse_line
from racing.cli.irace import add_search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from racing.scenario import Scenario
    from racing.search.search_plan import SearchPlan

HELP = "predict what a search will do with its budget"
EXAMPLES = (
    "racing plan race.yaml",
    "racing plan race.yaml --budget 2000 --jobs 8",
    "racing plan race.yaml --seconds 0.5 --search irace",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
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
    parser.add_argument(
        "--price",
        metavar="UNIT=X",
        help="mean charge of an evaluation, such as usd=0.003 or usd=0.003,tokens=800 "
        "(default: the mean in the logs that the scenario reuses)",
    )
    add_changes(parser)
    add_search(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.scenario import read

    scenario = read(args.config, search=args.search, changes=changes_of(args))
    if args.seconds is not None and not args.seconds > 0:
        raise InputError(f"--seconds {args.seconds}: must be above 0")
    jobs = scenario.execution.jobs if args.jobs is None else args.jobs
    reuse = reuse_facts(scenario)
    price = (reuse or {}).get("price") if args.price is None else prices(args.price)
    plan = plan_of(scenario, jobs, args.seconds, price)
    for warning in no_default(scenario):
        talk(f"warning: {warning}")
    if args.json:
        say_json({**asdict(plan), "reuse": reuse})
    else:
        for line in plan.lines():
            say(line)
        if reuse:
            say(reuse_line(reuse))
        if plan.paid:
            say(f"about {listed(amounts(plan.paid))} in all")
        if plan.window:
            recommended = plan.recommended_window
            say(f"window {plan.window}; {recommended} is recommended for this many jobs")
    return exits.OK


def prices(text: str) -> dict[str, float]:
    """Amounts by name, from a text such as `usd=0.003,tokens=800`.

    Raises
    ------
    InputError
        If it is no such text.
    """
    found: dict[str, float] = {}
    for part in text.split(","):
        unit, _, amount = (word.strip() for word in part.partition("="))
        try:
            found[unit] = float(amount)
        except ValueError:
            found[unit] = math.nan
        if not unit.isidentifier() or not 0 <= found[unit] < math.inf:
            raise InputError(
                f"--price {text}: expected names with amounts, such as usd=0.003,tokens=800"
            )
    return found


def plan_of(
    scenario: Scenario, jobs: int, seconds: float | None, price: Mapping[str, float] | None = None
) -> SearchPlan:
    """The plan of a scenario's search.

    Raises
    ------
    InputError
        If the scenario has no search, or jobs make no sense.
    """
    from racing.scenario import SearchSettings
    from racing.search.search_plan import plan
    from racing.search.settings import Settings

    if scenario.search is None or scenario.space is None:
        raise InputError("the scenario has no search, so there is nothing to plan")
    if jobs < 1 and jobs != -1:
        raise InputError(f"jobs is {jobs}; it must be 1 or more, or -1 for one per processor")
    search = scenario.search
    window = search.window if isinstance(search, SearchSettings) else 1
    settings = search.settings if isinstance(search, SearchSettings) else search
    if scenario.plan.goal is not None and isinstance(settings, Settings):
        front = scenario.plan.goal.front
        settings = settings.for_front(len(front)) if front else settings
    return plan(
        scenario.budget,
        configurations=scenario.space.size,
        parameters=len(scenario.space),
        instances=scenario.plan.instances,
        window=window,
        workers=jobs if jobs > 0 else os.cpu_count() or 1,
        seconds=seconds,
        price=price,
        settings=settings,
        seed=scenario.seed,
        portfolio=getattr(search, "portfolio", None),
    )
