"""From a YAML file to a scenario."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from racing.records import INVALID, Errors
from racing.scenario.document import Document, compose
from racing.scenario.files import read_text
from racing.scenario.scenario import Scenario
from racing.space_keys import BESIDE, WithSpace


def read(path: str | os.PathLike[str]) -> Scenario:
    """The scenario in a YAML file, or in a scenario file of irace, whose name ends in `.txt`.

    Raises
    ------
    ScenarioError
        With every error found: file, line, key, the value and what is allowed.
    FormatError
        If a file of irace cannot be read; see `racing.formats`.
    """
    shown = os.fspath(path)
    if is_irace(shown):
        from racing.formats import read_scenario  # brings a parser, which YAML does not need

        return from_dict(read_scenario(shown).scenario)
    return reads(read_text(Path(path), shown), shown)


def is_irace(path: str | os.PathLike[str]) -> bool:
    """Whether `read` takes this for a scenario file of irace."""
    return os.fspath(path).endswith(".txt")


def reads(text: str, file: str) -> Scenario:
    """The scenario in a YAML text that stands, or could stand, in this file.

    Raises
    ------
    ScenarioError
        As `read` does.
    """
    document = compose(text, file)
    if isinstance(document.data, dict):
        document.data = _placed(document.data, Path(file))
    return build(document)


def _placed(data: dict[str, Any], file: Path) -> dict[str, Any]:
    """The keys of a scenario with those that default to where its file is."""
    folder = data.get("folder", "")
    if isinstance(folder, str):
        folder = os.path.join(file.absolute().parent, folder)
    return {"name": file.stem, **data, "folder": folder}


def from_dict(data: Mapping[str, Any]) -> Scenario:
    """The scenario in plain data with the layout of a scenario file.

    Raises
    ------
    ScenarioError
        With every error and its key.
    """
    return build(Document(data=data))


def build(document: Document) -> Scenario:
    """The scenario in a document, or an error with all that is wrong."""
    top = frozenset(field.name for field in fields(Scenario)) | BESIDE.keys()
    errors = Errors(top=top, plain=True)
    built = WithSpace(Scenario).read(document.data, "", errors)
    document.raise_if_any(errors.found)
    assert built is not INVALID
    return built  # type: ignore[no-any-return]
