"""Output streams: results to stdout, other messages to stderr."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from racing.answer.document import Document
from racing.answer.text import WIDTH, text
from racing.base.errors import InputError
from racing.base.plain import drop as drop
from racing.base.plain import json_text
from racing.base.plain import say as say
from racing.base.plain import talk as talk

T = TypeVar("T")


@dataclass(frozen=True)
class Written:
    """The files that a command wrote; `--json` prints it."""

    files: tuple[Path, ...]


@contextmanager
def results_alone() -> Iterator[None]:
    """Context manager that keeps stdout for the result: other output to it goes to stderr.

    A target may run in this process, and its C code prints without `sys.stdout`.
    """
    try:
        sys.stdout.flush()
        kept = os.dup(1)
    except (OSError, ValueError):  # without a stdout
        yield
        return
    try:
        with suppress(OSError):
            os.dup2(2, 1)
        yield
    finally:
        _flush_c_output()
        os.dup2(kept, 1)
        os.close(kept)


@contextmanager
def read_or_not() -> Iterator[None]:
    """Context manager to print a result whose reader may have ended: the exit code stays."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        drop(sys.stdout)


def _flush_c_output() -> None:
    """Flush the buffers of C, if its library is available."""
    with suppress(OSError, AttributeError, ImportError):
        import ctypes

        ctypes.CDLL(None).fflush(None)


def say_json(facts: object) -> None:
    """Print facts as one JSON object."""
    from racing.answer.json import as_data

    say(json_text(as_data(facts)))


def print_result(args: argparse.Namespace, facts: T, document: Callable[[T], Document]) -> None:
    """Print facts: with `--json` as one JSON object, else as a document of them."""
    if args.json:
        say_json(facts)
    else:
        tell(document(facts))


def print_files(args: argparse.Namespace, files: Iterable[Path]) -> None:
    """Print the files that were written, one a line."""
    if args.json:
        say_json(Written(tuple(files)))
    else:
        say("\n".join(map(str, files)))


def write_new(path: Path, text: str) -> Path:
    """Write a file that is not there yet.

    Raises
    ------
    InputError
        If it is there, or cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{path} exists; choose another file, or remove it") from None
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    return path


def tell(said: Document) -> None:
    """Print a document; on a terminal its tables keep to the width of the window."""
    say(text(said, width=width(), fold=sys.stdout.isatty()), end="")


def width() -> int:
    """The width of a line: that of the terminal, or $COLUMNS, or 88."""
    return shutil.get_terminal_size((WIDTH, 24)).columns
