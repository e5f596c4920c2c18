"""irace's lists: configurations files, instance files and folders of instances."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from racing.errors import FormatError, did_you_mean
from racing.formats.irace_parameters import Line, levels_of
from racing.formats.places import Place
from racing.space import Space
from racing.space.parameter import Value

_INACTIVE = "NA"


def read_lines(path: Path, *, comments: bool = True) -> list[Line]:
    """The lines of a text file that say something.

    Raises
    ------
    FormatError
        If the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError((f"{path}: cannot be read: {error}",)) from error
    rows = enumerate(text.splitlines(), start=1)
    found = [
        Line(row.partition("#")[0] if comments else row, Place(str(path), number))
        for number, row in rows
    ]
    return [line for line in found if line.text.strip()]


def read_configurations(path: Path, space: Space) -> list[dict[str, Value]]:
    """The configurations of a configurations file, `NA` (or `<NA>`) left out as inactive.

    Raises
    ------
    FormatError
        With every row that is no configuration of the space, each with its line.
    """
    lines = read_lines(path)
    if not lines:
        raise FormatError((f"{path}: the file has no header with parameter names",))
    header = _cells(lines[0])
    errors = [
        f"{lines[0].place}: {name!r} is no parameter{did_you_mean(name, space)}"
        for name in header
        if name not in space
    ]
    configurations = []
    for line in lines[1:]:
        cells = _cells(line)
        if len(cells) != len(header):
            errors.append(f"{line.place}: {len(cells)} values for {len(header)} parameters")
        else:
            row = zip(header, cells, strict=True)
            configurations.append(
                {
                    name: _value(space, name, cell)
                    for name, cell in row
                    if name in space and cell not in (_INACTIVE, f"<{_INACTIVE}>")
                }
            )
    if errors:
        raise FormatError(errors)
    return configurations


def _cells(line: Line) -> list[str]:
    try:
        return shlex.split(line.text)
    except ValueError as error:
        raise line.place.error(f"cannot be split into values: {str(error).lower()}") from error


def _value(space: Space, name: str, text: str) -> Value:
    """The value that a text stands for: the parameter's own where it has listed values."""
    levels: Sequence[Value] = space[name].levels or ()
    for level in levels:
        if str(level) == text:
            return level
    return levels_of([text])[0]


def read_instances(folder: str | None, file: str | None, base: Path) -> list[str]:
    """The training or test instances, as the target runner gets them.

    Parameters
    ----------
    folder, file
        `trainInstancesDir` and `trainInstancesFile`, or those for tests; '' or None where not set.
        Lines of the file are instances in the folder, arguments of their own after them. Without a
        file, all files of the folder and the folders below are the instances.
    base
        The scenario's folder, that relative paths are seen from.

    Raises
    ------
    FormatError
        If a file or folder cannot be read, or has no instances.
    """
    root = base / folder if folder else None
    if file:
        names = [line.text.strip() for line in read_lines(base / file, comments=False)]
        names = [name for name in names if not name.startswith("#")]
        found = [f"{root / name}" if root else name for name in names]
    elif root is not None:
        if not root.is_dir():
            raise FormatError((f"{root}: there is no such folder of instances",))
        found = sorted(str(path) for path in root.rglob("*") if path.is_file())
    else:
        return []
    if not found:
        raise FormatError((f"{base / file if file else root}: there are no instances",))
    return found
