"""Fronts: candidates of a race, and finished algorithms, at their means in several metrics."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from racing.analysis.compare import MetricComparison
from racing.analysis.compare.front import place, together
from racing.answer.document import bare
from racing.base.quantities import Direction, score_of
from racing.base.words import count, number, refer
from racing.core.field import Field
from racing.core.fronts import chance_words, hypervolume
from racing.core.goal import Goal
from racing.report import forms
from racing.report.forms import Axis, Intervals, Line, Mark, Points, Texts, short
from racing.report.history import Floats, History
from racing.report.picture import Picture, evenly, in_unit, picture, table
from racing.report.pictures.course import over_time, stepped
from racing.report.pictures.result import distributions
from racing.stats.intervals import half_width

_POINTS = 800
_LOOKS = 60
_LEVEL = 0.95
_NAMED = 12  # algorithms up to which all have their names beside them, or all on the front


@dataclass(frozen=True, kw_only=True)
class Placed:
    """One of many at its means.

    Attributes
    ----------
    id
        Its number.
    name
        What it is called.
    means
        In each metric.
    halves
        Half of the interval of each mean, None where it has none; None: not on the front.
    kind
        What it is: `dropped`, `front`, `failed`, `default` or `best`.
    failed
        How often it failed.
    """

    id: int
    name: str
    means: tuple[float, ...]
    halves: tuple[float | None, ...] | None
    kind: str
    failed: int | None = None


_LOOKS_OF: dict[str, dict[str, Any]] = {
    "dropped": {"colour": "dropped", "size": 3.2, "name": "others"},
    "failed": {"colour": "fail", "symbol": "triangle", "size": 4, "name": "failed more often"},
    "front": {"colour": "survivor", "size": 4.5, "name": "on the front"},
    "default": {"colour": "ink", "symbol": "diamond", "size": 5.5, "name": "default"},
    "best": {"colour": "winner", "size": 7, "name": "best compromise"},
}


def front_figure(
    metrics: Sequence[tuple[str, Direction]], points: Sequence[Placed], *, named: bool = False
) -> forms.Figure:
    """Points at their means; of two metrics with the steps of the front.

    Parameters
    ----------
    metrics
        Names with units, and directions; the first one is upwards.
    named
        Whether names stand beside the points, where they are few.
    """
    two, every = len(metrics) == 2, range(len(metrics))
    up, across = ((0,), (1,)) if two else ((*every,), (*every[1:], 0))
    logs = [forms.at_least([one.means[k] for one in points], 50) for k in every]
    axes = [
        Axis(f"{name}, {'lower' if direction == 'minimize' else 'higher'} is better",
             kind="log" if log else "linear")
        for (name, direction), log in zip(metrics, logs, strict=True)
    ]  # fmt: skip

    def seats(own: Sequence[Placed]) -> dict[str, Any]:
        return {axis: [[one.means[k] for one in own] for k in of]
                for axis, of in (("x", across), ("y", up))}  # fmt: skip

    marks: list[Mark] = []
    members = sorted((one for one in points if one.halves), key=lambda one: one.means[1])
    if two and members:
        step: Any = "after" if metrics[1][1] == "minimize" else "before"
        marks.append(Line(**seats(members), step=step, width=1.5, colour="survivor", name="front"))
    marks += _whiskers(members, across, up, logs)
    looks = {**_LOOKS_OF, "dropped": {**_LOOKS_OF["dropped"], "opacity": 1.0 if named else 0.6}}
    dots = Points(**seats(points), tip=_tips(points))
    marks += dots.split([one.kind for one in points], looks)
    for own, below in _named(points, named=named, two=two, first=metrics[0][1]):
        marks.append(
            Texts(**seats(own), anchor="inward", dx=8, dy=9 if below else -9, size=11,
                  colour="ink" if own[0].halves else "soft",
                  texts=[refer(one.name, 18) for one in own])
        )  # fmt: skip
    return forms.figure(marks, [axes[k] for k in across], [axes[k] for k in up], height=380)


def _whiskers(
    members: Sequence[Placed], across: Sequence[int], up: Sequence[int], logs: Sequence[bool]
) -> Iterator[Mark]:
    """The intervals of the means, in both directions; beyond 0 a logarithmic axis has no place."""
    own = [one for one in members if {*(one.halves or ())} != {None}]
    means = np.array([one.means for one in own])
    halves = np.array([[half or 0.0 for half in one.halves or ()] for one in own])
    low, high = (np.where((ends > 0) | ~np.array(logs), ends, np.nan).T
                 for ends in (means - halves, means + halves)) if own else ((), ())  # fmt: skip
    directions: tuple[tuple[forms.Which, Any, Any], ...] = ("x", across, up), ("y", up, across)
    for along, of, other in directions if own else ():
        yield Intervals(along=along, at=means.T[[*other]], low=low[[*of]], high=high[[*of]],  # type: ignore[call-overload]
                        width=1, colour="survivor", opacity=0.6)  # fmt: skip


def _tips(own: Sequence[Placed]) -> dict[str, list[Any]]:
    return {
        "": [one.name for one in own],
        "on the front": ["yes, the best compromise" if one.kind == "best" else
                         "yes" if one.halves else "no" for one in own],
        "intervals": [one.halves and ", ".join("–" if h is None else f"± {h:.3g}"
                                               for h in one.halves) for one in own],
        "failed": [one.failed for one in own],
    }  # fmt: skip


def _named(
    points: Sequence[Placed], *, named: bool, two: bool, first: Direction
) -> Iterator[tuple[list[Placed], bool]]:
    """Names towards the middle: below the front's own members if low is good, else above."""
    on_front = [one for one in points if one.halves]
    of = [one for one in points if one.kind in ("best", "default")]
    if named:
        of = [*points] if len(points) <= _NAMED else on_front if len(on_front) <= _NAMED else []
        of = of if two else [one for one in of if one.kind == "best"]
    for inside in (True, False):
        if own := [one for one in of if bool(one.halves) == inside]:
            yield own, inside == (first == "minimize")


