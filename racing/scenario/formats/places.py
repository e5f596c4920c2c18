"""Places in files, for errors that name file, line and column."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from racing.base.errors import MOST_ERRORS, FormatError


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
    >>> from racing.scenario.formats.places import Place
    >>> print(Place("race.txt", 3).after("beta ("))
    race.txt:3:7
    """

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def after(self, text: str) -> Place:
        """The place after this text, which begins here."""
        lines = text.count("\n")
        if not lines:
            return replace(self, column=self.column + len(text))
        return replace(self, line=self.line + lines, column=len(text) - text.rfind("\n"))

    def error(self, reason: str) -> FormatError:
        """A `FormatError` with this reason and place."""
        return FormatError((f"{self}: {reason}",))


@contextmanager
def collecting(errors: list[str]) -> Iterator[None]:
    """Context manager that collects the errors of a file, so that all are reported at once.

    Raises
    ------
    FormatError
        With the errors so far, when as many are found as are reported.
    """
    try:
        yield
    except FormatError as error:
        errors.extend(error.errors)
    if len(errors) >= MOST_ERRORS:
        raise FormatError([*errors[: MOST_ERRORS - 1], "… and more; the rest was not read"])
