"""Options for scenario files of irace, and notes on their translation."""

from __future__ import annotations

import argparse

from racing.cli.console import talk
from racing.scenario.formats import read_scenario
from racing.scenario.load import is_irace, scheme


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add the option for the scheme of the search."""
    parser.add_argument(
        "--search",
        choices=("continuous", "irace"),
        help="how to search, in place of what the scenario says; irace: by iterated racing as "
        "irace does it (default for irace's files: continuous)",
    )


def say_options(path: str, search: str | None = None) -> None:
    """Print for each option whether it is honoured, translated, or has no meaning here."""
    if is_irace(path):
        found = read_scenario(path, search=scheme(search))
        for note in (*found.notes, *found.remarks):
            talk(str(note))
