"""Reads and writes configurations as CSV and JSON; inactive parameters are empty or left out."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from racing.base.errors import FormatError, InputError, did_you_mean, show
from racing.scenario.formats.places import Place
from racing.space import Space
from racing.space.parameter import Value, Values

NAME = "name"  # the column that labels configurations; no parameter has this name


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
    rows = [_checked(space, each, place) for place, each in enumerate(configurations, start=1)]
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(space)
        writer.writerows([_cell(row.get(name)) for name in space] for row in rows)


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
    with _opened(path) as file:
        rows = list(csv.reader(file))
    if not rows:
        raise FormatError((f"{path}: the file has no header with parameter names",))
    header, found, errors = rows[0], list[Values](), list[str]()
    errors += [
        f"{Place(str(path))}: {name!r} is no parameter{did_you_mean(name, space)}"
        for name in header
        if name not in space and name != NAME
    ]
    for line, row in enumerate(rows[1:], start=2):
        if not any(row) or errors:
            continue
        if len(row) != len(header):
            errors.append(f"{path}:{line}: {len(row)} cells for {len(header)} columns")
            continue
        values = {
            n: _parsed(space, n, c) for n, c in zip(header, row, strict=True) if c and n != NAME
        }
        _complete(space, values, f"{path}:{line}", found, errors)
    if errors:
        raise FormatError(errors)
    return found


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
    rows = [_checked(space, each, place) for place, each in enumerate(configurations, start=1)]
    Path(path).write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


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
    with _opened(path) as file:
        try:
            data = json.load(file)
        except (ValueError, RecursionError) as error:
            raise FormatError((f"{path}: is no JSON: {error}",)) from error
    if not isinstance(data, list):
        raise FormatError((f"{path}: expected a list of objects, not {show(data)}",))
    found, errors = list[Values](), list[str]()
    for place, values in enumerate(data, start=1):
        if isinstance(values, dict):
            _complete(space, values, f"{path}: configuration {place}", found, errors)
        else:
            errors.append(f"{path}: configuration {place} is {show(values)}; expected an object")
    if errors:
        raise FormatError(errors)
    return found


def _opened(path: str | os.PathLike[str]) -> Any:
    try:
        return Path(path).open(newline="", encoding="utf-8-sig")
    except OSError as error:
        raise FormatError((f"{path}: cannot be read: {error}",)) from error


def _complete(
    space: Space, values: Mapping[str, Value], where: str, found: list[Values], errors: list[str]
) -> None:
    try:
        found.append(space.complete(values))
    except InputError as error:
        errors.append(f"{where}: {error}")


def _checked(space: Space, values: Mapping[str, Value], place: int) -> Values:
    try:
        return space.complete(values)
    except InputError as error:
        raise InputError(f"configuration {place}: {error}") from error


def _cell(value: Value | None) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parsed(space: Space, name: str, text: str) -> Value:
    """The value of a cell; invalid text is left for the space to refuse."""
    levels: Sequence[Value] = space[name].levels or ()
    for level in levels:
        if _cell(level) == text:
            return level
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
