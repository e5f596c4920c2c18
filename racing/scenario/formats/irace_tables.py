"""irace's lists: configurations files, instance files and folders of instances."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from racing.base.errors import FormatError, ScenarioError, did_you_mean
from racing.scenario.files import counted, read_format
from racing.scenario.formats.irace_lines import Line
from racing.scenario.formats.levels import levels_of
from racing.scenario.formats.places import Place
from racing.space import Space
from racing.space.parameter import Value

_INACTIVE = "NA"


def read_lines(path: Path, *, comments: bool = True) -> list[Line]:
    """The lines of a text file with content.

    Raises
    ------
    FormatError
        If the file cannot be read.
    """
    rows = enumerate(read_format(path, "lines").splitlines(), start=1)
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
        With all rows that are no configuration of the space, and their lines.
    """
    lines = read_lines(path)
    if not lines:
        raise FormatError((f"{path}: the file has no header with parameter names",))
    header = _cells(lines[0])
    errors = [
        f"{lines[0].place}: unknown parameter {name!r}{did_you_mean(name, space)}"
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
    """The value of a text: a listed value of the parameter, if it has a list."""
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
        `trainInstancesDir` and `trainInstancesFile`, or those for tests; '' or None if not set.
        Lines of the file are instances in the folder, each with optional arguments. Without a file,
        all files of the folder and the folders below are the instances.
    base
        The scenario's folder; relative paths, also returned ones, are relative to it. An instance
        with arguments gets a full path, for a target started elsewhere.

    Raises
    ------
    FormatError
        If a file or folder cannot be read, or has no instances.
    """
    root = base / folder if folder else None
    if file:
        names = [line.text.strip() for line in read_lines(base / file, comments=False)]
        names = [name for name in names if not name.startswith("#")]
        found = [_found(Path(folder) / name, base) if folder else name for name in names]
    elif root is not None:
        if not root.is_dir():
            raise FormatError((f"{root}: there is no such folder of instances",))
        try:
            files = [path for path in counted(root.rglob("*")) if os.path.isfile(path)]
        except (OSError, ScenarioError) as error:  # one of them may be gone meanwhile
            raise FormatError((f"{root}: {error}",)) from None
        found = sorted(str(Path(folder or "") / path.relative_to(root)) for path in files)
    else:
        return []
    if not found:
        raise FormatError((f"{base / file if file else root}: there are no instances",))
    return found


def _found(path: Path, base: Path) -> str:
    return str(path if os.path.isfile(base / path) else base.resolve() / path)
