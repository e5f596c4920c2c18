"""The Pareto front of a race: a point for each candidate, and a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from racing.answer.tested import UnseenTest
from racing.base.quantities import score_of
from racing.base.words import count
from racing.core.field import Field
from racing.core.fronts import chance_words, hypervolume
from racing.core.goal import Goal
from racing.report.history import History
from racing.report.names import name_of
from racing.report.pictures.picture import Picture, in_unit, nothing, short, table
from racing.report.trajectory import Mark
from racing.stats.student import half_width

_POINTS = 800
_LOOKS = 60
_LEVEL = 0.95

_READING = (
    "A point for each candidate, at its mean in two metrics; those that were dropped have seen "
    "fewer instances. The steps are the front: beyond them nothing was found. Its members have 95 "
    "% intervals of each mean; the largest point is the best compromise, the diamond the default. "
    "No other survivor is at least as good in every metric and better in one. P says "
    "whether a candidate is likely on the front of the true means too. Dominated "
    "candidates are named unless that is unlikely. The best compromise gives up least of what lies "
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
        sentence=history.facts.answer.headline,
        reading=_READING,
        chart="front",
        data=_data(history),
        table=table(
            ("candidate", "P", *names, "failed", ""),
            (
                (
                    name_of(history, one.candidate.id),
                    chance_words(one.on_front),
                    *one.metrics.values(),
                    one.failures,
                    "best compromise" if one.candidate == winner else "dominated" if beaten else "",
                )
                for part, beaten in ((found.front, False), (found.maybe, True))
                for one in part
            ),
        ),
    )


def held_out(history: History) -> Picture | None:
    """The shown front and the default on the instances of `racing test`; None without a test."""
    found, goal = history.facts.test("front"), history.race.results.goal
    if found is None:
        return None
    assert isinstance(goal, Goal)
    columns = ("candidate", *goal.front, "failed", "")
    return Picture(
        id="front-held-out",
        title="Front on unseen problems",
        sentence=str(found),
        reading=(
            f"Means over {count(len(found.instances), 'instance')} that the run has not met. The "
            "steps are the front here: members of the run's front beside them were lucky in the "
            "run, or are behind by little. The diamond is the default."
        ),
        chart="front",
        data={"metrics": _metrics(goal), "points": list(_held_out_points(found, goal.front))},
        table=table(
            columns,
            (
                (
                    name_of(history, one.candidate.id),
                    *(one.metrics[name] for name in goal.front),
                    one.failures,
                    "front" if one.candidate.id in found.undominated else "dominated",
                )
                for one in found.means
            ),
        ),
    )


def _held_out_points(
    found: UnseenTest, metrics: Sequence[str]
) -> Iterator[tuple[int, list[Any], list[None] | None]]:
    """As the points of `_data`, without intervals; a candidate without a mean has no point."""
    for one in found.means:
        means = [one.metrics[name] for name in metrics]
        if None not in means:
            on_front = one.candidate.id in found.undominated
            yield (
                one.candidate.id,
                [short(mean) for mean in means],
                [None] * len(means) if on_front else None,
            )


def so_far(history: History) -> Picture | None:
    """The front over the course of a race; None if the objective is no front, or of a search.

    The members at each point are measured by all that the run knows now, as every incumbent is.
    """
    found, results = history.facts.front, history.race.results
    if found is None or not found.front or history.searching:
        return None
    final = _final_means(history)
    known = np.flatnonzero(np.isfinite(final).all(axis=1))
    worst = final[known].max(axis=0)
    last = {one.candidate.id for one in found.front}
    whole = hypervolume(final[[c for c in known if results.candidates[c] in last]], worst)
    if whole <= 0:
        return None
    rows = []
    for mark in _spaced([one for one in history.marks if one.instances]):
        members = np.intersect1d(_front_after(history, mark.instances), known)
        share = hypervolume(final[members], worst) / whole
        rows.append(
            (
                mark.evaluations, short(mark.elapsed, 4), f"{len(members)} on the front", None,
                short(share), mark.instances,
            )
        )  # fmt: skip
    end = history.marks[-1]
    return Picture(
        id="front-so-far",
        title="Front so far",
        sentence=f"{count(len(found.front), 'candidate')} on the front now.",
        reading=(
            "The height is the volume (hypervolume) between the members of the front at that time "
            "and the worst mean of each metric, as a share of that of the front now; all means are "
            "those of the whole run. A line that stays flat says that more budget brought nothing."
        ),
        chart="incumbent",
        data={
            "rows": rows,
            "end": (end.evaluations, short(end.elapsed, 4)),
            "measure": "share of the volume of the front now",
            "default": "",
            "unit": "",
        },
        table=table(
            ("evaluations", "seconds", "front", "share", "instances"),
            [(*row[:3], *row[4:]) for row in rows],
        ),
    )


def _spaced(marks: list[Mark]) -> list[Mark]:
    """Some evenly spaced ones, and the last."""
    return [*marks[: -1 : -(-len(marks) // _LOOKS)], marks[-1]] if marks else []


def _final_means(history: History) -> np.ndarray[Any, Any]:
    """(m, K) mean costs over the runs that did not fail; NaN without any."""
    results = history.race.results
    assert results.goal is not None
    costs = np.stack([results.of(name).costs for name in results.goal.front], axis=2)
    ran = np.isfinite(costs)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(ran, costs, 0.0).sum(axis=0) / ran.sum(axis=0))


def _front_after(history: History, n: int) -> np.ndarray[Any, Any]:
    """The columns on the front after so many instances, of those that had met all of them."""
    results = history.race.results
    assert results.goal is not None
    assert results.metrics is not None
    alive = np.flatnonzero(~np.isnan(results.costs[:n]).any(axis=0))
    then = replace(
        results, costs=results.costs[:n], alive=results.alive[:n], survivors=alive,
        metrics=results.metrics[:n], field=Field(), fields=(),
        groups=None if results.groups is None else results.groups[:n],
    )  # fmt: skip
    return np.asarray(alive[results.goal.trade_offs(then).front])


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
        "metrics": _metrics(goal),
        "points": points,
    }


def _metrics(goal: Goal) -> list[dict[str, str]]:
    return [
        {"name": in_unit(name, goal.metrics[name].unit), "direction": goal.metrics[name].direction}
        for name in goal.front
    ]


def _half(values: np.ndarray[Any, Any]) -> float | str | None:
    """Half of the interval of a mean; None with fewer than two instances."""
    n = len(values)
    if n < 2:
        return None
    return short(half_width(n - 1, _LEVEL) * float(values.std(ddof=1)) / math.sqrt(n))
