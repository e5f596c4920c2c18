"""The origins of configurations: order of entry, and the family tree."""

from __future__ import annotations

from dataclasses import dataclass

from racing.report.history import History


@dataclass(frozen=True, kw_only=True)
class Origin:
    """The origin of a candidate.

    Attributes
    ----------
    candidate
        Its id.
    number
        Its place in the order of entry, from 1.
    parent
        Id of the candidate that it was derived from; None without one.
    origin
        As in `racing.core.decider.Entrant`: `given`, `joined`, `sobol`, `model`, ….
    entered
        The decider's count of steps at which it entered.
    generation
        0 without a parent, else one more than its parent's.
    fate
        `winner`, `survivor`, `dropped` or `waiting`.
    ancestor
        Whether the winner descends from it.
    """

    candidate: int
    number: int
    parent: int | None
    origin: str
    entered: int
    generation: int
    fate: str
    ancestor: bool


def origins(history: History) -> tuple[Origin, ...]:
    """All candidates in the order of entry."""
    generation: dict[int, int] = {}
    line = lineage(history)
    found = []
    for number, entrant in enumerate(history.race.entrants, start=1):
        one = entrant.candidate
        known = one.parent is not None and one.parent in generation
        generation[one.id] = generation[one.parent] + 1 if known and one.parent is not None else 0
        found.append(
            Origin(
                candidate=one.id,
                number=number,
                parent=one.parent if known else None,
                origin=entrant.origin,
                entered=entrant.entered,
                generation=generation[one.id],
                fate=history.fate(one.id),
                ancestor=one.id in line,
            )
        )
    return tuple(found)


def lineage(history: History) -> tuple[int, ...]:
    """The winner's ancestors, the oldest first, then the winner; () without a winner."""
    line: list[int] = []
    one = history.facts.winner
    while one is not None and one.id not in line:
        line.append(one.id)
        one = history.candidates.get(one.parent) if one.parent is not None else None
    return tuple(reversed(line))
