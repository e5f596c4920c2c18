"""Reads the cells of a CSV file: rows with line numbers, text as numbers, errors with a place."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from racing.analysis.compare.result_table import Floats
from racing.base.errors import TableError, show

_MISSING = frozenset(("", "na", "n/a", "nan", "null", "none", "?", "-", "–"))
_YES_OR_NO = {"true": 1.0, "false": 0.0}
_HEAD = 1 << 16  # characters in which the header ends

INSTANCE = ("instance", "problem", "dataset", "data set", "name", "task", "id")
REPETITION = ("repetition", "repeat", "fold", "seed", "run")
"""What columns and index levels are called that hold no scores of an algorithm."""


@dataclass(frozen=True)
class Cells:
    """How the cells of a file are read, and how its errors are worded."""

    path: Path
    separator: str

    def error(self, line: int, what: str) -> TableError:
        """An error with its place."""
        return TableError(f"{self.path}:{line}: {what}")

    def check_names(self, names: list[str]) -> None:
        """Refuse algorithms with missing or repeated names, and a header that is data."""
        if names and all(_float(name) is not None for name in names):
            raise self.error(
                1,
                f"expected the names of the algorithms, got numbers ({', '.join(names[:3])}, ...); "
                "the first line must be a header: instance, then one name per algorithm",
            )
        seen: dict[str, int] = {}
        for at, name in enumerate(names, start=2):
            if not name:
                raise self.error(1, f"column {at} has no name; name the algorithm")
            if name.casefold() in ("instance", "problem", "dataset"):
                raise self.error(
                    1,
                    f"column {at} is called {show(name)}, but the first column names the "
                    "instances; move it there, or say that the first one has groups (--group)",
                )
            if (first := seen.setdefault(name, at)) != at:
                raise self.error(
                    1, f"columns {first} and {at} are both called {show(name)}; rename one"
                )

    def check_instances(
        self, called: str, instances: list[str], lines: list[int], *, distinct: bool
    ) -> None:
        """Refuse instances without a name, scores as names and, unless allowed, repeated names."""
        if "" in instances:
            raise self.error(
                lines[instances.index("")], "the instance has no name; the first column holds it"
            )
        if look_like_scores(called, instances):
            raise self.error(
                lines[0],
                f"the first column ({show(called)}) holds numbers ({', '.join(instances[:3])}, "
                "...), where the names of the instances are expected; if it is an algorithm, "
                "write a column of names before it (pandas: to_csv without index=False); if it "
                'names the instances, call it "instance"',
            )
        if not distinct or len(set(instances)) == len(instances):
            return
        seen: dict[str, int] = {}
        for name, line in zip(instances, lines, strict=True):
            if name in seen:
                raise self.error(
                    line,
                    f"instance {show(name)} stands on line {seen[name]} already; give each a name "
                    "of its own, number them (--duplicates number), or give repetitions in the "
                    "long form: algorithm, instance, score, repetition",
                )
            seen[name] = line

    def numbers(self, words: list[str], lines: list[int], names: list[str]) -> Floats:
        """The cells of all rows as numbers, row by row; NaN where a cell is missing.

        `lines` are those of the rows, `names` the columns.
        """
        shape = len(lines), len(names)
        try:  # the common case, at the speed of C
            return np.fromiter(map(float, words), np.float64, len(words)).reshape(shape)
        except ValueError:
            return self._carefully(words, lines, names).reshape(shape)

    def _carefully(self, words: list[str], lines: list[int], names: list[str]) -> Floats:
        scores = np.empty(len(words))
        point = comma = 0
        for at, cell in enumerate(words):
            row, column = divmod(at, len(names))
            number = self._number(cell)
            if number is None:
                raise self.error(lines[row], self._no_number(cell, names[column]))
            scores[at] = number
            point = point or ("." in cell and lines[row])
            comma = comma or ("," in cell and lines[row])
        if point and comma:
            raise self.error(
                comma,
                f"a decimal comma, but line {point} has a decimal point; write all numbers alike",
            )
        return scores

    def _number(self, cell: str) -> float | None:
        if cell.strip().casefold() in _MISSING:
            return np.nan
        number = _float(cell)
        if number is None:
            number = _YES_OR_NO.get(cell.strip().casefold())
        if number is None and self.separator != "," and cell.count(",") == 1 and "." not in cell:
            number = _float(cell.replace(",", "."))
        return number

    def _no_number(self, cell: str, name: str) -> str:
        fixes = (
            "write a failure as inf (-inf if higher scores are better), a missing score as nothing"
        )
        if "," in cell:
            fixes = "a decimal comma needs semicolons or tabs between the cells"
        return f"{show(cell.strip())} in column {show(name)} is not a number; {fixes}"


def look_like_scores(called: str, names: Sequence[str]) -> bool:
    """Whether names of instances are rather scores: numbers that are not whole or not in order.

    `called` is the name of their column or index. One that says what they are is believed.
    """
    called = called.strip().casefold()
    numbers = [number for name in names if (number := _float(name)) is not None]
    if called in (*INSTANCE, *REPETITION) or len(numbers) < len(names):
        return False
    ordered = not called or numbers == sorted(numbers)
    return not (ordered and all(number.is_integer() for number in numbers))


def read_rows(path: Path) -> tuple[list[str], list[list[str]], list[int], Cells]:
    """Header, rows, their lines, and how to read them; blank lines are skipped.

    Raises
    ------
    TableError
        If the file cannot be read, is no text, or holds no row below its header.
    """
    text = _text(path)
    head = next((line for line in text[:_HEAD].splitlines() if line.strip()), "")
    separator = max(";\t,", key=head.count)
    cells = Cells(path, separator)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows, lines = [], []
    try:
        for row in reader:
            if row and (row[0].strip() or any(cell.strip() for cell in row)):
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise cells.error(reader.line_num, f"not CSV: {error}") from error
    if len(rows) < 2:
        what = "only a header" if rows else "nothing"
        raise TableError(f"{path}: {what}: expected a header and at least one row below it")
    header = rows[0]
    if len(header) < 2:
        raise cells.error(
            lines[0],
            f"one column only ({show(header[0])}): expected commas, semicolons or tabs between the "
            "cells",
        )
    if not header[-1].strip() and all(len(r) == len(header) and not r[-1].strip() for r in rows):
        rows = [row[:-1] for row in rows]
    return [name.strip() for name in rows[0]], rows[1:], lines[1:], cells


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror}") from error
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{path}:{line}: not UTF-8 text (byte {data[error.start]:#x}); save it as CSV in UTF-8"
        ) from error
    if "\x00" in text:
        raise TableError(f"{path}: not a text file; save the table as CSV in UTF-8")
    return text


def _float(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