def goal_of(history: History) -> Goal:
    """What a front is asked for."""
    goal = history.race.results.goal
    assert isinstance(goal, Goal)
    return goal


def _metrics(history: History) -> list[tuple[str, Direction]]:
    goal = goal_of(history)
    return [(in_unit(name, goal.metrics[name].unit), goal.metrics[name].direction)
            for name in goal.front]  # fmt: skip


@picture("front", "Front")
def front(history: History) -> Picture | str:
    """A point for each candidate, at its mean in two metrics; those that were dropped have seen
    fewer instances. The steps are the front: beyond them nothing was found. Its members have 95 %
    intervals of each mean; the largest point is the best compromise, the diamond the default. No
    other survivor is at least as good in every metric and better in one. P says whether a
    candidate is likely on the front of the true means too. Dominated candidates are named unless
    that is unlikely. The best compromise gives up least of what lies between the best and the
    worst of the front, in the metric in which it gives up most.
    """
    found = history.front
    if found is None:
        return ""
    if not found.members:
        return "No instance is complete yet."
    best = history.winner
    rows = [
        (refer(one.candidate), chance_words(one.on_front), *one.metrics.values(), one.failures,
         "best compromise" if one.candidate == best else beaten)
        for part, beaten in ((found.members, ""), (found.maybe, "dominated")) for one in part
    ]  # fmt: skip
    return Picture(
        sentence=history.answer.headline,
        figure=front_figure(_metrics(history), standings(history)),
        table=table(("candidate", "P", *found.metrics, "failed", ""), rows),
    )


