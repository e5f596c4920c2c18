"""Failures: their kinds, their numbers, and the last lines of the target."""

from __future__ import annotations

from racing.base.plain import printable
from racing.base.words import count, percent
from racing.report.history import History
from racing.report.names import name_of, refer
from racing.report.pictures.picture import Picture, nothing, shown, table

_MOST = 40

_READING = (
    "Failures with the same first line are counted together. Below is the end of the "
    "latest message of each kind, as the target wrote it."
)


def picture(history: History) -> Picture:
    """Failures by kind, with the ends of their messages."""
    found = history.failures
    if not found:
        return nothing("failures", "Failures", "Nothing failed.")
    total = sum(one.count for one in found)
    share = history.outcomes.failed.mean() if len(history.outcomes) else 1.0
    kept = found[:_MOST]
    said = f"{count(total, 'failure')} of {count(len(found), 'kind')}; "
    said += f"{percent(share)} of all outcomes."
    if len(kept) < len(found):
        said += f" Shown: the {_MOST} most frequent."
    return Picture(
        id="failures",
        title="Failures",
        sentence=said,
        reading=_READING,
        chart="failures",
        data={
            "kinds": [
                {
                    "status": one.status,
                    "first": shown(one.first or one.status),
                    "count": one.count,
                    "end": printable(one.end),
                    "where": _where(history, one.example),
                }
                for one in kept
            ]
        },
        table=table(
            ("how", "first line", "count", "candidates", "latest"),
            (
                (
                    one.status,
                    one.first,
                    one.count,
                    len(one.candidates),
                    _where(history, one.example),
                )
                for one in found
            ),
        ),
    )


def _where(history: History, key: tuple[int, int]) -> str:
    id, step = key
    name = name_of(history, id) if id in history.candidates else f"#{id}"
    return f"{name} on {refer(history.race.instance(step).name)}"
