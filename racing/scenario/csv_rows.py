"""CSV files: a header, then rows with their lines; candidates have a row each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from racing.base.errors import ScenarioError, did_you_mean, show
from racing.scenario.files import read_text
from racing.scenario.scalars import Trap, resolve
from racing.space import Parameter, Space, Value

Row = tuple[int, str, dict[str, Value]]
"""(line, name, values)"""


def rows(path: Path, shown: str, space: Space | None) -> list[Row]:
    """The candidates of a CSV file, without empty cells.

    Raises
    ------
    ScenarioError
        With the file and line of every error.
    """
    header, cells = table(path, shown)
    if errors := [f"{shown}:1: {error}" for error in _header_errors(header, space)]:
        raise ScenarioError(tuple(errors))
    return [_row(line, dict(zip(header, row, strict=True)), space) for line, row in cells]


def table(path: Path, shown: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The header of a CSV file, and (line, cells) of each row that is not empty.

    Raises
    ------
    ScenarioError
        If the file cannot be read, with each row that has another number of cells.
    """
    reader = csv.reader(io.StringIO(read_text(path, shown, "csv"), newline=""), strict=True)
    errors: list[str] = []
    found: list[tuple[int, list[str]]] = []
    header: list[str] = []
    try:
        header = [cell.strip() for cell in next(reader, [])]
        found = [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        errors.append(f"{shown}:{reader.line_num}: cannot be read as CSV: {error}")
    if not header and not errors:
        errors.append(f"{shown} must be a header, then a row for each candidate; got an empty file")
    width = len(header)
    errors += [f"{shown}:{line}: {len(cells)} cells under {width} headings"
               for line, cells in found if len(cells) != width]  # fmt: skip
    if errors:
        raise ScenarioError(tuple(errors))
    return header, found


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


def _row(line: int, cells: dict[str, str], space: Space | None) -> Row:
    name = cells.pop("name", "").strip()
    values = {
        column: _value(cell.strip(), space[column] if space else None)
        for column, cell in cells.items()
        if cell.strip()
    }
    return line, name, values


def _value(cell: str, parameter: Parameter | None) -> Value:
    """The value of a cell; text if the parameter allows that text."""
    if parameter is not None and parameter.admit(cell) is not None:
        return cell
    try:
        value = resolve(cell)
    except Trap:
        return cell
    return cell if value is None or value != value else value
