"""One small error in the code, and the tests that must catch it.

Code is compared word by word, so line breaks, indentation, and the brackets and commas that a
formatter adds where it breaks a line do not matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path

_WORD = re.compile(r"\d(?:[\w.]|(?<=e)-)*|\w+|\*\*|//|->|[-+*/%<>=!:&|^]=|[^\w\s]")
_ADDED = frozenset("(),")


class TableError(Exception):
    """An entry of a table does not fit the code any more."""


@dataclass(frozen=True)
class Mutation:
    """Replace `old` by `new` in `racing/`: one of `tests` must fail then.

    Attributes
    ----------
    name
        What goes wrong, in a few words; unique.
    old, new
        Whole words of code. `old` must stand in the package exactly once, on any lines.
    tests
        What pytest is given: files or node ids, relative to `tests/`; few and quick.
    within
        The only file to look at, seen from `racing/`, for code that others have too.
    """

    name: str
    old: str
    new: str
    tests: tuple[str, ...]
    within: str = ""

    def applied(self, root: Path) -> tuple[str, str]:
        """The file, seen from `racing/`, and its text with the error in it.

        Raises
        ------
        TableError
            If the code is not there exactly once, or nothing would change.
        """
        old = words(self.old)
        if old == words(self.new):
            raise TableError(f"{self.name}: old and new are the same code")
        texts, close = package(root / "racing"), _close(self.old)
        there = (file for file, (_, squeezed) in texts.items() if close in squeezed)
        likely = (file for file in there if self.within in (file, ""))
        found = [(file, place) for file in likely for place in places(texts[file][0], old)]
        if len(found) != 1:
            raise TableError(
                f"{self.name}: expected once in racing/{self.within}, found {len(found)} times "
                f"({', '.join(file for file, _ in found)}); correct the entry:\n{self.old}"
            )
        file, place = found[0]
        return file, replaced(texts[file][0], place, self.old, self.new)


_MARKED = re.compile(r"(?:([\w/]+\.py): )?(.*)«(.*) → (.*)»(.*)", re.DOTALL)


def mutations(table: dict[str, dict[str, str]]) -> tuple[Mutation, ...]:
    """Tests, with commas between → name → code with its change: `if «a → b»:`, `a.py: «a → »`."""
    return tuple(
        _marked(name, code, tuple(tests.split(", ")))
        for tests, entries in table.items()
        for name, code in entries.items()
    )


def _marked(name: str, code: str, tests: tuple[str, ...]) -> Mutation:
    if not (found := _MARKED.fullmatch(code)):
        raise TableError(f"{name}: no change is marked as «old → new» in:\n{code}")
    within, before, old, new, after = found.groups(default="")
    return Mutation(name, before + old + after, before + new + after, tests, within)


@cache
def package(folder: Path) -> dict[str, tuple[str, str]]:
    """File, seen from the folder → its text, and its text without what may be between words."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}
    return {str(path.relative_to(folder)): (text, _close(text)) for path, text in texts.items()}


def _close(code: str) -> str:
    """The code without white space, and without brackets and commas that a formatter may add."""
    return re.sub(r"[\s(),]+", "", code)


def words(code: str) -> list[str]:
    """Names, numbers and operators, without the white space between them."""
    return _WORD.findall(code)


def places(text: str, old: list[str]) -> list[list[tuple[int, int]]]:
    """Where the words stand one after the other: (start, end) of each, for each occurrence."""
    spans, there = _spelled(text)
    firsts = [at for at, word in enumerate(there) if word == old[0]]
    found = [_followed(there, at, old) for at in firsts]
    return [[spans[at] for at in one] for one in found if one]


@cache
def _spelled(text: str) -> tuple[list[tuple[int, int]], list[str]]:
    """(start, end) of each word, and the words."""
    spans = [match.span() for match in _WORD.finditer(text)]
    return spans, [text[start:end] for start, end in spans]


def _followed(there: list[str], at: int, old: list[str]) -> list[int] | None:
    """The positions of the words from a position on; added brackets and commas are passed over."""
    taken: list[int] = []
    for word in old:
        while taken and at < len(there) and there[at] != word and there[at] in _ADDED:
            at += 1
        if at == len(there) or there[at] != word:
            return None
        taken.append(at)
        at += 1
    return taken


def replaced(text: str, place: list[tuple[int, int]], old: str, new: str) -> str:
    """The text with only the words changed that differ between old and new."""
    before, after = words(old), words(new)
    first = _common(before, after)
    last = _common(before[first:][::-1], after[first:][::-1])
    written = _inner(new, first, last)
    if first + last == len(before):  # nothing is taken out
        start = place[first - 1][1] if first else place[0][0]
        return f"{text[:start]} {written} {text[start:]}"
    start = place[first][0] if written or not first else place[first - 1][1]
    stop = place[len(place) - last - 1][1]
    kept = _brackets(text[start:stop]) - _brackets(_inner(old, first, last))
    return text[:start] + "(" * kept + written + ")" * -kept + text[stop:]


def _common(a: list[str], b: list[str]) -> int:
    """How many first words are the same."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))))


def _inner(code: str, first: int, last: int) -> str:
    """The code without its first and last words."""
    spans = [match.span() for match in _WORD.finditer(code)]
    inner = spans[first : len(spans) - last]
    return code[inner[0][0] : inner[-1][1]] if inner else ""


def _brackets(code: str) -> int:
    """How many round brackets are opened and not closed."""
    return code.count("(") - code.count(")")
