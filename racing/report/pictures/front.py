"""Fronts: candidates of a race, and finished algorithms, at their means in several metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from racing.analysis.compare import MetricComparison
from racing.analysis.compare.front_report import place, together
from racing.answer.document import bare
from racing.base.quantities import Direction, score_of
from racing.base.words import count, number
from racing.core.field import Field
from racing.core.fronts import chance_words, hypervolume
from racing.core.goal import Goal
from racing.core.view import default_of
from racing.report.forms import (
    Axis,
    Column,
    Columns,
    Figure,
    Intervals,
    Line,
    Mark,
    Plot,
    Points,
    Texts,
    at_least,
    short,
)
from racing.report.history import History
from racing.report.matrices import Floats
from racing.report.names import name_of, refer
from racing.report.pictures.picture import Picture, in_unit, nothing, plain, table
from racing.report.pictures.result import over_time, stepped
from racing.report.trajectory import Mark as Moment
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
    "dropped": {"colour": "dropped", "size": 3.2},
    "failed": {"colour": "fail", "symbol": "triangle", "size": 4},
    "front": {"colour": "survivor", "size": 4.5},
    "default": {"colour": "ink", "symbol": "diamond", "size": 5.5},
    "best": {"colour": "winner", "size": 7},
}
_CALLED = {"dropped": "others", "failed": "failed more often", "front": "on the front",
           "best": "best compromise", "default": "default"}  # fmt: skip


def front_figure(
    metrics: Sequence[tuple[str, Direction]], points: Sequence[Placed], *, named: bool = False
) -> Figure:
    """Points at their means; of two metrics with the steps of the front.

    Parameters
    ----------
    metrics
        Names with units, and directions; the first one is upwards.
    named
        Whether names stand beside the points, where they are few.
    """
    two = len(metrics) == 2
    across = (1,) if two else (*range(1, len(metrics)), 0)
    up = (0,) if two else tuple(range(len(metrics)))
    logs = [at_least([one.means[k] for one in points], 50) for k in range(len(metrics))]
    axes = [
        Axis(name=f"{name}, {'lower' if direction == 'minimize' else 'higher'} is better",
             kind="log" if log else "linear")
        for (name, direction), log in zip(metrics, logs, strict=True)
    ]  # fmt: skip
    marks: list[Mark] = []
    members = sorted((one for one in points if one.halves), key=lambda one: one.means[1])
    if two and members:
        step: Any = "after" if metrics[1][1] == "minimize" else "before"
        x, y = _columns(members, across), _columns(members, up)
        marks.append(Line(x=x, y=y, step=step, width=1.5, colour="survivor", name="front"))
    whiskers = [one for one in members if any(half is not None for half in one.halves or ())]
    if whiskers:
        marks += _whiskers(whiskers, across, up, logs)
    for kind, looks in _LOOKS_OF.items():
        own = [one for one in points if one.kind == kind]
        if own:
            marks.append(
                Points(x=_columns(own, across), y=_columns(own, up), name=_CALLED[kind],
                       opacity=0.6 if kind == "dropped" and not named else 1.0,
                       tip=_tips(own), **looks)
            )  # fmt: skip
    marks += _names(points, across, up, named=named, two=two, first=metrics[0][1])
    x_axes, y_axes = (tuple(axes[k] for k in choice) for choice in (across, up))
    return Figure(plots=(Plot(x=x_axes, y=y_axes, marks=tuple(marks), height=380),))


def _columns(points: Sequence[Placed], choices: Sequence[int]) -> Columns:
    return tuple(tuple(one.means[k] for one in points) for k in choices)


def _tips(own: Sequence[Placed]) -> tuple[tuple[str, Column], ...]:
    halves = [
        None
        if not one.halves
        else ", ".join("–" if h is None else f"± {h:.3g}" for h in one.halves)
        for one in own
    ]
    return (
        ("", tuple(one.name for one in own)),
        ("on the front", tuple(_standing(one) for one in own)),
        ("intervals", tuple(halves)),
        ("failed", tuple(one.failed for one in own)),
    )


def _standing(one: Placed) -> str:
    return "yes, the best compromise" if one.kind == "best" else "yes" if one.halves else "no"


def _whiskers(
    own: Sequence[Placed], across: Sequence[int], up: Sequence[int], logs: Sequence[bool]
) -> list[Mark]:
    """The intervals of the means, in both directions; beyond 0 a logarithmic axis has no place."""

    def ends(choices: Sequence[int], sign: int) -> Columns:
        return tuple(tuple(_end(one, k, sign, log=logs[k]) for one in own) for k in choices)

    return [
        Intervals(along="x" if flat else "y", at=_columns(own, of), low=ends(along, -1),
                  high=ends(along, 1), width=1, colour="survivor", opacity=0.6)
        for flat, along, of in ((True, across, up), (False, up, across))
    ]  # fmt: skip


def _end(one: Placed, k: int, sign: int, *, log: bool) -> float | None:
    assert one.halves is not None
    end = one.means[k] + sign * (one.halves[k] or 0.0)
    return None if log and end <= 0 else end


def _names(
    points: Sequence[Placed], across: Sequence[int], up: Sequence[int], *, named: bool, two: bool,
    first: Direction,
) -> list[Mark]:  # fmt: skip
    """Names towards the middle: below the front's own members if low is good, else above."""
    on_front = [one for one in points if one.halves]
    of = [one for one in points if one.kind in ("best", "default")]
    if named:
        of = [*points] if len(points) <= _NAMED else on_front if len(on_front) <= _NAMED else []
        of = of if two else [one for one in of if one.kind == "best"]
    found: list[Mark] = []
    for inside in (True, False):
        own = [one for one in of if bool(one.halves) == inside]
        below = inside == (first == "minimize")
        if own:
            found.append(
                Texts(x=_columns(own, across), y=_columns(own, up), anchor="inward", dx=8,
                      dy=9 if below else -9, colour="ink" if inside else "soft", size=11,
                      texts=tuple(refer(one.name, 18) for one in own))
            )  # fmt: skip
    return found


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
        reading=(
            "A point for each candidate, at its mean in two metrics; those that were dropped have "
            "seen fewer instances. The steps are the front: beyond them nothing was found. Its "
            "members have 95 % intervals of each mean; the largest point is the best compromise, "
            "the diamond the default. No other survivor is at least as good in every metric and "
            "better in one. P says whether a candidate is likely on the front of the true means "
            "too. Dominated candidates are named unless that is unlikely. The best compromise "
            "gives up least of what lies between the best and the worst of the front, in the "
            "metric in which it gives up most."
        ),
        figure=front_figure(_metrics(history), standings(history)),
        table=table(
            ("candidate", "P", *names, "failed", ""),
            (
                (name_of(history, one.candidate.id), chance_words(one.on_front),
                 *one.metrics.values(), one.failures,
                 "best compromise" if one.candidate == winner else "dominated" if beaten else "")
                for part, beaten in ((found.front, False), (found.maybe, True)) for one in part
            ),
        ),
    )  # fmt: skip


