"""The Pareto front of a race: a point for each candidate, and a table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from racing.base.quantities import score_of
from racing.core.goal import Goal
from racing.report.answer import answer
from racing.report.history import History
from racing.report.names import name_of
from racing.report.pictures.picture import Picture, in_unit, nothing, short, table
from racing.stats.student import half_width

_POINTS = 800
_LEVEL = 0.95

_READING = (
    "A point for each candidate, at its mean in two metrics; those that were dropped have seen "
    "fewer instances. The steps are the front: beyond them nothing was found. Its members have 95% "
    "intervals of each mean; the largest point is the best compromise, the diamond the default. "
    "No other survivor is at least as good in every metric and better in one. P is the probability "
    "of being on the front of the true means; it is low where several are almost equal. Dominated "
    "candidates are named if theirs is .1 or more. The best compromise gives up least of what lies "
    "between the best and the worst of the front, in the metric in which it gives up most."
)


def picture(history: History) -> Picture | None:
    """The front by its first metric, and its likely members; None if the objective is no front."""
    found, winner = history.facts.front, history.facts.winner
    if found is None:
        return None
    if not found.front:
        return nothing("front", "Front", "No instance is complete yet.")
    names = tuple(found.front[0].metrics)
    return Picture(
        id="front",
        title="Front",
        sentence=answer(history.facts).headline,
        reading=_READING,
        chart="front",
        data=_data(history),
        table=table(
            ("candidate", "P", *names, "failed", ""),
            (
                (
                    name_of(history, one.candidate.id),
                    one.on_front,
                    *one.metrics.values(),
                    one.failures,
                    "best compromise" if one.candidate == winner else "dominated" if beaten else "",
                )
                for part, beaten in ((found.front, False), (found.maybe, True))
                for one in part
            ),
        ),
    )


def _data(history: History) -> dict[str, Any]:
    """The metrics, and for each candidate its means, with half an interval on the front."""
    results, front = history.race.results, history.facts.front
    goal = results.goal
    assert isinstance(goal, Goal)
    assert front is not None
    on_front = {one.candidate.id for one in front.front}
    best = [*on_front, *(id for id in results.candidates if id not in on_front)][:_POINTS]
    columns = {id: column for column, id in enumerate(results.candidates)}
    points = []
    for id in sorted(best):
        costs = [results.of(name).costs[:, columns[id]] for name in goal.front]
        known = [values[np.isfinite(values)] for values in costs]
        if not all(len(values) for values in known):
            continue
        means = [
            score_of(float(values.mean()), goal.metrics[name].direction)
            for name, values in zip(goal.front, known, strict=True)
        ]
        halves = [_half(values) for values in known] if id in on_front else None
        points.append((id, [short(one) for one in means], halves))
    return {
        "metrics": [
            {
                "name": in_unit(name, goal.metrics[name].unit),
                "direction": goal.metrics[name].direction,
            }
            for name in goal.front
        ],
        "points": points,
    }


def _half(values: np.ndarray[Any, Any]) -> float | str | None:
    """Half of the interval of a mean; None with fewer than two instances."""
    n = len(values)
    if n < 2:
        return None
    return short(half_width(n - 1, _LEVEL) * float(values.std(ddof=1)) / math.sqrt(n))
