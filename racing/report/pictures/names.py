"""How candidates are named and ordered in pictures."""

from __future__ import annotations

from racing.report.history import History
from racing.report.pictures.picture import shown


def refer(thing: object) -> str:
    """The name of a candidate or an instance, fit for a page."""
    return shown(str(thing))


def name_of(history: History, id: int) -> str:
    """The name of a candidate."""
    return refer(history.candidates[id])


def order_of(history: History) -> list[int]:
    """Everybody: the winner, the other survivors by their standing, then those who left last."""
    facts = history.facts
    winner = [facts.winner.id] if facts.winner is not None else []
    survivors = [one.id for one in facts.survivors]
    standing, column = history.matrices.standing, history.matrices.column

    def place(id: int) -> tuple[int, float, int]:
        own = standing[column[id]] if id in column else 2.0
        return -history.out[id], own if own == own else 2.0, id

    left = sorted(history.out, key=place)
    return [*dict.fromkeys([*winner, *survivors, *left, *history.candidates])]
