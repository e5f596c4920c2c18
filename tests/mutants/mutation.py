"""One small error in the code, and the tests that must catch it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class TableError(Exception):
    """An entry of a table does not fit the code any more."""


@dataclass(frozen=True)
class Mutation:
    """Replace `old` by `new` in a file: one of `tests` must fail then.

    Attributes
    ----------
    name
        What goes wrong, in a few words; unique.
    file
        Seen from `racing/`.
    old, new
        Text. `old` must stand in the file exactly once.
    tests
        What pytest is given: files or node ids, seen from `tests/`; few and quick.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def applied(self, root: Path) -> str:
        """The text of the file with the error in it.

        Raises
        ------
        TableError
            If the file does not have the text exactly once, or nothing would change.
        """
        path = root / "racing" / self.file
        if not path.is_file():
            raise TableError(f"{self.name}: there is no racing/{self.file}; correct the entry")
        text = path.read_text(encoding="utf-8")
        if (times := text.count(self.old)) != 1:
            raise TableError(
                f"{self.name}: expected once in racing/{self.file}, found {times} times; "
                f"correct the entry:\n{self.old}"
            )
        if self.old == self.new:
            raise TableError(f"{self.name}: old and new are the same text")
        return text.replace(self.old, self.new)


def mutation(name: str, file: str, old: str, new: str, *tests: str) -> Mutation:
    """A `Mutation`, written on fewer lines."""
    return Mutation(name, file, old, new, tests)
