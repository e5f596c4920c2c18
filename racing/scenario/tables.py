"""Tables of candidates: a header, then a row for each candidate, with its line.

They are CSV files, or text tables as irace has them, with blanks between the cells.
"""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from racing.base.errors import ScenarioError, did_you_mean, show
from racing.scenario.files import read_text
from racing.scenario.scalars import Trap, resolve
from racing.space import Parameter, Space, Value


class Row(NamedTuple):
    """A candidate, and the line where it stands."""

    line: int
    name: str
    values: dict[str, Value]


class Table(NamedTuple):
    """The header with its line, and (line, cells) of each row that is not empty."""

    line: int
    header: list[str]
    rows: list[tuple[int, list[str]]]


def candidates_in(
    path: Path, shown: str, space: Space | None, *, blanks: bool = False
) -> list[Row]:
    """The candidates in a table, without empty cells; see `table`.

    Raises
    ------
    ScenarioError
        With the file and line of every error.
    """
    first, header, rows = table(path, shown, blanks=blanks)
    if errors := [f"{shown}:{first}: {error}" for error in _header_errors(header, space)]:
        raise ScenarioError(tuple(errors))
    empty = ("", "NA", "<NA>") if blanks else ("",)
    return [_row(line, dict(zip(header, cells, strict=True)), space, empty) for line, cells in rows]


def table(path: Path, shown: str, *, blanks: bool = False) -> Table:
    """The table in a file.

    Parameters
    ----------
    path, shown
        Its path, and its name in messages.
    blanks
        Whether blanks separate the cells, not commas, and `#` begins a comment.

    Raises
    ------
    ScenarioError
        If the file cannot be read, with each row that has another number of cells.
    """
    text = read_text(path, shown, "csv")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    written = ((reader.line_num, cells) for cells in reader)
    if blanks:
        lines = enumerate(text.splitlines(), start=1)
        written = ((number, shlex.split(line, comments=True)) for number, line in lines)
    found, errors, line = list[tuple[int, list[str]]](), list[str](), 0
    try:
        for line, cells in written:
            found += [(line, cells)] if cells else []
    except (csv.Error, ValueError) as error:
        kind = "a table" if blanks else "CSV"
        errors.append(f"{shown}:{line + 1}: cannot be read as {kind}: {error}")
    if not found and not errors:
        errors.append(f"{shown} must be a header, then a row for each candidate; got an empty file")
    header = [cell.strip() for cell in found[0][1]] if found else []
    errors += [f"{shown}:{line}: {len(cells)} cells under {len(header)} headings"
               for line, cells in found[1:] if len(cells) != len(header)]  # fmt: skip
    if errors:
        raise ScenarioError(tuple(errors))
    return Table(found[0][0], header, found[1:])


def _header_errors(header: list[str], space: Space | None) -> Iterator[str]:
    for mark, name in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and mark in header[0]:
            yield f"the cells are separated by {name}; separate them by commas"
            return
    for place, cell in enumerate(header):
        if not cell:
            yield f"heading {place + 1} must be the name of a parameter; got an empty cell"
        elif cell in header[:place]:
            yield f"the heading {show(cell)} is there twice"
        elif space is not None and cell != "name" and cell not in space:
            yield f"unknown parameter {show(cell)}{did_you_mean(cell, space)}"


def _row(line: int, cells: dict[str, str], space: Space | None, empty: Collection[str]) -> Row:
    name = cells.pop("name", "").strip()
    values = {
        column: _value(cell.strip(), space[column] if space else None)
        for column, cell in cells.items()
        if cell.strip() not in empty
    }
    return Row(line, name, values)


def _value(cell: str, parameter: Parameter | None) -> Value:
    """The value of a cell; text if the parameter allows that text."""
    if parameter is not None and parameter.admit(cell) is not None:
        return cell
    try:
        value = resolve(cell)
    except Trap:
        return cell
    return cell if value is None or value != value else value
