"""From a YAML file to a scenario."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.errors import InputError, show
from racing.records import INVALID, Errors
from racing.scenario.document import Document, compose
from racing.scenario.files import read_text
from racing.scenario.scenario import Scenario
from racing.space_keys import BESIDE, WithSpace

if TYPE_CHECKING:
    from racing.formats.irace_options import Scheme


def read(path: str | os.PathLike[str], *, search: str | None = None) -> Scenario:
    """The scenario in a YAML file, or in a scenario file of irace, whose name ends in `.txt`.

    Parameters
    ----------
    search
        How to search, in place of what the file says: `continuous` or `irace`. A file of irace does
        not say; it is searched continuously.

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

        return from_dict(read_scenario(shown, search=scheme(search)).scenario)
    return reads(read_text(Path(path), shown), shown, search=search)


def scheme(search: str | None) -> Scheme:
    """The scheme that a file of irace is searched by.

    Raises
    ------
    InputError
        If there is no such scheme.
    """
    if search == "irace":
        return "irace"
    if search in (None, "continuous"):
        return "continuous"
    raise InputError(f"search must be continuous or irace; got {show(search)}")


def is_irace(path: str | os.PathLike[str]) -> bool:
    """Whether `read` takes this for a scenario file of irace."""
    return os.fspath(path).endswith(".txt")


def reads(text: str, file: str, *, search: str | None = None) -> Scenario:
    """The scenario in a YAML text that stands, or could stand, in this file.

    Parameters
    ----------
    search
        Replaces the key `search`.

    Raises
    ------
    ScenarioError
        As `read` does.
    """
    document = compose(text, file)
    if isinstance(document.data, dict):
        document.data = _placed(document.data, Path(file))
        if search is not None:
            document.data["search"] = search
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
