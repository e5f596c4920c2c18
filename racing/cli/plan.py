"""Predict what a search will do with its budget.

The target is not started: the code of the search runs on a simulated target with simulated times,
so real counts differ: with 500 evaluations or more by up to 40 %, four times in five.
"""

from __future__ import annotations

import argparse
import math

from racing.base.errors import InputError, must_be
from racing.cli import exits
from racing.cli.console import print_result, talk
from racing.cli.options import CHANGES, CONFIG, JOBS, JSON, option
from racing.cli.scenario import stated
from racing.report.forecast import no_default
from racing.report.plan import plan_of, planned

EXAMPLES = (
    "racing plan race.yaml",
    "racing plan race.yaml --budget 2000 --jobs 8",
    "racing plan race.yaml --seconds 0.5 --search irace",
)

ARGUMENTS = (
    CONFIG,
    JOBS,
    option(
        "--seconds",
        type=float,
        metavar="S",
        help="what an evaluation takes on average, to say how long the search is going to take",
    ),
    option(
        "--price",
        metavar="UNIT=X",
        help="mean charge of an evaluation, such as usd=0.003 or usd=0.003,tokens=800 "
        "(default: the mean in the logs that the scenario reuses)",
    ),
    *CHANGES,
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    scenario = stated(args)
    if args.seconds is not None and not args.seconds > 0:
        raise InputError(must_be("--seconds", "above 0", args.seconds))
    jobs = scenario.execution.jobs if args.jobs is None else args.jobs
    price = None if args.price is None else prices(args.price)
    plan = plan_of(scenario, jobs, args.seconds, price)
    for warning in no_default(scenario):
        talk(f"warning: {warning}")
    print_result(args, plan, planned)
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
            allowed = "names with amounts, such as usd=0.003,tokens=800"
            raise InputError(must_be("--price", allowed, text))
    return found
