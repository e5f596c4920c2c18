"""Write a commented scenario, race.yaml, and a small target, target.py, to start from.

Nothing is overwritten.
"""

from __future__ import annotations

import argparse
import shlex
from importlib.resources import files
from pathlib import Path

from racing.base.errors import InputError
from racing.cli.console import print_files, talk, write_new
from racing.cli.options import JSON, option

EXAMPLES = (
    "racing init",
    "racing init tuning",
    "racing init tuning --json",
)

FILES = ("race.yaml", "target.py")

ARGUMENTS = (
    option(
        "folder",
        metavar="FOLDER",
        nargs="?",
        default=".",
        help="where they go; made if it is not there (default: the current folder)",
    ),
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    paths = write(Path(args.folder))
    print_files(args, paths)
    if not args.json:
        talk(f"Next: racing run {shlex.quote(str(paths[0]))}")
    return 0


def write(folder: Path) -> list[Path]:
    """Write the files, and return their paths.

    Raises
    ------
    InputError
        If one exists already, or the folder cannot be written.
    """
    paths = [folder / name for name in FILES]
    if there := [str(path) for path in paths if path.exists()]:
        raise InputError(f"{' and '.join(there)}: there already, and left as it is; name a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from error
    given = files("racing.cli.starter")
    return [write_new(path, given.joinpath(path.name).read_text("utf-8")) for path in paths]
