"""The spending, by the fate of the candidates."""

from __future__ import annotations

from dataclasses import dataclass, field

from racing.core.experiment import total
from racing.report.history import History

_PARTS = (
    "winner",
    "other survivors",
    "dropped later",
    "dropped at the first opportunity",
    "not decided",
)


@dataclass(kw_only=True)
class Part:
    """A part of the spending: its candidates and its amount."""

    name: str
    candidates: int = 0
    evaluations: int = 0
    failed: int = 0
    seconds: float = 0.0
    paid: dict[str, float] = field(default_factory=dict)


def spending(history: History) -> tuple[Part, ...]:
    """The parts that are not empty; they add up to all that counts."""
    first = min(history.out.values(), default=0)
    parts = {name: Part(name=name) for name in _PARTS}
    for expense in history.facts.expenses:
        part = parts[_part_of(history, expense.candidate.id, first)]
        part.candidates += 1
        part.evaluations += expense.evaluations
        part.failed += expense.failures
        part.seconds += expense.seconds
        part.paid = total((part.paid, expense.paid))
    return tuple(part for part in parts.values() if part.candidates)


def _part_of(history: History, id: int, first: int) -> str:
    fate = history.fate(id)
    if fate == "dropped":
        return "dropped at the first opportunity" if history.out[id] == first else "dropped later"
    return {"survivor": "other survivors", "waiting": "not decided"}.get(fate, fate)
