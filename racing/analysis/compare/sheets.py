"""A header and rows, of a CSV file or a frame, and which column has which role."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from racing.analysis.compare.methods import option, refusal
from racing.analysis.compare.result_table import Columns, Floats
from racing.base.errors import InputError, TableError, show

_MISSING = frozenset(("", "na", "n/a", "nan", "null", "none", "?", "-", "–"))
_YES_OR_NO = {"true": 1.0, "false": 0.0}
_HEAD = 1 << 16  # characters in which the header ends
LOOKED_AT = 50
"""Rows that say whether a column holds numbers."""

INSTANCE = ("instance", "problem", "dataset", "data set", "name", "task", "id")
REPETITION = ("repetition", "repeat", "fold", "seed", "run")
ROLES: Mapping[str, tuple[str, ...]] = {
    "algorithm": ("algorithm", "method", "model", "classifier", "solver", "optimizer"),
    "instance": ("instance", "problem", "dataset", "data set", "task"),
    "repetition": REPETITION,
    "score": ("score",),
}
"""What columns and index levels are called that hold no scores of an algorithm, by their role."""


@dataclass(frozen=True)
class Sheet:
    """The cells of a file or a frame, whatever its form.

    Attributes
    ----------
    source, separator : the file, and what parts its cells; "" of a frame
    header, rows : as they are written, row by row
    lines : the numbers of the rows in the file or the frame
    places : how messages call the rows, where lines do not say it
    groups : the group of each row, where the reader knows it
    named : of a frame, the column without a name that was taken to name the instances
    twice : what the message on two scores of one algorithm on one instance advises
    """

    source: str
    separator: str
    header: list[str]
    rows: list[list[Any]]
    lines: list[int]
    places: Sequence[str] = ()
    groups: Sequence[str] = ()
    named: str = ""
    twice: str = "delete one"

    def place(self, line: int | None) -> str:
        """A line, or None for the header, for messages."""
        if self.separator:
            return f"{self.source}:{1 if line is None else line}"
        if line is not None and self.places:
            return self.places[line]
        return self.source if line is None else f"{self.source}, row {line}"

    def error(self, line: int | None, what: str) -> TableError:
        """An error with its place."""
        return TableError(f"{self.place(line)}: {what}")

    @property
    def folded(self) -> list[str]:
        """The header in lower case."""
        return [name.casefold() for name in self.header]

    def square(self, *, shorter: bool) -> None:
        """Refuse rows of another length than the header; fill up shorter ones if they may be."""
        for line, row in zip(self.lines, self.rows, strict=True):
            if (lacking := len(self.header) - len(row)) < 0 or (lacking and not shorter):
                raise self.error(line, f"{len(row)} cells, but the header has {len(self.header)}")
            row += [""] * lacking

    def column(self, at: int, what: str, fix: str = "fill the cell") -> list[str]:
        """The words of a column, none of which may be empty."""
        words = ["" if row[at] != row[at] else str(row[at]).strip() for row in self.rows]
        if "" in words:
            raise self.error(self.lines[words.index("")], f"the {what}; {fix}")
        return words

    def take(self, name: str) -> list[str]:
        """The words of a column, such as that of groups; it is removed."""
        if (many := self.header.count(name)) != 1:
            found = ", ".join(self.header)
            raise self.error(None, f"the header has {many} columns {show(name)}: {found}")
        at = self.header.index(name)
        words = self.column(at, f"column {show(name)} is empty")
        for row in (self.header, *self.rows):
            row.pop(at)
        return words

    def numbers(self, words: Sequence[Any], names: Sequence[str]) -> Floats:
        """(rows, columns) the cells as numbers, row by row; NaN where a cell is missing."""
        shape = len(self.lines), len(names)
        try:  # the common case, at the speed of C
            return np.fromiter(map(float, words), np.float64, len(words)).reshape(shape)
        except (TypeError, ValueError):
            return self._carefully(words, names).reshape(shape)

    def _carefully(self, words: Sequence[Any], names: Sequence[str]) -> Floats:
        scores = np.empty(len(words))
        point = comma = 0
        for at, cell in enumerate(map(str, words)):
            line, name = self.lines[at // len(names)], names[at % len(names)]
            number = self.number(cell)
            if number is None:
                raise self.error(line, _no_number(cell, name))
            scores[at] = number
            point = point or ("." in cell and line)
            comma = comma or ("," in cell and line)
        if point and comma:
            alike = f"but line {point} has a decimal point; write all numbers alike"
            raise self.error(comma, f"a decimal comma, {alike}")
        return scores

    def number(self, cell: object) -> float | None:
        """A cell as a number, NaN if it is missing; None if it is none."""
        cell = str(cell)
        word = cell.strip().casefold()
        if word in _MISSING:
            return np.nan
        number = as_number(cell)
        if number is None:
            number = _YES_OR_NO.get(word)
        if number is None and self.separator != "," and cell.count(",") == 1 and "." not in cell:
            number = as_number(cell.replace(",", "."))
        return number

    @property
    def kinds(self) -> list[set[bool]]:
        """Of each column, whether its first cells are numbers or missing."""
        first = self.rows[:LOOKED_AT]
        return [{self.number(row[at]) is not None for row in first}
                for at in range(len(self.header))]  # fmt: skip

    def roles(self, given: Columns = None) -> dict[str, int]:
        """Role → column; a sheet that has algorithm and score is in the long form.

        A column has a role if it is named so (`columns=`), or called as `ROLES` says. The score is
        also the only other column with a name that holds numbers.

        Raises
        ------
        InputError
            If a column that is named is not there.
        """
        header, numeric = self.header, [False not in kind for kind in self.kinds]
        folded, found = self.folded, self.places_of(given)
        for role, names in ROLES.items():
            free = [at for at, name in enumerate(folded) if name in names]
            if role == "algorithm" and role not in folded:
                free = [at for at in free if not numeric[at] or self._numbered(at)]
            own = [at for at in free if folded[at] == role] or free
            if role not in found and len(own) == 1 and own[0] not in found.values():
                found[role] = own[0]
        rest = [at for at, on in enumerate(numeric)
                if on and header[at] and folded[at] not in REPETITION
                and at not in found.values()]  # fmt: skip
        return found | ({"score": rest[0]} if "score" not in found and len(rest) == 1 else {})

    def places_of(self, given: Columns) -> dict[str, int]:
        """Role → column, as far as they are given; see `roles`."""
        for role, name in (given or {}).items():
            if role not in ROLES or name not in self.header:
                raise InputError(
                    f"columns must be {', '.join(ROLES)}, each with one of "
                    f"{', '.join(self.header)}; got {role}={name}"
                )
        return {role: self.header.index(name) for role, name in (given or {}).items()}

    def name_rows(self, given: Columns) -> None:
        """In the wide form, call columns by the given roles; that of the instances comes first."""
        for role, at in sorted(self.places_of(given).items(), reverse=True):
            if role not in ("instance", "repetition"):
                raise self.error(None, refusal("no-role", role=role, name=self.header[at]))
            self.header[at] = role
            for row in (self.header, *self.rows) if role == "instance" else ():
                row.insert(0, row.pop(at))

    def _numbered(self, at: int) -> bool:
        """Whether a column has whole numbers that name algorithms: rows with the same repeat.

        In the wide form, where it would have scores, instances do not repeat but with repetitions.
        """
        named = [k for k, name in enumerate(self.folded) if name in ROLES["instance"]]
        if len(named) != 1:
            return False
        numbers = [self.number(row[at]) for row in self.rows]
        several = all(
            len({str(row[k]) for row in self.rows}) < len(self.rows) for k in (at, *named)
        )
        return several and all(one is not None and one % 1 == 0 for one in numbers)

    def long(self, given: Columns, *, asked: bool) -> dict[str, int]:
        """The roles of the columns in the long form; {} in the wide form."""
        found, wanted = self.roles(given), ("algorithm", "score")
        if not (asked or {*wanted} <= found.keys() or {*wanted} <= {*self.folded}):
            self._check_wide(found)
            return {}
        for name in wanted:
            called = self.folded[found[name]] if name in found else name
            if (many := self.folded.count(called)) != 1:
                wrong = f"the long form must have one column {show(called)}; got {many}"
                raise self.error(None, f"{wrong}: {', '.join(self.folded)}")
        return found

    def guessed(self, found: Mapping[str, int], given: Columns) -> tuple[tuple[str, str], ...]:
        """(role, column) of all, if that of the algorithms or of the scores is not called so.

        In the wide form that of the instances, if it has no name.
        """
        if not found:
            return (("instance", self.named),) if self.named else ()
        names, told = {role: self.header[at] for role, at in found.items()}, given or {}
        plain = (role in told or names[role].casefold() == role for role in ("algorithm", "score"))
        return () if all(plain) else tuple(names.items())

    def _check_wide(self, found: Mapping[str, int]) -> None:
        """Refuse as wide what has a row for each score or each algorithm, and say what to write.

        Columns of words repeat in the long form; in the wide form one of them names each row.
        """
        words = {at: len({row[at] for row in self.rows})
                 for at, kind in enumerate(self.kinds) if True not in kind}  # fmt: skip
        numbers = [at for at in range(len(self.header)) if at not in words]
        named = len(self.rows) in words.values()
        if numbers and named and words.keys() == {found.get("algorithm")}:
            raise self.error(
                None, refusal("on-its-side", name=show(self.header[found["algorithm"]]))
            )
        if numbers and (
            {"algorithm", "instance"} <= found.keys() or (len(words) > 1 and not named)
        ):
            asked = self._asked(found, sorted(words, key=words.__getitem__), numbers)
            told = shlex.join(f"{role}={name}" for role, name in asked.items())
            how = option(f"--columns {told}", f"columns={asked}")
            raise self.error(
                None, f"a row seems to be a score; say which column is what, such as {how}"
            )

    def _asked(
        self, found: Mapping[str, int], words: Sequence[int], numbers: Sequence[int]
    ) -> dict[str, str]:
        """What the columns without a role probably are, as a proposal for the user to confirm."""
        names = iter(at for at in words if at not in found.values())
        free = [at for at in numbers if at not in found.values()]
        repeated = [at for at in free if self.folded[at] in REPETITION]
        free = [at for at in free if at not in repeated]
        whole = (at for at in free[:-1]
                 if all((self.number(row[at]) or 0) % 1 == 0 for row in self.rows))  # fmt: skip
        guess = {"algorithm": names, "instance": names, "repetition": chain(repeated, whole),
                 "score": iter(free[-1:])}  # fmt: skip
        first = {role: next(at, None) for role, at in guess.items() if role not in found}
        return {role: self.header[at] for role, at in first.items() if at is not None}


def _no_number(cell: str, name: str) -> str:
    fix = "write a failure as inf (-inf if higher scores are better), a missing score as nothing"
    if "," in cell:
        fix = "a decimal comma needs semicolons or tabs between the cells"
    columns = option("--columns", "columns=")
    long = f"of a table with a row for each score, say what is what ({columns})"
    return f"{show(cell.strip())} in column {show(name)} is not a number; {fix}; {long}"


def read_sheet(path: Path) -> Sheet:
    """The cells of a CSV file; blank lines are skipped.

    Raises
    ------
    TableError
        If the file cannot be read, is no text, or holds no row below its header.
    """
    text = _text(path)
    head = next((line for line in text[:_HEAD].splitlines() if line.strip()), "")
    separator = max(";\t,", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows, lines = [], []
    try:
        for row in reader:
            if row and (row[0].strip() or any(cell.strip() for cell in row)):
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise TableError(f"{path}:{reader.line_num}: not CSV: {error}") from error
    if len(rows) < 2:
        what = "only a header" if rows else "nothing"
        raise TableError(f"{path} must have a header and one or more rows; got {what}")
    header = rows[0]
    if len(header) < 2:
        raise TableError(
            f"{path}:{lines[0]}: cells must be separated by commas, semicolons or tabs; got one "
            f"column ({show(header[0])})"
        )
    if not header[-1].strip() and all(len(r) == len(header) and not r[-1].strip() for r in rows):
        rows = [row[:-1] for row in rows]
    return Sheet(str(path), separator, [name.strip() for name in rows[0]], rows[1:], lines[1:])


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


def as_number(cell: str) -> float | None:
    """The number that a text is, or None."""
    try:
        return float(cell)
    except ValueError:
        return None
