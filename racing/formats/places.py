"""Where something stands in a file, for errors that name file, line and column."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from racing.errors import FormatError


@dataclass(frozen=True)
class Place:
    """A position in a file.

    Attributes
    ----------
    file
        What messages call the file.
    line, column
        Both from 1.
    """

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def after(self, text: str) -> Place:
        """The place just behind this text, which begins here."""
        lines = text.count("\n")
        if not lines:
            return replace(self, column=self.column + len(text))
        return replace(self, line=self.line + lines, column=len(text) - text.rfind("\n"))

    def error(self, reason: str) -> FormatError:
        """The error of this reason here."""
        return FormatError((f"{self}: {reason}",))


@contextmanager
def collecting(errors: list[str]) -> Iterator[None]:
    """Keep the errors of a file instead of raising them, so that all are told at once."""
    try:
        yield
    except FormatError as error:
        errors.extend(error.errors)
