"""Finds programs, and explains why they cannot be started."""

from __future__ import annotations

import contextlib
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
    line = _first_line(str(path))
    if line.startswith("#!") and not (folder / line[2:].strip(" \t").split(" ")[0]).exists():
        raise TargetError(_no_interpreter(program, line))
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
        case errno.ETXTBSY:
            return f"program {arguments[0]!r} is being written"
        case errno.ENOENT | errno.EACCES | errno.ENOTDIR:
            return _no_interpreter(arguments[0], _first_line(path))
        case _:
            return f"{error.strerror or error}"


def _no_interpreter(program: str, line: str) -> str:
    return f"the interpreter of {program!r} cannot be run: {line!r}"


def _first_line(path: str) -> str:
    """The first line of a file; empty if it cannot be read."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return file.readline(200).decode("utf-8", errors="replace").strip(" \n")
    return ""
