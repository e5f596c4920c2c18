"""Finds programs, and explains why they cannot be started."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from racing.base.errors import TargetError

_INTERPRETER = re.compile(
    r"(python|pypy|perl|ruby|lua|luajit|tclsh|php)[\d.]*|Rscript|R|julia|node|deno|java|mono|dotnet|"
    r"octave(-cli)?|matlab|swipl|racket|guile|sbcl|awk|gawk|(ba|da|k|z|fi|c|tc)?sh"
)


def own_files(words: Sequence[str], cwd: str) -> list[Path]:
    """The program, if given by its path, and the first argument that is a program too.

    Parameters
    ----------
    words
        Of the command; '' for those with placeholders.
    """
    program, *rest = words
    interpreted = not program or _INTERPRETER.fullmatch(os.path.basename(program))
    paths = (os.path.join(cwd, word) for word in rest if word)
    first = next(filter(os.path.isfile, paths), "")
    script = first if interpreted or os.access(first, os.X_OK) else None
    named = os.path.join(cwd, program) if os.sep in program else None
    return [Path(path) for path in (named, script) if path]


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
