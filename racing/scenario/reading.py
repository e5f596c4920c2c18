"""From a YAML file to a scenario."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from racing.scenario.compose import compose
from racing.scenario.files import read_text
from racing.scenario.nodes import Faults, Node
from racing.scenario.scenario import KEYS, Scenario, build


def read(path: str | os.PathLike[str]) -> Scenario:
    """The scenario in a YAML file.

    Raises
    ------
    ScenarioError
        With every fault found: file, line, key, the value and what is allowed.
    """
    shown = os.fspath(path)
    return reads(read_text(Path(path), shown), shown)


def reads(text: str, file: str) -> Scenario:
    """The scenario in a YAML text that stands, or could stand, in this file."""
    faults = Faults(file, KEYS)
    root = compose(text, faults)
    if isinstance(root.value, dict):
        root = replace(root, value=_placed(root.value, Path(file)))
    return build(root, faults)


def _placed(parts: dict[str, Node], file: Path) -> dict[str, Node]:
    """The keys of a scenario with those that default to where its file is."""
    folder = parts.get("folder", Node("", "folder"))
    if isinstance(folder.value, str):
        folder = replace(folder, value=os.path.join(file.absolute().parent, folder.value))
    return {"name": Node(file.stem, "name"), **parts, "folder": folder}
