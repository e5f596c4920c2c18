"""The winner's lead over the instances, with its interval."""

from __future__ import annotations

import math

from racing.base.words import count, number
from racing.report.history import History
from racing.report.lead import Lead, lead, rivals
from racing.report.names import name_of
from racing.report.pictures.picture import Picture, in_unit, nothing, short, table

_ID, _TITLE = "difference", "Running difference"

_READING = (
    "The line is the median improvement of the winner over the other, after so many instances "
    "(of results that are right or wrong, the difference of the shares that are right); the band "
    "is its 95 % interval. A band above the zero line is a clear lead. "
    "Each interval holds for one look by itself, not for all of them together."
)


def picture(history: History) -> Picture:
    """The running difference winner − default and winner − second."""
    if history.facts.winner is None:
        return nothing(_ID, _TITLE, "There is no winner yet.")
    found = {
        which: one
        for which, id in rivals(history).items()
        if (one := lead(history, id)) is not None
    }
    if not found:
        return nothing(_ID, _TITLE, "On no instance did the winner and another candidate succeed.")
    unit = history.facts.unit
    return Picture(
        id=_ID,
        title=_TITLE,
        sentence=" ".join(_sentence(history, which, one) for which, one in found.items()),
        reading=_READING,
        chart="band",
        data={
            "unit": unit,
            "series": [
                {
                    "label": f"over {_other(history, which, one)}",
                    "rows": [
                        (p.instances, short(p.estimate), short(p.low), short(p.high))
                        for p in one.points
                    ],
                }
                for which, one in found.items()
            ],
        },
        table=table(
            ("against", "instances", in_unit("improvement", unit), "95 % from", "to"),
            (
                (
                    name_of(history, one.against),
                    p.instances,
                    short(p.estimate),
                    short(p.low),
                    short(p.high),
                )
                for one in found.values()
                for p in one.points
            ),
        ),
    )


def _sentence(history: History, which: str, one: Lead) -> str:
    last = one.points[-1]
    against = _other(history, which, one)
    failed = f" ({count(one.failed, 'instance')} with a failure left out)" if one.failed else ""
    if one.evidence == "few" or not (math.isfinite(last.low) and math.isfinite(last.high)):
        many = count(last.instances, "instance")
        return f"Over {against}: {many}, too few for a 95 % interval{failed}."
    said = f"95 % interval {number(last.low, 4)} to {number(last.high, 4)}"
    if one.evidence == "open":
        return f"Over {against}: not decided, {said}{failed}."
    word = "a clear lead" if one.evidence == "better" else "behind it"
    return f"Over {against}: {number(last.estimate, 4)}, {said}, {word}{failed}."


def _other(history: History, which: str, one: Lead) -> str:
    """The name of the other candidate, and its role where the name does not show it."""
    name = name_of(history, one.against)
    return name if name == which else f"{name} ({which})"
