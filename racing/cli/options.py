"""The options of commands: `Option`, and those that several commands share, each stated once."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from racing.base.records import FieldErrors
from racing.evaluate.engines import Engine


@dataclass(frozen=True, kw_only=True)
class Option:
    """An option or an argument of a command.

    Attributes
    ----------
    names, how
        The arguments of argparse's `add_argument`.
    group
        The heading under which the help lists it; empty for the first one.
    instead
        Of options of a group with this word, one may be given; empty for any.
    """

    names: tuple[str, ...]
    how: Mapping[str, Any]
    group: str = ""
    instead: str = ""


def option(*names: str, group: str = "", instead: str = "", **how: Any) -> Option:
    """An option by its names, and by what argparse is told of it."""
    return Option(names=names, how=how, group=group, instead=instead)


def add_options(parser: argparse.ArgumentParser, options: Iterable[Option]) -> None:
    """Add options to the parser of a command."""
    places: dict[tuple[str, str], argparse._ActionsContainer] = {("", ""): parser}
    for one in options:
        if (one.group, "") not in places:
            places[one.group, ""] = parser.add_argument_group(one.group)
        if (one.group, one.instead) not in places:
            group = places[one.group, ""].add_mutually_exclusive_group()
            places[one.group, one.instead] = group
        places[one.group, one.instead].add_argument(*one.names, **one.how)


def _seen_from_here(by: str) -> str:
    """The value of `--by`, with the full path of the table if it names one."""
    file = by.rpartition(":")[0]
    return os.path.abspath(file) + by[len(file) :] if file and os.path.isfile(file) else by


def _jobs(text: str) -> int:
    """Jobs, as `execution.jobs` of a scenario is read."""
    from racing.scenario.scalars import Trap, resolve  # commands that only read need none of it
    from racing.scenario.settings import jobs_of

    try:
        return jobs_of(resolve(text))
    except Trap as trap:
        raise argparse.ArgumentTypeError(str(trap)) from trap
    except FieldErrors as wrong:
        raise argparse.ArgumentTypeError(wrong.errors[0].message) from wrong


CONFIG = option("config", metavar="CONFIG", help="a scenario in YAML, or irace's .txt")
RUN = option("run", metavar="RUN", help="the log of a run, finished or not")
JSON = option("--json", action="store_true", help="print the result as one JSON object")
BY = option(
    "--by",
    metavar="FAMILY",
    type=_seen_from_here,
    help="gains by family of instances: `family` (as the scenario says, or else by folder), "
    "`folder`, a regular expression whose first parenthesis is the family, or FILE.csv:COLUMN "
    "(default: as the scenario says)",
)
JOBS = option(
    "--jobs",
    type=_jobs,
    metavar="N",
    help="how many evaluations run at once, -1 for one per processor (default: the scenario's)",
)
DRIVING = (
    JOBS,
    option("--quiet", action="store_true", help="no progress on stderr"),
    option(
        "--log-format",
        choices=("text", "json"),
        default="text",
        help="how progress is written on stderr: for people, or a JSON object a line",
    ),
)
"""The options of commands that evaluate."""
ENGINE = option(
    "--engine",
    choices=get_args(Engine),
    metavar="NAME",
    help=f"what runs the evaluations: {', '.join(get_args(Engine))} (default: the scenario's); "
    "it changes no result",
)
PICTURES = (
    option("--png", metavar="FOLDER", help="write the pictures as PNG files (`racing[plot]`)"),
    option("--svg", metavar="FOLDER", help="the same as SVG files"),
)
SEARCH = option(
    "--search",
    choices=("continuous", "irace"),
    help="how to search, in place of what the scenario says; irace: by iterated racing as irace "
    "does it (default for irace's files: continuous)",
)
CHANGES = (
    option(
        "--budget",
        metavar="N",
        help="another budget than the scenario's: evaluations such as 500, a time such as 30m, or "
        "pairs such as evaluations=500,target_time=2h",
    ),
    option(
        "--set",
        dest="changes",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="another value for any key of the scenario, in YAML: rule=sign, execution.jobs=4; may "
        "be given again",
    ),
    SEARCH,
)
"""The options that change keys of a scenario."""
