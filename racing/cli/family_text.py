"""The option `--by`, and the table of gains by family."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from racing.base.words import percent
from racing.cli.console import number, say, table

if TYPE_CHECKING:
    from racing.report.pair_data import Data


def add_by(parser: argparse.ArgumentParser) -> None:
    """Add the option that defines the families of instances to a command."""
    parser.add_argument(
        "--by",
        metavar="FAMILY",
        type=_seen_from_here,
        help="gains by family of instances: `family` (as the scenario says, or else by folder), "
        "`folder`, a regular expression whose first parenthesis is the family, or "
        "FILE.csv:COLUMN (default: as the scenario says)",
    )


def _seen_from_here(by: str) -> str:
    """The option's value, with the full path of the table if it names one."""
    file = by.rpartition(":")[0]
    return os.path.abspath(file) + by[len(file) :] if file and os.path.isfile(file) else by


def say_families(data: Data | None) -> None:
    """The gain in each family, with intervals that hold together."""
    if data is None:
        return
    fresh = not data["chosen_on_these_instances"]
    where = " on instances that had no part in the choice" if fresh else ""
    chosen = data["chosen_on_these_instances"] or data["measure"] == "mean"
    table(
        f"{data['winner']} over {data['against']} by family{where}",
        ("family", ">instances", f">{data['measure']} gain", ">interval", ">better/equal/worse",
         "", *(("best there",) if chosen else ())),
        (
            (one["family"], one["instances"], number(one["gain"]), _interval(one),
             f"{one['wins']}/{one['ties']}/{one['losses']}", _WORDS[one["evidence"]],
             *((one["ahead"],) if chosen else ()))
            for one in data["families"]
        ),
    )  # fmt: skip
    say(f"  intervals of {percent(data['level'])} for all {len(data['families'])} together")


_WORDS = {"better": "better", "worse": "worse", "open": "not shown", "few": "too few"}


def _interval(one: Data) -> str:
    if one["low"] is None:
        return "–"
    return f"{number(one['low'])} to {number(one['high'])}"
