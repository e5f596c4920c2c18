"""The winner's lead as the instances came in, with its interval."""

from __future__ import annotations

from racing.compare.words import number
from racing.report.history import History
from racing.report.pictures.names import name_of
from racing.report.pictures.picture import Picture, nothing, short, table
from racing.report.running import Running, rivals, running

_ID, _TITLE = "difference", "Running difference"

_READING = (
    "The line is the median improvement of the winner over the other, after so many "
    "instances; the band is its 95 % interval. A band above the zero line is a clear lead. "
    "Each interval holds for one look by itself, not for all of them together."
)


def picture(history: History) -> Picture:
    """The running difference winner − default and winner − second."""
    if history.facts.winner is None:
        return nothing(_ID, _TITLE, "There is no winner yet.")
    found = {
        which: course
        for which, id in rivals(history).items()
        if (course := running(history, id)) is not None
    }
    if not found:
        return nothing(_ID, _TITLE, "The winner has met nobody on a complete instance.")
    return Picture(
        id=_ID,
        title=_TITLE,
        sentence=" ".join(_sentence(history, which, one) for which, one in found.items()),
        reading=_READING,
        chart="band",
        data={
            "series": [
                {
                    "label": f"over {name_of(history, one.against)} ({which})",
                    "rows": [
                        (p.instances, short(p.estimate), short(p.low), short(p.high))
                        for p in one.points
                    ],
                }
                for which, one in found.items()
            ]
        },
        table=table(
            ("against", "instances", "improvement", "95 % from", "to"),
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


def _sentence(history: History, which: str, one: Running) -> str:
    last = one.points[-1]
    said = (
        f"Over {name_of(history, one.against)} ({which}): {number(last.estimate, 4)}, "
        f"95 % interval {number(last.low, 4)} to {number(last.high, 4)}"
    )
    if last.low > 0:
        return f"{said}, a clear lead."
    return f"{said}, which may be chance." if last.high >= 0 else f"{said}, behind it."