def standings(history: History) -> list[Placed]:
    """The candidates at their means over all instances that each ran; one that never did has none.

    Of very many, the front and the first others.
    """
    results, front, winner = history.race.results, history.facts.front, history.facts.winner
    goal = results.goal
    assert isinstance(goal, Goal)
    assert front is not None
    on_front = {one.candidate.id for one in front.front}
    kept = [*on_front, *(id for id in results.candidates if id not in on_front)][:_POINTS]
    columns = {id: column for column, id in enumerate(results.candidates)}
    default, found = default_of(history.race).id, []
    for id in sorted(kept):
        costs = [results.of(name).costs[:, columns[id]] for name in goal.front]
        known = [values[np.isfinite(values)] for values in costs]
        if not all(len(values) for values in known):
            continue
        kind = "front" if id in on_front else "dropped"
        kind = "default" if id == default else kind
        found.append(
            Placed(
                id=id,
                name=name_of(history, id),
                means=tuple(
                    float(score_of(float(values.mean()), goal.metrics[name].direction))
                    for name, values in zip(goal.front, known, strict=True)
                ),
                halves=tuple(map(_half, known)) if id in on_front else None,
                kind="best" if winner is not None and id == winner.id else kind,
            )
        )
    return found


def _half(values: Floats) -> float | None:
    """Half of the interval of a mean; None with fewer than two instances."""
    n = len(values)
    if n < 2:
        return None
    return half_width(n - 1, _LEVEL) * float(values.std(ddof=1)) / math.sqrt(n)


def _metrics(history: History) -> list[tuple[str, Direction]]:
    goal = history.race.results.goal
    assert isinstance(goal, Goal)
    metrics = goal.metrics
    return [(in_unit(name, metrics[name].unit), metrics[name].direction) for name in goal.front]


