"""How a run went: survivors, who left and why, and who was ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from racing.answer.words import times
from racing.base.quantities import score_of
from racing.base.words import count, number, refer, value_text
from racing.core.verdict import Elimination, Verdict
from racing.report import forms
from racing.report.forms import Axis, short
from racing.report.history import History
from racing.report.picture import DataTable, Picture, evenly, in_unit, picture, table
from racing.report.run_tables import in_words

OVER = Axis("instances", whole=True), Axis("evaluations", whole=True), Axis("time", seconds=True)
"""What the course of a run is drawn over."""

_MARKS = 400  # of the line of survivors; further ones would lie on each other
_DROPPED = 1500
_REASONS = ("dropped", "c2", "c3", "ink", "soft", "grey0")
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


@picture("survivors", "Survivors")
def survivors(history: History) -> Picture | str:
    """The line falls when a verdict drops candidates. A steep start saves most: what is dropped
    early is not evaluated on later instances. The horizontal axis can show instances, evaluations
    or time.
    """
    marks, searching = history.marks, history.searching
    first, last = marks[0], marks[-1]
    if last.evaluations == 0:
        return "No evaluation has ended yet."
    rows = [(m.instances, m.evaluations, short(m.elapsed, 4), m.alive, m.entered)
            for m in evenly(marks, _MARKS)]  # fmt: skip
    what, up, title, name = "survivors", "candidates left", "", ""
    said = (
        f"Of {count(max(first.entered, first.alive), 'candidate')}, {last.alive} "
        f"{'is' if last.alive == 1 else 'are'} left after {count(last.instances, 'instance')}."
    )
    if searching:
        what, up, title, name = "elites", "configurations", "Configurations tried", "elites"
        said = (
            f"{count(last.entered, 'configuration')} were tried in "
            f"{count(last.evaluations, 'evaluation')}; {count(last.alive, 'elite')} at the end."
        )
    else:
        rows.insert(0, (0, 0, 0.0, first.entered, first.entered))
    found = table(("instances", "evaluations", "seconds", what, "entered"), rows)
    looks: dict[str, Any] = {"x": [found.column(k) for k in range(3)], "step": "after"}
    lines = [forms.Line(y=found.column(3), colour="survivor", filled=True, name=name, width=2.5,
                        **found.told(), **looks)]  # fmt: skip
    if searching:
        lines.append(forms.Line(y=found.column(4), colour="soft", name="configurations tried",
                                width=2.5, **looks))  # fmt: skip
    figure = forms.figure(lines, OVER, Axis(up, whole=True), across="Over")
    return Picture(title=title, sentence=said, figure=figure, table=found)


@picture("dropped", "Why candidates were dropped")
def dropped(history: History) -> Picture | str:
    """Each brick is a candidate, above the number of instances that it was judged by; the colour
    says why it was dropped. The table has the numbers: what was measured, the threshold, and for
    every look the standing of those that stayed.
    """
    out = [(verdict.instances, one) for verdict in history.race.verdicts
           for one in verdict.eliminated]  # fmt: skip
    if not out:
        return "No candidate was dropped."
    reasons = Counter(str(one.reason) for _, one in out)
    said = ", ".join(f"{many} {name}" for name, many in reasons.most_common())
    more = f" Drawn: the last {_DROPPED}." if len(out) > _DROPPED else ""
    measures = dict.fromkeys(one.measure for _, one in out)
    return Picture(
        sentence=f"{len(out)} of {count(len(history.candidates), 'candidate')}: {said}.{more}",
        reading=" ".join(_MEANING[one] for one in measures if one in _MEANING),
        figure=_departures(history, out[-_DROPPED:], list(reasons)),
        table=table(
            ("look", "instances", "candidate", "fate", "mean rank", "wins", "losses", "because",
             "against", "measure", "value", "threshold"),
            _looks(history),
        ),
    )  # fmt: skip


def _departures(
    history: History, out: list[tuple[int, Elimination]], reasons: list[str]
) -> forms.Figure:
    heights: Counter[int] = Counter()
    tops = []
    for after, _ in out:
        heights[after] += 1
        tops.append(heights[after])
    half = max(0.4, (max(heights) - min(heights)) / 120)
    bricks = forms.Bars(
        x0=[after - half for after, _ in out], x1=[after + half for after, _ in out],
        y0=[top - 1 for top in tops], y1=tops,
        tip={
            "candidate": [history.called(one.candidate) for _, one in out],
            "after": [count(after, "instance") for after, _ in out],
            "against": [history.called(one.against) for _, one in out],
            "measure": [f"{one.measure} {value_text(_value(one))}, threshold "
                        f"{value_text(short(one.threshold, 4))}" for _, one in out],
        },
    )  # fmt: skip
    colours = {name: {"name": name, "colour": _REASONS[k % len(_REASONS)]}
               for k, name in enumerate(reasons)}  # fmt: skip
    x, y = Axis("instances judged by", whole=True), Axis("candidates", whole=True)
    return forms.figure(bricks.split([str(one.reason) for _, one in out], colours), x, y)


def _value(out: Elimination) -> float | str | None:
    return in_words(out.measure, out.value) or short(out.value, 4)


def _looks(history: History) -> Iterator[tuple[object, ...]]:
    """The rows of each verdict that dropped a candidate, with its number from 1."""
    alive = dict.fromkeys(history.entrants)
    for number_, verdict in enumerate(history.race.verdicts, start=1):
        out = {one.candidate: one for one in verdict.eliminated}
        judged = [*alive]
        if history.searching or verdict.about is not None:
            judged = [*dict.fromkeys((verdict.leader, *sorted({*out, *(verdict.about or ())})))]
        if out:
            yield from ((number_, *row) for row in _standing(history, verdict, judged))
        for id in out:
            alive.pop(id, None)


def _standing(
    history: History, verdict: Verdict, judged: Sequence[int]
) -> Iterator[tuple[object, ...]]:
    """By mean rank, those that were dropped, with the numbers, and the best others."""
    matrices, out = history.matrices, {one.candidate: one for one in verdict.eliminated}
    steps = range(verdict.instances) if verdict.steps is None else verdict.steps
    at = [step for step in steps if step < len(matrices.costs)]
    columns = [matrices.column[id] for id in judged if id in matrices.column]
    costs, ranks = matrices.costs[np.ix_(at, columns)], matrices.ranks[np.ix_(at, columns)]
    lead, ran = matrices.costs[at, matrices.column[verdict.leader]][:, None], ~np.isnan(costs)
    total, counts = np.where(ran, ranks, 0.0).sum(axis=0), ran.sum(axis=0)
    means = np.divide(total, counts, out=np.full(len(columns), np.nan), where=counts > 0)
    compared = 1 if history.searching else 3  # of those that stayed
    for k in np.argsort(means, kind="stable"):
        gone = out.get(id := matrices.ids[columns[k]])
        compared -= gone is None
        if gone is None and compared < 0:
            continue
        wins, losses = ((test[:, k]).sum() for test in (costs < lead, costs > lead))
        yield (
            verdict.instances, history.called(id), "left" if gone else "stayed",
            short(float(means[k]), 4), int(wins), int(losses),
            *((str(gone.reason), history.called(gone.against), gone.measure, _value(gone),
               short(gone.threshold, 4)) if gone else (None,) * 5),
        )  # fmt: skip


class Incumbent(NamedTuple):
    """The best candidate from some point of a run on.

    Attributes
    ----------
    evaluations, elapsed
        Outcomes by then, and the run's wall-clock seconds.
    candidate
        Its id.
    cost
        Its mean cost over the instances that it and the default ran without a failure, at the end
        of the run; None if there are none.
    default_cost
        That of the default there.
    instances
        How many these are.
    """

    evaluations: int
    elapsed: float
    candidate: int
    cost: float | None
    default_cost: float | None
    instances: int

    @property
    def gain(self) -> float | None:
        """By how much its mean cost is lower."""
        return None if self.cost is None else (self.default_cost or 0.0) - self.cost


def incumbents(history: History) -> tuple[Incumbent, ...]:
    """The incumbents in order; the last one is the current one.

    Each is measured by all that the run knows in the end, so that a new incumbent that was lucky
    on few instances does not look better than it is.
    """
    last, winner = history.marks[-1], history.winner
    found: list[Incumbent] = []
    for mark in (*history.marks, last._replace(leader=None if winner is None else winner.id)):
        id = mark.leader
        if id is None or (found and found[-1].candidate == id):
            continue
        _, costs = history.matrices.pair(id, history.baseline.id)
        costs = costs[np.isfinite(costs).all(axis=1)]
        own, other = costs.mean(axis=0).tolist() if len(costs) else (None, None)
        found.append(Incumbent(mark.evaluations, mark.elapsed, id, own, other, len(costs)))
    return tuple(found)


@picture("best-so-far", "Best so far")
def best_so_far(history: History) -> Picture | str:
    """Each step is a candidate that took the lead. Its height is the mean improvement over the
    default (dashed), on the instances that both ran without a failure, by all that the run knows
    now: above it the candidate is better. The mean scores of both on these instances can be chosen
    too. It was chosen on them, so it looks too good. A line that stays flat says that more budget
    brought nothing.
    """
    found = incumbents(history)
    if not found:
        return "No candidate has been ahead yet."
    default, unit, final = refer(history.baseline), history.unit, found[-1]
    rows = [
        (one.evaluations, short(one.elapsed, 4), history.called(one.candidate),
         *(score_of(of, history.race.direction) for of in (one.cost, one.default_cost)), one.gain,
         one.instances)
        for one in found
    ]  # fmt: skip
    name = history.called(final.candidate)
    said = f"{name} has led so far"
    if len(found) > 1:
        said = f"The lead changed {times(len(found) - 1)}; {name} has it"
    if final.gain is not None and name != default:
        said += (
            f"; its mean improvement over {default} is {number(final.gain, 4)} on "
            f"{count(final.instances, 'instance')}"
        )
    steps = table(
        ("evaluations", "seconds", "candidate", in_unit("mean score", unit), f"that of {default}",
         in_unit("improvement", unit), "instances"), rows)  # fmt: skip
    return Picture(sentence=f"{said}.", figure=_beside(steps, history, default), table=steps)


def _beside(steps: DataTable, history: History, default: str) -> forms.Figure | None:
    """Improvements, or mean scores: the best so far, and the default."""
    best, *scores = (stepped(steps, (0, 1, column), history) for column in (5, 3, 4))
    if best is None:
        return None
    own, other = (one.y[0] for one in scores if one is not None)
    zero = [0.0] * len(own)
    marks = (
        replace(best, y=(zero, other), colour="soft", dash="dashed", dots=False, name=default),
        replace(best, y=(best.y[0], own), name="best so far"),
    )
    up = [Axis(in_unit(name, history.unit)) for name in ("mean improvement", "mean score")]
    return forms.figure(marks, OVER[1:], up, across="Over", up="Shown")


def stepped(
    found: DataTable, columns: Sequence[int], history: History, *,
    among: Sequence[int] | None = None, **how: Any,
) -> forms.Line | None:  # fmt: skip
    """A line that steps at rows of a table, and goes on to the end; None without a height.

    Parameters
    ----------
    columns
        The places of evaluations, seconds and heights.
    among
        The rows of this line; None: all.
    """
    rows = range(len(found.rows)) if among is None else among
    at = [k for k in rows if isinstance(found.rows[k][columns[2]], float)]
    if not at:
        return None
    last = history.marks[-1]
    ends = last.evaluations, short(last.elapsed, 4)
    x = [[*found.column(c, at), end] for c, end in zip(columns[:2], ends, strict=True)]
    at.append(at[-1])
    return forms.Line(x=x, y=found.column(columns[2], at), step="after", width=2.5,
                      dots=len(at) < 41, **found.told(at), **how)  # fmt: skip


def over_time(lines: Sequence[forms.Line | None], up: str) -> forms.Figure | None:
    """Step lines over evaluations, or over time."""
    drawn = [one for one in lines if one is not None]
    if not drawn:
        return None
    return forms.figure(drawn, OVER[1:], up, rules=(forms.Rule(y=0),), across="Over")
