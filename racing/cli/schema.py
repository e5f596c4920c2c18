"""Print the JSON Schema of scenario files, for editors, or of what a command's `--json` prints."""

from __future__ import annotations

import argparse
from importlib import import_module

from racing.answer.json import schema_of
from racing.cli.console import say_json
from racing.cli.options import option
from racing.scenario import json_schema

EXAMPLES = (
    "racing schema",
    "racing schema > scenario.schema.json",
    "racing schema show | python -m json.tool",
)
PRINTED = {
    "run": "racing.report.facts:Facts",
    "resume": "racing.report.facts:Facts",
    "plan": "racing.report.plan:PlanReport",
    "watch": "racing.report.watched:WatchReport",
    "show": "racing.report.facts:Facts",
    "test": "racing.report.parts:UnseenReport",
    "explain": "racing.analysis.explain.explanation:Explanation",
    "portfolio": "racing.analysis.portfolio.choice:Portfolio",
    "check": "racing.report.check:Checked",
    "compare": "racing.analysis.compare.facts:Facts",
    "convert": "racing.cli.convert:Converted",
    "init": "racing.cli.console:Written",
    "report": "racing.cli.console:Written",
    "export": "racing.cli.console:Written",
}
"""Command → the record that its `--json` prints."""

ARGUMENTS = (
    option(
        "of",
        metavar="COMMAND",
        nargs="?",
        choices=tuple(PRINTED),
        help=f"a command with --json: {', '.join(PRINTED)} (default: scenario files)",
    ),
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.of is None:
        say_json(json_schema())
    else:
        module, _, record = PRINTED[args.of].partition(":")
        say_json(schema_of(getattr(import_module(module), record)))
    return 0