def held_out(history: History) -> Picture | None:
    """The shown front and the default on the instances of `racing test`; None without a test."""
    found = history.facts.test("front")
    if found is None:
        return None
    goal = history.race.results.goal
    assert isinstance(goal, Goal)
    default, points = default_of(history.race).id, []
    for one in found.means:
        means = [one.metrics[name] for name in goal.front]
        on_front = one.candidate.id in found.undominated
        if None not in means:
            points.append(
                Placed(
                    id=one.candidate.id, name=name_of(history, one.candidate.id),
                    means=tuple(mean for mean in means if mean is not None),
                    halves=(None,) * len(means) if on_front else None,
                    kind="default" if one.candidate.id == default else
                    "front" if on_front else "dropped",
                )
            )  # fmt: skip
    return Picture(
        id="front-held-out",
        title="Front on unseen problems",
        sentence=str(found),
        reading=(
            f"Means over {count(len(found.instances), 'instance')} that the run has not met. The "
            "steps are the front here: members of the run's front beside them were lucky in the "
            "run, or are behind by little. The diamond is the default."
        ),
        figure=front_figure(_metrics(history), points) if points else None,
        table=table(
            ("candidate", *goal.front, "failed", ""),
            (
                (name_of(history, one.candidate.id),
                 *(one.metrics[name] for name in goal.front), one.failures,
                 "front" if one.candidate.id in found.undominated else "dominated")
                for one in found.means
            ),
        ),
    )  # fmt: skip


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
        share = short(hypervolume(final[members], worst) / whole)
        rows.append((mark.evaluations, short(mark.elapsed, 4), f"{len(members)} on the front",
                     share, mark.instances))  # fmt: skip
    columns = ("evaluations", "seconds", "front", "share", "instances")
    end = (history.marks[-1].evaluations, short(history.marks[-1].elapsed, 4))
    return Picture(
        id="front-so-far",
        title="Front so far",
        sentence=f"{count(len(found.front), 'candidate')} on the front now.",
        reading=(
            "The height is the volume (hypervolume) between the members of the front at that time "
            "and the worst mean of each metric, as a share of that of the front now; all means are "
            "those of the whole run. A line that stays flat says that more budget brought nothing."
        ),
        figure=over_time([stepped(columns, rows, 3, end)], "share of the volume of the front now"),
        table=table(columns, rows),
    )


def _spaced(marks: list[Moment]) -> list[Moment]:
    """Some evenly spaced ones, and the last."""
    return [*marks[: -1 : -(-len(marks) // _LOOKS)], marks[-1]] if marks else []


def _final_means(history: History) -> Floats:
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


def front_of(found: MetricComparison) -> Picture:
    """A point for each finished algorithm at its means; steps and intervals of the front."""
    level = number(100 * (1 - found.alpha))
    steps = " The steps are the front: beyond them nothing was found." * (len(found.metrics) == 2)
    failures = " Orange triangles failed more often than others." * bool(found.failed.any())
    failed = ("failed",) * bool(found.failed.any())
    metrics = (name for metric in found.metrics for name in (refer(metric), "from", "to"))
    directions = [(refer(metric), one.direction) for metric, one in found.tables.items()]
    return Picture(
        id="front",
        title="Front",
        sentence=f"{len(found.front)} of {len(found.names)} algorithms on the front.",
        reading=(
            f"A point for each algorithm, at its mean in two metrics.{steps} Members of the front "
            f"are green, with {level} % intervals of each mean; the largest point is the best "
            f"compromise. Grey ones are dominated.{failures}"
        ),
        figure=front_figure(directions, placed(found), named=True),
        table=table(
            ("algorithm", "front", "P(on the front)", *failed, *metrics),
            (
                (
                    refer(found.names[i]), place(found, i), chance_words(float(found.on_front[i])),
                    *(int(found.failed[i]) for _ in failed), *_three(found, i),
                )
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
        if np.isfinite(found.means[i]).all():
            failed = int(found.failed[i]) if found.failed[i] > least else None
            on_front = bool(found.undominated[i])
            kind = "front" if on_front else "dropped" if failed is None else "failed"
            points.append(
                Placed(
                    id=i, name=refer(found.names[i]), failed=failed,
                    means=tuple(found.means[i].tolist()),
                    halves=tuple(half[i].tolist()) if on_front else None,
                    kind="best" if i == found.knee else kind,
                )
            )  # fmt: skip
    return points


def _three(found: MetricComparison, i: int) -> list[Any]:
    """Mean, low and high of each metric, one after the other."""
    ends = np.stack([found.means[i], found.low[i], found.high[i]], axis=1)
    return [plain(float(one)) for one in ends.ravel()]


def statements_of(found: MetricComparison) -> list[Picture]:
    """The statements that are all true together, as a table; none where nothing is said."""
    if not found.statements:
        return []
    posteriors = found.dominance.posteriors[: found.dominance.accepted].tolist()
    return [
        Picture(
            id="statements",
            title="What can be believed together?",
            sentence=bare(together(found)),
            table=table(
                ("algorithm", "dominates", "probability"),
                (
                    (refer(better), refer(worse), plain(p))
                    for (better, worse), p in zip(found.statements, posteriors, strict=True)
                ),
            ),
        )
    ]
