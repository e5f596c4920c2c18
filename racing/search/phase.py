"""The parts that a search goes through, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from racing.rules.verdict import Verdict
from racing.search.book import Book
from racing.search.history import History
from racing.search.ledger import Ledger
from racing.search.rules import Rules
from racing.stop import Stop


class Phase(Protocol):
    """One part of a search.

    Attributes
    ----------
    over
        Whether the part has ended.
    why
        Why it ended, where a limit was the reason.
    """

    over: bool
    why: Stop | None

    @property
    def elites(self) -> Sequence[int]:
        """Ids of the best so far, the best first; empty while nothing is known."""

    @property
    def instances(self) -> int:
        """How many instances, from the first, all of them have met."""

    def hear(self, candidate: int) -> None:
        """Note that an outcome of this candidate is in the book, and go on as far as possible."""


@dataclass(frozen=True)
class Desk:
    """What all parts of a search work with.

    Attributes
    ----------
    decided
        Hears of every verdict.
    history
        What the configurations came to that were decided on.
    """

    book: Book
    ledger: Ledger
    rules: Rules
    decided: Callable[[Verdict], None]
    history: History
