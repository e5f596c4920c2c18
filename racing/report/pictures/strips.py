"""The finalists side by side: how their scores spread over the instances that they share."""

from __future__ import annotations

from typing import Any

import numpy as np

from racing.base.quantities import score_of
from racing.base.words import count
from racing.report.finalists import shared_costs
from racing.report.history import History
from racing.report.names import name_of
from racing.report.pictures.picture import Picture, in_unit, nothing, short, table

_ID, _TITLE = "strips", "Scores of the finalists"
_POINTS = 300

_READING = (
    "Each row is a finalist, each point an instance, the bar the median. To the right of 0 the "
    "candidate is better there than the middle one of the finalists. Points far to the left are "
    "instances on which it is weak: a winner by a few instances has a wide strip. The scores "
    "themselves can be chosen above; they spread over instances as well. Orange triangles are "
    "failures. These instances chose the finalists."
)


def picture(history: History) -> Picture:
    """A strip for each finalist: its advantage over their median, instance by instance."""
    found = shared_costs(history)
    if found is None:
        return nothing(_ID, _TITLE, "Fewer than two finalists share five instances.")
    ids, steps, costs = found
    if len(np.unique(costs)) <= 2:
        why = "All scores are one of two values: the table of ranks by instance says how often."
        return nothing(_ID, _TITLE, why)
    middle = np.median(costs, axis=1, keepdims=True)  # +inf where most of them failed
    with np.errstate(invalid="ignore"):
        ahead = np.where(np.isinf(middle) & np.isinf(costs), 0.0, middle - costs)
    ahead[np.isinf(costs)] = -np.inf
    kept = np.unique(np.linspace(0, len(steps) - 1, min(len(steps), _POINTS)).astype(int))
    direction = history.facts.header.direction
    scores = score_of(costs, direction)
    strips: list[dict[str, Any]] = [
        {
            "id": id,
            "name": name_of(history, id),
            "ahead": [short(float(a), 4) for a in ahead[kept, k]],
            "scores": [short(float(s), 4) for s in scores[kept, k]],
            "medians": [_median(ahead[:, k]), _median(scores[:, k])],
        }
        for k, id in enumerate(ids)
    ]
    return Picture(
        id=_ID,
        title=_TITLE,
        sentence=_sentence(history, ids, ahead),
        reading=_READING,
        chart="strips",
        data={
            "strips": strips,
            "steps": [int(step) for step in steps[kept]],
            "unit": history.facts.unit,
        },
        table=table(
            (
                "candidate",
                "instances",
                in_unit("median score", history.facts.unit),
                "least",
                "largest",
                "failed",
            ),
            (
                (
                    one["name"],
                    len(steps),
                    one["medians"][1],
                    *_ends(scores[:, k]),
                    int(np.isinf(costs[:, k]).sum()),
                )
                for k, one in enumerate(strips)
            ),
        ),
    )


def _sentence(history: History, ids: list[int], ahead: Any) -> str:
    wins = (ahead > 0).sum(axis=0)
    said = f"{count(len(ids), 'finalist')} on {count(len(ahead), 'instance')} that all of them met."
    best = int(np.argmax(wins))
    return (
        f"{said} {name_of(history, ids[best])} is better than the middle one on "
        f"{int(wins[best])} of {len(ahead)}."
    )


def _median(values: Any) -> Any:
    return short(float(np.median(values)), 4)


def _ends(values: Any) -> tuple[Any, Any]:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None, None
    return short(float(finite.min()), 4), short(float(finite.max()), 4)