def standings(history: History) -> list[Placed]:
    """The candidates at their means over all instances that each ran; one that never did has none.

    Of very many, the front and the first others.
    """
    results, goal, found = history.race.results, goal_of(history), []
    assert history.front is not None
    on_front = {one.candidate.id for one in history.front.members}
    kept = [*on_front, *(id for id in results.candidates if id not in on_front)][:_POINTS]
    ways = [goal.metrics[name].direction for name in goal.front]
    for id in sorted(kept):
        column = results.candidates.index(id)
        costs = [results.of(name).costs[:, column] for name in goal.front]
        known = [values[np.isfinite(values)] for values in costs]
        if all(len(values) for values in known):
            means = [float(score_of(float(values.mean()), way))
                     for values, way in zip(known, ways, strict=True)]  # fmt: skip
            halves = tuple(map(_half, known)) if id in on_front else None
            kind = _kind(history, id, on_front)
            found.append(Placed(id=id, name=history.called(id), means=tuple(means), kind=kind,
                                halves=halves))  # fmt: skip
    return found


def _kind(history: History, id: int, on_front: Collection[int], *, best: bool = True) -> str:
    if best and history.winner is not None and id == history.winner.id:
        return "best"
    return "default" if id == history.baseline.id else "front" if id in on_front else "dropped"


def _half(values: Floats) -> float | None:
    """Half of the interval of a mean; None with fewer than two instances."""
    n = len(values)
    if n < 2:
        return None
    return half_width(n - 1, _LEVEL) * float(values.std(ddof=1)) / math.sqrt(n)


@picture("front-held-out", "Front on unseen problems")
def held_out(history: History) -> Picture | str:
    """Means over instances that the run has not met. The steps are the front here: members of the
    run's front beside them were lucky in the run, or are behind by little. The diamond is the
    default. The scores in each metric can be drawn as boxes (ends, quartiles, median) too.
    """
    found = history.tested("front")
    if found is None:
        return ""
    metrics, names, points, rows = _metrics(history), goal_of(history).front, [], []
    for one in found.means:
        id, name = one.candidate.id, refer(one.candidate)
        means: Any = tuple(one.metrics[metric] for metric in names)
        inside = id in found.undominated
        rows.append((name, *means, one.failures, "front" if inside else "dominated"))
        if None not in means:
            kind = _kind(history, id, found.undominated, best=False)
            halves = (None,) * len(means) if inside else None
            points.append(Placed(id=id, name=name, means=means, halves=halves, kind=kind))
    boxes = (
        replace(distributions([row[0] for row in rows], score_of(costs, way), label)[0],
                name=f"boxes of {label}")
        for (label, way), costs in zip(metrics, found.metrics, strict=True)
    )  # fmt: skip
    figure = None
    if points:
        means_plot = replace(front_figure(metrics, points).plots[0], name="means")
        figure = forms.Figure(plots=(means_plot, *boxes), choose="As")
    return Picture(
        sentence=str(found),
        reading=f"There are {count(len(found.instances), 'such instance')}.",
        figure=figure,
        table=table(("candidate", *names, "failed", ""), rows),
    )


@picture("front-so-far", "Front so far")
def so_far(history: History) -> Picture | str:
    """The height is the volume (hypervolume) between the members of the front at that time and the
    worst mean of each metric, as a share of that of the front now; all means are those of the whole
    run. A line that stays flat says that more budget brought nothing.
    """
    if history.front is None or not history.front.members or history.searching:
        return ""
    last = {one.candidate.id for one in history.front.members}
    results = history.race.results
    costs = np.stack([results.of(name).costs for name in goal_of(history).front], axis=2)
    ran = np.isfinite(costs)
    with np.errstate(invalid="ignore"):  # of candidates that never succeeded
        final = np.where(ran, costs, 0.0).sum(axis=0) / ran.sum(axis=0)
    known = np.flatnonzero(np.isfinite(final).all(axis=1))
    worst = final[known].max(axis=0)
    whole = hypervolume(final[[c for c in known if results.candidates[c] in last]], worst)
    if whole <= 0:
        return ""
    rows = []
    for mark in evenly([one for one in history.marks if one.instances], _LOOKS):
        members = np.intersect1d(_front_after(history, mark.instances), known)
        share = float(hypervolume(final[members], worst) / whole)
        rows.append((mark.evaluations, short(mark.elapsed, 4), f"{len(members)} on the front",
                     share, mark.instances))  # fmt: skip
    found = table(("evaluations", "seconds", "front", "share", "instances"), rows)
    line = stepped(found, (0, 1, 3), history)
    return Picture(
        sentence=f"{count(len(last), 'candidate')} on the front now.",
        figure=over_time([line], "share of the volume of the front now"),
        table=found,
    )


