"""Names and order of candidates on pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from racing.base.plain import printable

if TYPE_CHECKING:
    from racing.report.history import History

LONGEST = 80
"""Characters of a name; the middle of a longer one is left out."""


def shown(text: str, most: int = LONGEST) -> str:
    """A name or a message fit for a page: printable, and its middle left out if it is long."""
    text = printable(text).replace("\n", " ⏎ ").replace("\t", " ")
    if len(text) <= most:
        return text
    tail = most // 3
    return f"{text[: most - tail - 1]}…{text[-tail:]}"


def refer(thing: object) -> str:
    """The name of a candidate or an instance, fit for a page."""
    return shown(str(thing))


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


def best_of_runs(k: int, other: str) -> str:
    """What a gain of a team over one run of another configuration is."""
    return (
        f"The team has {k} runs on each instance and {other} one: the best of several runs cannot "
        "be worse than one of them."
    )
