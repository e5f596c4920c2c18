"""Reads and writes configurations as CSV and JSON; inactive parameters are empty or left out."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from racing.base.errors import FormatError, InputError, ScenarioError, must_be
from racing.scenario.files import read_format
from racing.scenario.tables import candidates_in
from racing.space import Space
from racing.space.parameter import Value, Values


def write_csv(
    path: str | os.PathLike[str], space: Space, configurations: Iterable[Mapping[str, Value]]
) -> None:
    """Write configurations as a table: a column for each parameter, inactive ones empty.

    Raises
    ------
    InputError
        If one of them is not in the space; nothing is written then.

    Examples
    --------
    >>> from racing.scenario.formats import write_csv, read_csv
    >>> from racing.space import Boolean, Real, Space
    >>> space = Space({"rate": Real(0, 1), "on": Boolean()})
    >>> write_csv("configurations.csv", space, [{"rate": 0.25, "on": False}])
    >>> read_csv("configurations.csv", space)
    [{'rate': 0.25, 'on': False}]
    """
    checked = [_checked(space, each, place) for place, each in enumerate(configurations, start=1)]
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(space)
        writer.writerows([_cell(row.get(name)) for name in space] for row in checked)


def read_csv(path: str | os.PathLike[str], space: Space) -> list[Values]:
    """Read configurations from such a table; a column `name` is ignored.

    Empty cells of active parameters take the default.

    Raises
    ------
    FormatError
        With all rows that are no configuration of the space, and their lines.

    Examples
    --------
    >>> from racing.scenario.formats import write_csv, read_csv
    >>> from racing.space import Boolean, Real, Space
    >>> space = Space({"rate": Real(0, 1), "on": Boolean()})
    >>> write_csv("configurations.csv", space, [{"rate": 0.25, "on": False}])
    >>> read_csv("configurations.csv", space)
    [{'rate': 0.25, 'on': False}]
    """
    try:
        found = candidates_in(Path(path), str(path), space)
    except ScenarioError as error:
        raise FormatError(error.errors) from None
    return _completed(space, ((f"{path}:{line}", values) for line, _, values in found))


def write_json(
    path: str | os.PathLike[str], space: Space, configurations: Iterable[Mapping[str, Value]]
) -> None:
    """Write configurations as a JSON list of objects; inactive parameters are left out.

    Raises
    ------
    InputError
        If one of them is not in the space; nothing is written then.

    Examples
    --------
    >>> from racing.scenario.formats import write_json, read_json
    >>> from racing.space import Boolean, Real, Space
    >>> space = Space({"rate": Real(0, 1), "on": Boolean()})
    >>> write_json("configurations.json", space, [{"rate": 0.25, "on": False}])
    >>> read_json("configurations.json", space)
    [{'rate': 0.25, 'on': False}]
    """
    checked = [_checked(space, each, place) for place, each in enumerate(configurations, start=1)]
    Path(path).write_text(
        json.dumps(checked, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def read_json(path: str | os.PathLike[str], space: Space) -> list[Values]:
    """Read configurations from such a list; missing active parameters take the default.

    Raises
    ------
    FormatError
        With all entries that are no configuration of the space.

    Examples
    --------
    >>> from racing.scenario.formats import write_json, read_json
    >>> from racing.space import Boolean, Real, Space
    >>> space = Space({"rate": Real(0, 1), "on": Boolean()})
    >>> write_json("configurations.json", space, [{"rate": 0.25, "on": False}])
    >>> read_json("configurations.json", space)
    [{'rate': 0.25, 'on': False}]
    """
    text = read_format(Path(path), "csv")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError((f"{path}: not JSON: {error}",)) from error
    if not isinstance(data, list):
        raise FormatError((must_be(str(path), "a list of objects", data),))
    places = (f"{path}: configuration {place}" for place in range(1, len(data) + 1))
    return _completed(space, zip(places, data, strict=True))


def _completed(space: Space, given: Iterable[tuple[str, Any]]) -> list[Values]:
    """The configurations of a file, each with its place; all errors are reported at once."""
    found, errors = list[Values](), list[str]()
    for where, values in given:
        if not isinstance(values, Mapping):
            errors.append(must_be(where, "an object", values))
            continue
        try:
            found.append(space.complete(values))
        except InputError as error:
            errors.append(f"{where}: {error}")
    if errors:
        raise FormatError(errors)
    return found


def _checked(space: Space, values: Mapping[str, Value], place: int) -> Values:
    try:
        return space.complete(values)
    except InputError as error:
        raise InputError(f"configuration {place}: {error}") from error


def _cell(value: Value | None) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
