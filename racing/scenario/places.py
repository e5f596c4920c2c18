"""Places in files, for errors that name file, line and column."""

from __future__ import annotations

from dataclasses import dataclass, replace

from racing.base.errors import FormatError


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
    >>> from racing.scenario.places import Place
    >>> print(Place("race.txt", 3).after("beta ("))
    race.txt:3:7
    """

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def at(self, offset: int) -> Place:
        """The place of a later character of the line."""
        return replace(self, column=self.column + offset)

    def after(self, text: str) -> Place:
        """The place after this text, which begins here."""
        lines = text.count("\n")
        if not lines:
            return self.at(len(text))
        return replace(self, line=self.line + lines, column=len(text) - text.rfind("\n"))

    def error(self, reason: str) -> FormatError:
        """A `FormatError` with this reason and place."""
        return FormatError((f"{self}: {reason}",))
