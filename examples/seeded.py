"""Files of instances that are made again from their seeds, or compared with what is there."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path


def write_or_check(what: str, files: Iterable[tuple[Path, str]]) -> None:
    """The command of a module that makes instances: write (path, text) pairs, or `--check` them."""
    parser = argparse.ArgumentParser(description=f"Make the {what} again from their seeds.")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 if they differ")
    check = parser.parse_args().check
    for path, wanted in files:
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(wanted, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != wanted:
            raise SystemExit(f"{path} is not what its seed gives")
