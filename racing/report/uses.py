"""What the budget went into."""

from __future__ import annotations

from dataclasses import dataclass

from racing.report.history import History


@dataclass(frozen=True, kw_only=True)
class Use:
    """A part of what was spent.

    Attributes
    ----------
    name
        What for.
    candidates, evaluations, failed, seconds
        How much of it.
    """

    name: str
    candidates: int
    evaluations: int
    failed: int
    seconds: float


def uses(history: History) -> tuple[Use, ...]:
    """The parts, which add up to everything that the log has: by what became of the candidate."""
    first = min(history.out.values(), default=0)
    groups: dict[str, list[int]] = {}
    for expense in history.facts.expenses:
        groups.setdefault(_group(history, expense.candidate.id, first), []).append(
            expense.candidate.id
        )
    spent = {expense.candidate.id: expense for expense in history.facts.expenses}
    return tuple(
        Use(
            name=name,
            candidates=len(ids),
            evaluations=sum(spent[id].evaluations for id in ids),
            failed=sum(spent[id].failures for id in ids),
            seconds=sum(spent[id].seconds for id in ids),
        )
        for name in _ORDER
        if (ids := groups.get(name))
    )


_ORDER = (
    "winner",
    "other survivors",
    "dropped later",
    "dropped at the first opportunity",
    "not decided",
)


def _group(history: History, id: int, first: int) -> str:
    fate = history.fate(id)
    if fate == "winner":
        return "winner"
    if fate == "survivor":
        return "other survivors"
    if fate == "waiting":
        return "not decided"
    return "dropped at the first opportunity" if history.out[id] == first else "dropped later"
