"""Failures, grouped by how they ended and what the first line of their message has in common."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from racing.core.experiment import Outcome

END = 2000
"""Characters that are kept of a message: its end is where a program says what went wrong."""

_GROUPS = 200  # distinct first lines that have a group each; the others share one


_VARIES = re.compile(
    r"'[^']*'|\"[^\"]*\"|(?:[\w.~-]*/)+[\w.~-]+|\b0x[0-9a-fA-F]+\b|(?<![A-Za-z])[-+]?\d(?:[\d.,:]*\d)?(?:e[-+]?\d+)?"
)


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Evaluations with the same kind of failure.

    Attributes
    ----------
    status
        How they ended: `crashed`, `timeout`, ….
    first
        The first line of their message, without what varies; see `pattern`.
    count
        How many there were, repeated attempts included.
    candidates
        Ids of those that failed so, in the order of their first failure.
    example
        (candidate, step) of the latest.
    end
        The end of the latest message, at most `END` characters.
    """

    status: str
    first: str
    count: int
    candidates: tuple[int, ...]
    example: tuple[int, int]
    end: str


@dataclass
class _Group:
    count: int = 0
    candidates: dict[int, None] = field(default_factory=dict)
    example: tuple[int, int] = (0, 0)
    end: str = ""


def pattern(message: str) -> str:
    """The first line of a message, with … for its numbers, quoted names and paths."""
    return _VARIES.sub("…", _first(message))


def common(messages: Iterable[str]) -> str:
    """The first line of messages of one pattern, with … where they differ."""
    lines = [_first(one) for one in messages]
    words = zip(*map(_VARIES.findall, lines), strict=False)
    kept = iter([word[0] if len(set(word)) == 1 else "…" for word in words])
    return _VARIES.sub(lambda _: next(kept, "…"), lines[0])


def _first(message: str) -> str:
    return message.partition("\n")[0][:300]


class FailureGroups:
    """Groups failures, outcome by outcome."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], _Group] = {}

    def add(self, outcome: Outcome) -> None:
        """Note an outcome if it failed."""
        if not outcome.failed:
            return
        key = str(outcome.status), pattern(outcome.message)
        if key not in self._groups and len(self._groups) >= _GROUPS:
            key = "other", "(messages that are all different)"
        group = self._groups.setdefault(key, _Group())
        group.count += 1
        group.candidates[outcome.candidate] = None
        group.example, group.end = outcome.key, outcome.message[-END:]

    def all(self) -> tuple[Failure, ...]:
        """Every group, the most frequent first."""
        found = (
            Failure(
                status=status,
                first=first,
                count=group.count,
                candidates=tuple(group.candidates),
                example=group.example,
                end=group.end,
            )
            for (status, first), group in self._groups.items()
        )
        return tuple(sorted(found, key=lambda one: (-one.count, one.status, one.first)))
