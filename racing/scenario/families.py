"""Families of instances: the kind of problem of each, so that gains can be given by family."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePath

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, ScenarioError, did_you_mean, show
from racing.core.experiment import Instance
from racing.scenario.tables import table

Label = Callable[[str], str | None]
"""The name of an instance → its family; None if it has none."""

_COLUMN = re.compile(r"(.+\.csv):(.+)", re.IGNORECASE)
PATIENCE = 10.0
"""Seconds after which the search for an expression is ended."""


def families(names: Sequence[str], by: str, folder: Path) -> tuple[str, ...]:
    """The family of each instance.

    Parameters
    ----------
    names
        Of the instances.
    by
        `folder`, the name of the folder in which the instance lies; or `FILE.csv:COLUMN`, a column
        of a table whose first column has the instances; or else a regular expression, of which the
        first parenthesis, or all that it matches, is the family.
    folder
        From which names and files are seen.

    Raises
    ------
    InputError
        If the expression is none, the table cannot be read, or an instance has no family.

    Examples
    --------
    >>> families(["sat/k3-1.cnf", "sat/php-2.cnf"], r"/(\\w+)-", Path())
    ('k3', 'php')
    """
    found = _found(names, by, folder)
    lacking = [name for name, family in zip(names, found, strict=True) if not family]
    if lacking:
        more = f" and {len(lacking) - 1} more of {len(names)}" if len(lacking) > 1 else ""
        raise InputError(f"{show(by)} gives no family for {show(lacking[0])}{more}; {_HELP}")
    return tuple(family for family in found if family)


def kinds(instances: Sequence[Instance], by: str, folder: Path) -> NDArray[np.str_]:
    """(n,) the family of each instance of a run.

    Parameters
    ----------
    by
        `family` for what the instances say themselves, or else their folders; or as in `families`.

    Raises
    ------
    InputError
        If there are fewer than two families, or they are unknown.
    """
    noted = [one.family for one in instances]
    if by != "family" or not all(noted):
        how = "folder" if by == "family" else by
        noted = list(families([one.name for one in instances], how, folder))
    if len(set(noted)) < 2:
        raise InputError(
            f"all {len(noted)} instances are of one family, {noted[0]!r}; name the families in the "
            "scenario, or tell them by a regular expression or by FILE.csv:COLUMN"
        )
    return np.array(noted)


_HELP = (
    "give `folder`, a regular expression that fits every instance, or FILE.csv:COLUMN with a row "
    "for each"
)


def _found(names: Sequence[str], by: str, folder: Path) -> list[str | None]:
    if by == "folder":
        return [PurePath(name).parent.name or "." for name in names]
    if column := _COLUMN.fullmatch(by):
        return list(map(_from_table(column[1], column[2], folder), names))
    try:
        re.compile(by)
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(f"{show(by)} is not a regular expression: {error}; {_HELP}") from None
    return _matched(names, by)


_MATCH = """
import json, re, sys
by, names = json.load(sys.stdin)
found = map(re.compile(by).search, names)
json.dump([one and one[one.re.groups and 1] for one in found], sys.stdout)
"""


def _matched(names: Sequence[str], by: str) -> list[str | None]:
    """By an expression: in a process of its own, since only that can be ended while it searches."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _MATCH],
            input=json.dumps([by, list(names)]),
            capture_output=True, text=True, check=True, timeout=PATIENCE,
        )  # fmt: skip
    except subprocess.SubprocessError:
        raise InputError(
            f"{show(by)} takes more than {PATIENCE:.0f} s, or all memory, on {len(names)} names: "
            "write it without a repetition in a repetition, such as (a+)+"
        ) from None
    found: list[str | None] = json.loads(done.stdout)
    return found


def _from_table(file: str, column: str, folder: Path) -> Label:
    """By a table; an instance is found by its name, or as the same file."""
    known: dict[str, str] = {}
    for name, family in _rows(file, column, folder):
        known[name] = known[_place(name, folder)] = family
    return lambda name: known.get(name) or known.get(_place(name, folder))


def _place(name: str, folder: Path) -> str:
    return os.path.realpath(folder / name)


def _rows(file: str, column: str, folder: Path) -> Iterator[tuple[str, str]]:
    """(instance, family) in each row of a table."""
    _, header, rows = table(folder / file, file)
    place = _column(header, column, file)
    for line, cells in rows:
        if not cells[place].strip():
            raise ScenarioError(f"{file}:{line}: the instance {show(cells[0])} has no family")
        yield cells[0].strip(), cells[place].strip()


def _column(header: Sequence[str], column: str, file: str) -> int:
    if column not in header[1:]:
        raise ScenarioError(
            f"{file}:1: no column after the first, which has the instances, is called "
            f"{show(column)}{did_you_mean(column, header[1:])}"
        )
    return header.index(column, 1)
