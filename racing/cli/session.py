"""Common parts of commands that evaluate: options, progress on stderr, interruption."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar, get_args

from racing.answer.document import line
from racing.base.logs import Warnings
from racing.base.records import FieldErrors
from racing.cli.console import results_alone, talk
from racing.cli.interrupts import Interrupts
from racing.evaluate.engines import Engine
from racing.report.brief import brief
from racing.runner.loop import RunOptions
from racing.runner.progress.json_lines import JsonLines
from racing.runner.progress.terminal import Terminal
from racing.scenario.scalars import Trap, resolve
from racing.scenario.settings import jobs_of

if TYPE_CHECKING:
    from racing.core.view import View
    from racing.scenario import Scenario

T = TypeVar("T")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the option `--jobs`, which is read as `execution.jobs` of a scenario."""
    parser.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="how many evaluations run at once, -1 for one per processor (default: the scenario's)",
    )


def _jobs(text: str) -> int:
    try:
        return jobs_of(resolve(text))
    except Trap as trap:
        raise argparse.ArgumentTypeError(str(trap)) from trap
    except FieldErrors as wrong:
        raise argparse.ArgumentTypeError(wrong.errors[0].message) from wrong


def add_driving(parser: argparse.ArgumentParser) -> None:
    """Add the options of the execution to a command."""
    add_jobs(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    parser.add_argument(
        "--log-format",
        choices=("text", "json"),
        default="text",
        help="how progress is written on stderr: for people, or a JSON object a line",
    )


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add the option of the engine to a command."""
    parser.add_argument(
        "--engine",
        choices=get_args(Engine),
        metavar="NAME",
        help=f"what runs the evaluations: {', '.join(get_args(Engine))} (default: the scenario's); "
        "it changes no result",
    )


def driven(go: Callable[[RunOptions], T], args: argparse.Namespace) -> T:
    """Call `go` with progress on stderr, and stop it cleanly on Ctrl-C."""
    kind = JsonLines if args.log_format == "json" else Terminal
    with (
        results_alone(),
        kind(quiet=args.quiet) as progress,
        Interrupts(progress.say) as interrupted,
        Warnings("racing.evaluate.engines", progress.say),
    ):
        begin = partial(_begin, talk if args.log_format == "text" and not args.quiet else _nothing)
        return go(RunOptions(watch=progress, begin=begin, interrupted=interrupted, jobs=args.jobs))


def _nothing(said: str) -> None:
    """Print nothing."""


def _begin(say: Callable[[str], None], scenario: Scenario, decider: View) -> None:
    """Print the objective, the budget and the instances."""
    for said in brief(scenario, decider):
        say(line(said))
