"""Finds programs, and explains why they cannot be started."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from racing.base.errors import TargetError


def find_program(program: str, folder: Path) -> str:
    """The path of a program that is started in a folder.

    Raises
    ------
    TargetError
        If it does not exist, or is not executable.
    """
    if os.sep not in program:
        if found := shutil.which(program):
            return found
        raise TargetError(
            f"program {program!r} is not on the PATH; "
            f"write ./{program} if it is in the folder {str(folder)!r}"
        )
    path = folder / program
    if not path.exists():
        raise TargetError(f"program {program!r} does not exist, relative to {str(folder)!r}")
    if path.is_dir():
        raise TargetError(f"program {program!r} is a folder")
    if not os.access(path, os.X_OK):
        raise TargetError(f"program {program!r} is not executable: try chmod +x {program}")
    return str(path)


def explain(error: OSError | ValueError, arguments: Sequence[str], cwd: str) -> str:
    """The reason why a program could not be started, with a hint."""
    if not Path(cwd).is_dir():
        return f"the folder {cwd!r} does not exist"
    if not isinstance(error, OSError):
        return f"{error} in an argument"
    if error.errno == errno.E2BIG:
        return f"its {len(arguments)} arguments are longer than the system allows"
    try:
        path = find_program(arguments[0], Path(cwd))
    except TargetError as reason:
        return str(reason)
    match error.errno:
        case errno.ENOEXEC:
            return (
                f"program {arguments[0]!r} is neither a program for this machine "
                "nor a script whose first line names its interpreter, such as #!/bin/sh"
            )
        case errno.ENOENT | errno.EACCES | errno.ENOTDIR:
            return f"the interpreter of {arguments[0]!r} cannot be run: {_first_line(path)!r}"
        case _:
            return f"{error.strerror or error}"


def _first_line(path: str) -> str:
    with open(path, "rb") as file:
        return file.readline(200).decode("utf-8", errors="replace").strip()
