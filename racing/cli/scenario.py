"""The scenario that a command is given, with the changes that its options make."""

from __future__ import annotations

import argparse
from typing import Any

from racing.base.errors import InputError, must_be
from racing.cli.console import talk
from racing.scenario import Scenario, read
from racing.scenario.document import compose
from racing.scenario.formats import read_scenario
from racing.scenario.load import is_irace, scheme


def stated(args: argparse.Namespace) -> Scenario:
    """The scenario of `CONFIG` with the options' changes; notes on options of irace go to stderr.

    Raises
    ------
    ScenarioError
        If it cannot be used.
    InputError
        If an option cannot.
    """
    scenario = read(args.config, search=args.search, changes=changes_of(args))
    if is_irace(args.config):
        found = read_scenario(args.config, search=scheme(args.search))
        for note in (*found.notes, *found.remarks):
            talk(str(note))
    return scenario


def changes_of(args: argparse.Namespace) -> dict[str, object]:
    """Key → value of all changes by `--set` and `--budget`.

    Raises
    ------
    InputError
        If an option is no pair, or its value is not YAML.
    """
    found = dict(_pair(text) for text in args.changes)
    if args.budget is not None:
        found["budget"] = limits(args.budget)
    return found


def _pair(text: str) -> tuple[str, object]:
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise InputError(must_be("--set", "KEY=VALUE, such as budget=500", text))
    document = compose(value, f"--set {key.strip()}")
    document.raise_if_any()
    return key.strip(), document.data


def limits(text: str) -> Any:
    """A budget in the form of a scenario, from `500`, `30m` or `evaluations=500,target_time=2h`."""
    parts: dict[str, Any] = {}
    for part in text.split(","):
        name, sign, limit = part.strip().rpartition("=")
        limit = limit.strip().removeprefix("+")
        value: Any = int(limit) if limit.isdigit() else limit
        if not sign:
            name = "evaluations" if isinstance(value, int) else "wall_time"
        parts[name.strip()] = value
    return parts
