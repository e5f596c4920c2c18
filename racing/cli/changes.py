"""The options that change keys of a scenario: `--budget`, and `--set` for any key."""

from __future__ import annotations

import argparse
from typing import Any

from racing.base.errors import InputError
from racing.scenario.document import compose


def add_changes(parser: argparse.ArgumentParser) -> None:
    """Add the options to a command."""
    parser.add_argument(
        "--budget",
        metavar="N",
        help="another budget than the scenario's: evaluations such as 500, a time such as 30m, or "
        "pairs such as evaluations=500,target_time=2h",
    )
    parser.add_argument(
        "--set",
        dest="changes",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="another value for any key of the scenario, in YAML: rule=sign, execution.jobs=4; may "
        "be given again",
    )


def changes_of(args: argparse.Namespace) -> dict[str, object]:
    """Key → value of all changes by the options.

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
        raise InputError(f"--set {text!r}: expected KEY=VALUE, such as budget=500")
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
