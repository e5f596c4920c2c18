"""The option `--by`: what says the families of instances."""

from __future__ import annotations

import argparse
import os


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
