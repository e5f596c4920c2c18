"""Dropped candidates: when and why each was dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from racing.base.words import count
from racing.core.verdict import Elimination
from racing.report.eliminations import Look, in_words, looks
from racing.report.history import History
from racing.report.names import name_of
from racing.report.pictures.picture import Picture, nothing, short, table

_MOST = 1500
_MEANING = {
    "gain": "Gain: the expected amount by which the final choice is better if the candidate "
    "stays; it left where that was too little to pay for its evaluations.",
    "gap": "Gap: by how much another candidate dominates it, in standard deviations of a "
    "difference; it left where further instances can hardly close it.",
    "lag": "Lag: how far it was behind the best: whole steps for what decided, the cost or last "
    "metric 1, what comes before it more, and a part of 1 for the difference; it left where most "
    "challengers before it were less behind.",
    "place": "Place: where it stood; it left where only so many places could be kept.",
    "e-value": "E-value: by how much a bet against the candidate multiplied its stake.",
    "p-value": "P-value: how often chance alone makes a difference as large as this.",
}
"""Measures of rules → what they are."""


def picture(history: History) -> Picture:
    """A dot for each dropped candidate, over the instances after which it left."""
    found = looks(history)
    if not found:
        return nothing("dropped", "Why candidates left", "No candidate was dropped.")
    reasons = Counter(str(out.reason) for look in found for out in look.eliminated)
    said = ", ".join(f"{many} {name}" for name, many in reasons.most_common())
    dots = [
        (
            look.instances,
            out.candidate,
            out.against,
            str(out.reason),
            out.measure,
            _value(out),
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
            "held to, and for every look the standing of those that stayed."
            f"{_measures(out.measure for look in found for out in look.eliminated)}"
        ),
        chart="dropped",
        data={"dots": dots[-_MOST:], "reasons": list(reasons)},
        table=table(
            ("look", "instances", "candidate", "fate", "mean rank", "wins", "losses", "because",
             "against", "measure", "value", "held to"),
            (row for look in found for row in _rows(history, look)),
        ),
    )  # fmt: skip


def _measures(measures: Iterable[str]) -> str:
    """Explanations of measures whose names are not clear."""
    return "".join(f" {_MEANING[one]}" for one in dict.fromkeys(measures) if one in _MEANING)


def _value(out: Elimination) -> float | str | None:
    return in_words(out.measure, out.value) or short(out.value, 4)


def _rows(history: History, look: Look) -> list[tuple[object, ...]]:
    """The candidates at a test: those that were dropped, with the numbers, and the best others."""
    out = {one.candidate: one for one in look.eliminated}
    rows = []
    stayed = 0
    for one in look.standing:
        gone = out.get(one.candidate)
        stayed += gone is None
        if gone is None and stayed > (1 if history.searching else 3):
            continue  # the best of those that stayed are enough to compare with
        numbers: tuple[object, ...] = (None,) * 5
        if gone is not None:
            numbers = (
                str(gone.reason),
                name_of(history, gone.against),
                gone.measure,
                _value(gone),
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
