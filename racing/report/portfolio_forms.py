"""A team to be used: YAML, JSON, or a command line for each member."""

from __future__ import annotations

import json

import yaml

from racing.base.errors import InputError
from racing.report.pair_data import Data

FORMS = ("yaml", "json", "commands")


def team_form(data: Data, form: str) -> str:
    """The team of `portfolio_data`, or its table by family where there is one, as a text.

    The YAML is a list that a scenario takes as its `candidates.list`. A command line has `INSTANCE`
    and `SEED` where these belong.

    Raises
    ------
    InputError
        If command lines are asked for, and the target is no program.
    """
    if form == "commands":
        return "".join(f"{line}\n" for line in _commands(data))
    listed = [{"name": one["name"], "values": one["values"]} for one in data["team"]]
    found: object = listed
    if data["by_family"] is not None:
        rows = data["by_family"]["families"]
        found = {one["family"]: one["candidate"]["values"] for one in rows}
    if form == "json":
        return json.dumps(found, ensure_ascii=False, indent=2) + "\n"
    return yaml.safe_dump(found, sort_keys=False, allow_unicode=True)


def _commands(data: Data) -> list[str]:
    lines = [one["command"] for one in data["team"]]
    if None in lines:
        raise InputError("commands: the target is no program; export the team as yaml or json")
    return lines
