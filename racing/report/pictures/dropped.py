"""Who was dropped when and why."""

from __future__ import annotations

from collections import Counter

from racing.compare.words import count
from racing.report.departures import Look, looks
from racing.report.history import History
from racing.report.pictures.names import name_of
from racing.report.pictures.picture import Picture, nothing, short, table

_MOST = 1500


def picture(history: History) -> Picture:
    """A dot for each dropped candidate, over the instances after which it left."""
    found = looks(history)
    if not found:
        return nothing("dropped", "Why candidates left", "Nobody was dropped.")
    reasons = Counter(str(out.reason) for look in found for out in look.eliminated)
    said = ", ".join(f"{many} {name}" for name, many in reasons.most_common())
    dots = [
        (
            look.instances,
            out.candidate,
            out.against,
            str(out.reason),
            out.measure,
            short(out.value, 4),
            short(out.threshold, 4),
        )
        for look in found
        for out in look.eliminated
    ]
    total = sum(reasons.values())
    more = f" Drawn: the last {_MOST}." if total > _MOST else ""
    return Picture(
        id="dropped",
        title="Why candidates left",
        sentence=f"{count(total, 'candidate')} left: {said}.{more}",
        reading=(
            "Each dot is a candidate, above the number of instances that it was judged by; the "
            "colour says why it left. The table has the numbers: what was measured, what it was "
            "held to, and for every look the standing of those who stayed."
        ),
        chart="dropped",
        data={"dots": dots[-_MOST:], "reasons": list(reasons)},
        table=table(
            ("look", "instances", "candidate", "fate", "mean rank", "wins", "losses", "because",
             "against", "measure", "value", "held to"),
            (row for look in found for row in _rows(history, look)),
        ),
    )  # fmt: skip


def _rows(history: History, look: Look) -> list[tuple[object, ...]]:
    """Everybody judged at a look: those who left with the numbers, the best of the others."""
    out = {one.candidate: one for one in look.eliminated}
    rows = []
    stayed = 0
    for one in look.standing:
        gone = out.get(one.candidate)
        stayed += gone is None
        if gone is None and stayed > (1 if history.searching else 3):
            continue  # the best of those who stayed are enough to compare with
        numbers: tuple[object, ...] = (None,) * 5
        if gone is not None:
            numbers = (
                str(gone.reason),
                name_of(history, gone.against),
                gone.measure,
                short(gone.value, 4),
                short(gone.threshold, 4),
            )
        rows.append(
            (
                look.number,
                look.instances,
                name_of(history, one.candidate),
                "left" if one.left else "stayed",
                short(one.mean_rank, 4),
                one.wins,
                one.losses,
                *numbers,
            )
        )
    return rows