def _front_after(history: History, n: int) -> np.ndarray[Any, Any]:
    """The columns on the front after so many instances, of those that had met all of them."""
    results = history.race.results
    assert results.metrics is not None
    alive = np.flatnonzero(~np.isnan(results.costs[:n]).any(axis=0))
    then = replace(
        results, costs=results.costs[:n], alive=results.alive[:n], survivors=alive,
        metrics=results.metrics[:n], field=Field(), fields=(),
        groups=None if results.groups is None else results.groups[:n],
    )  # fmt: skip
    return np.asarray(alive[goal_of(history).trade_offs(then).front])


@picture("front", "Front")
def front_of(found: MetricComparison) -> Picture:
    """A point for each algorithm, at its mean in two metrics. Members of the front are green, with
    intervals of each mean; the largest point is the best compromise. Grey ones are dominated.
    """
    reading = [f"The intervals have the level {number(100 * (1 - found.alpha))} %."]
    if len(found.metrics) == 2:
        reading.append("The steps are the front: beyond them nothing was found.")
    failed = ("failed",) * bool(found.failed.any())
    reading += ["Orange triangles failed more often than others."] * len(failed)
    metrics = (name for metric in found.metrics for name in (refer(metric), "from", "to"))
    directions = [(refer(metric), one.direction) for metric, one in found.tables.items()]
    numbers = np.stack([found.means, found.low, found.high], axis=2)
    return Picture(
        sentence=f"{len(found.front)} of {len(found.names)} algorithms on the front.",
        reading=" ".join(reading),
        figure=front_figure(directions, placed(found), named=True),
        table=table(
            ("algorithm", "front", "P(on the front)", *failed, *metrics),
            (
                (refer(found.names[i]), place(found, i), chance_words(float(found.on_front[i])),
                 *(int(found.failed[i]) for _ in failed), *numbers[i].ravel().tolist())
                for i in found.order
            ),
        ),
    )  # fmt: skip


def placed(found: MetricComparison) -> list[Placed]:
    """Finished algorithms at their means, and failures if others failed less often.

    What never ran has no point.
    """
    least, half, points = int(found.failed.min()), (found.high - found.low) / 2, []
    for i in found.order[:_POINTS]:
        failed = int(found.failed[i]) if found.failed[i] > least else None
        on_front = bool(found.undominated[i])
        kind = "front" if on_front else "dropped" if failed is None else "failed"
        halves = tuple(half[i].tolist()) if on_front else None
        if np.isfinite(found.means[i]).all():
            points.append(
                Placed(id=i, name=refer(found.names[i]), failed=failed, halves=halves,
                       means=tuple(found.means[i].tolist()),
                       kind="best" if i == found.knee else kind)
            )  # fmt: skip
    return points


def statements_of(found: MetricComparison) -> list[Picture]:
    """The statements that are all true together, as a table; none where nothing is said."""
    names, believed = list(map(refer, found.names)), found.dominance.believed
    if not believed:
        return []
    rows = ((names[better], names[worse], p) for better, worse, p in believed)
    title, said = "What can be believed together?", bare(together(found))
    told = table(("algorithm", "dominates", "probability"), rows)
    return [Picture(id="statements", title=title, sentence=said, table=told)]
