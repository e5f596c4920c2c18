"""Scenario files of irace: how they are searched, and what becomes of their options."""

from __future__ import annotations

import argparse

from racing.cli.console import talk


def add_search(parser: argparse.ArgumentParser) -> None:
    """The option that says how to search."""
    parser.add_argument(
        "--search",
        choices=("continuous", "irace"),
        help="how to search, in place of what the scenario says; irace: by iterated racing as "
        "irace does it (default for irace's files: continuous)",
    )


def tell_options(path: str, search: str | None = None) -> None:
    """Tell of each option whether it is honoured, translated, or has no meaning here."""
    from racing.scenario.load import is_irace, scheme

    if is_irace(path):
        from racing.formats import read_scenario

        for note in read_scenario(path, search=scheme(search)).notes:
            talk(str(note))
