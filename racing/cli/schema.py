"""Print the JSON Schema of scenario files, for editors that complete and check YAML."""

from __future__ import annotations

import argparse

from racing.cli.console import say_json

HELP = "print the JSON Schema of scenario files"
EXAMPLES = (
    "racing schema",
    "racing schema > scenario.schema.json",
    "racing schema | python -m json.tool",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.scenario import json_schema

    say_json(json_schema())
    return 0
