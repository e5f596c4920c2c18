"""Translate a scenario of irace, with all its files, into a scenario in YAML.

A note on each option goes to stderr: honoured, translated, or without a meaning here.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from racing.base.errors import InputError
from racing.cli.console import say, say_json, talk, write_new
from racing.cli.options import JSON, SEARCH, option
from racing.scenario.formats import read_scenario
from racing.scenario.formats.irace import OptionNote
from racing.scenario.formats.irace_yaml import to_yaml
from racing.scenario.load import scheme

EXAMPLES = (
    "racing convert scenario.txt",
    "racing convert scenario.txt --to race.yaml",
    "racing convert scenario.txt --search irace --json",
)

ARGUMENTS = (
    option("scenario", metavar="SCENARIO", help="a scenario file of irace, 3.5 or 4.x"),
    option(
        "--to",
        metavar="FILE",
        help="where the YAML goes; a file that exists is refused (default: stdout)",
    ),
    SEARCH,
    JSON,
)


@dataclass(frozen=True)
class Converted:
    """A scenario of irace in YAML, as data and as text; `--json` prints it.

    `options` says what became of each option of irace, `remarks` what else there is to know.
    """

    scenario: Mapping[str, Any]
    yaml: str
    options: tuple[OptionNote, ...]
    remarks: tuple[str, ...]


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    if Path(args.scenario).suffix in (".yaml", ".yml"):
        raise InputError(
            f"{args.scenario}: is in YAML, and not of irace; `racing check` says whether it can run"
        )
    found = read_scenario(args.scenario, search=scheme(args.search))
    text = to_yaml(found, Path(args.scenario), Path(args.to).parent if args.to else None)
    if args.to:
        write_new(Path(args.to), text)
    if args.json:
        say_json(Converted(found.scenario, text, found.notes, found.remarks))
        return 0
    for note in (*found.notes, *found.remarks):
        talk(str(note))
    if not args.to:
        say(text.rstrip("\n"))
    return 0
