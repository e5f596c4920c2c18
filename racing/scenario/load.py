"""Reads scenarios from YAML files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.base.errors import InputError, must_be, show
from racing.scenario.document import compose
from racing.scenario.files import read_text
from racing.scenario.scenario import Scenario, build

if TYPE_CHECKING:
    from racing.scenario.formats.irace_options import Scheme


def read(
    path: str | os.PathLike[str],
    *,
    search: str | None = None,
    changes: Mapping[str, object] | None = None,
) -> Scenario:
    """Read a scenario from a YAML file, or from a scenario file of irace (`*.txt`).

    Parameters
    ----------
    search
        The search, in place of that in the file: `continuous` or `irace`. The default for a file of
        irace is `continuous`.
    changes
        Keys with values that replace those of the file; `budget.evaluations` is a key in a mapping.

    Raises
    ------
    ScenarioError
        With every error: file, line, key, value and the allowed values.
    FormatError
        If a file of irace cannot be read; see `racing.scenario.formats`.

    Examples
    --------
    >>> import racing
    >>> from racing.cli.init import write
    >>> racing.read(write(Path("tuning"))[0]).budget.evaluations
    500
    """
    shown = os.fspath(path)
    if is_irace(shown):
        from racing.scenario.formats import (
            read_scenario,  # imports a parser that YAML does not need
        )

        data = read_scenario(shown, search=scheme(search)).scenario
        return Scenario.from_dict(changed(data, changes or {}))
    return reads(read_text(Path(path), shown), shown, search=search, changes=changes)


def scheme(search: str | None) -> Scheme:
    """The search for a file of irace.

    Raises
    ------
    InputError
        If there is no such scheme.
    """
    if search == "irace":
        return "irace"
    if search in (None, "continuous"):
        return "continuous"
    raise InputError(must_be("search", "continuous or irace", search))


def is_irace(path: str | os.PathLike[str]) -> bool:
    """Whether `read` reads this as a scenario file of irace."""
    return os.fspath(path).endswith(".txt")


def reads(
    text: str,
    file: str,
    *,
    search: str | None = None,
    changes: Mapping[str, object] | None = None,
) -> Scenario:
    """Read a scenario from YAML text, with the name of its file for messages.

    Parameters
    ----------
    search
        Replaces the key `search`.
    changes
        As for `read`.

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
        document.data = changed(document.data, changes or {})
        document.changed = tuple(changes or ())
    return build(document)


def _placed(data: dict[str, Any], file: Path) -> dict[str, Any]:
    """The keys of a scenario, with defaults from the place of its file."""
    folder = data.get("folder", "")
    if isinstance(folder, str):
        folder = os.path.join(file.absolute().parent, folder)
    return {"name": file.stem, **data, "folder": folder}


def changed(data: Mapping[str, Any], changes: Mapping[str, object]) -> dict[str, Any]:
    """The data of a scenario with other values for some keys; a dot separates keys of mappings.

    Raises
    ------
    InputError
        If a key leads into something that has no keys.
    """
    out: dict[str, Any] = dict(data)
    for path, value in changes.items():
        _put(out, path.split("."), value, path)
    return out


def _put(data: dict[str, Any], keys: list[str], value: object, path: str) -> None:
    key, *rest = keys
    if not rest:
        data[key] = value
        return
    inner = data.get(key, {})
    if not isinstance(inner, dict):
        whole = path[: -len(".".join(rest)) - 1]
        raise InputError(
            f"{path}: {whole} is {show(inner)}, which has no key {rest[0]}; give "
            f"{whole} as a whole, such as {whole}={{{rest[0]}: …}}"
        )
    data[key] = dict(inner)
    _put(data[key], rest, value, path)
