"""Names and order of candidates on pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from racing.base.words import refer as refer
from racing.base.words import shown as shown

if TYPE_CHECKING:
    from racing.report.history import History


def name_of(history: History, id: int) -> str:
    """The name of a candidate."""
    return refer(history.candidates[id])


def order_of(history: History) -> list[int]:
    """All candidates: the winner, the other survivors by standing, then those that left last."""
    facts = history.facts
    winner = [facts.winner.id] if facts.winner is not None else []
    survivors = [one.id for one in facts.survivors]
    standing, column = history.matrices.standing, history.matrices.column

    def place(id: int) -> tuple[int, float, int]:
        own = standing[column[id]] if id in column else 2.0
        return -history.out[id], own if own == own else 2.0, id

    left = sorted(history.out, key=place)
    return [*dict.fromkeys([*winner, *survivors, *left, *history.candidates])]
