"""Finds files, reads text files, up to a limit, and names places in them.

No devices or pipes are read, which may never end.
"""

from __future__ import annotations

import glob
import os
import re
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TypeVar

from racing.base.errors import FormatError, ScenarioError

T = TypeVar("T")

_LARGEST = {"scenario": 1, "csv": 100, "lines": 100}  # MB
MOST_FILES = 100_000
"""The most files and folders that a search for files looks at."""


def matching(pattern: str, folder: Path) -> list[str]:
    """What matches a pattern, seen from a folder, in order; `**` is any folders.

    Raises
    ------
    ScenarioError
        If it goes through more than `MOST_FILES` files and folders.
    """
    path = PurePath(pattern)
    top, parts = (folder, path.parts) if not path.anchor else (path.anchor, path.parts[1:])
    found = {name for name in counted(_steps(Path(top), parts)) if name}
    return [os.path.join(path.anchor, name) for name in sorted(found)]


def counted(found: Iterable[T]) -> Iterator[T]:
    """What a search finds, up to the limit; raises `ScenarioError` beyond it."""
    for number, one in enumerate(found):
        if number == MOST_FILES:
            raise ScenarioError(
                f"more than {MOST_FILES:,} files and folders would be searched; name a folder with "
                "fewer, or list the instances in a file"
            )
        yield one


def _steps(folder: Path, parts: Sequence[str]) -> Iterator[str | None]:
    """What matches, and None for each folder on the way: `glob` alone walks without a word."""
    head, rest = parts[0], parts[1:]
    if not rest:
        yield from glob.iglob(head, root_dir=folder, recursive=True)
        return
    if head == "**":
        yield from _steps(folder, rest)
    for name in glob.iglob(os.path.join(head, ""), root_dir=folder, recursive=True):
        yield None
        for found in _steps(folder / name, rest):
            yield found and os.path.join(name, found)


def unreplaced(path: str) -> str:
    """The fix for a path that a shell would change before it is used."""
    mark = re.match(r"~|.*?(\$\w+|\$\{\w+\})", path)
    return f"; {mark[1] or '~'} is not replaced: write the folder out" if mark else ""


@dataclass(frozen=True)
class Place:
    """A position in a file.

    Attributes
    ----------
    file
        What messages call the file.
    line, column
        Both from 1.

    Examples
    --------
    >>> from racing.scenario.files import Place
    >>> print(Place("race.txt", 3).after("beta ("))
    race.txt:3:7
    """

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def at(self, offset: int) -> Place:
        """The place of a later character of the line."""
        return replace(self, column=self.column + offset)

    def after(self, text: str) -> Place:
        """The place after this text, which begins here."""
        lines = text.count("\n")
        if not lines:
            return self.at(len(text))
        return replace(self, line=self.line + lines, column=len(text) - text.rfind("\n"))

    def error(self, reason: str) -> FormatError:
        """A `FormatError` with this reason and place."""
        return FormatError((f"{self}: {reason}",))


def read_format(path: Path, what: str = "scenario") -> str:
    """The text of a file of another program; see `read_text`.

    Raises
    ------
    FormatError
        As `read_text` raises its error.
    """
    try:
        return read_text(path, str(path), what)
    except ScenarioError as error:
        raise FormatError(error.errors) from None


def read_text(path: Path, shown: str, what: str = "scenario") -> str:
    """The text of a file.

    Parameters
    ----------
    path, shown
        Its path, and its name in messages.
    what
        `scenario`, `csv` or `lines`: decides the size limit.

    Raises
    ------
    ScenarioError
        If it is missing, a device or a pipe, not a text file, not in UTF-8, or far too large.
    """
    data = _read_bytes(path, shown, _LARGEST[what])
    if data.startswith(b"SQLite format 3\0"):
        raise ScenarioError(
            f"{shown}: this is the log of a run, not a scenario; `racing resume {shown}` continues "
            f"it, `racing show {shown}` shows it"
        )
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        what = "in UTF-16, not UTF-8" if data[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else (
            "not a text file: it holds zero bytes")  # fmt: skip
        raise ScenarioError(f"{shown}:{line}: {what}; save the file as UTF-8 text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ScenarioError(
            f"{shown}:{line}: not UTF-8: the byte 0x{data[error.start]:02x} is not a character; "
            "save the file as UTF-8"
        ) from None


class _Endless(Exception):
    """The path is not a file, and may have no end."""


def _read_bytes(path: Path, shown: str, megabytes: int) -> bytes:
    limit = megabytes * 10**6
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise _Endless
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except _Endless:
        raise ScenarioError(f"{shown}: is a device or a pipe, not a file") from None
    except FileNotFoundError:
        raise ScenarioError(f"{shown}: no such file{unreplaced(shown)}") from None
    except IsADirectoryError:
        raise ScenarioError(f"{shown}: is a folder, not a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ScenarioError(f"{shown}: cannot be read: {reason}") from None
    if len(data) > limit:
        raise ScenarioError(f"{shown}: too large; at most {megabytes} MB are read")
    return data
