"""What a run spent: its budget by the fate of the candidates, its workers, and its failures."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from racing.base.plain import printable
from racing.base.words import amounts, count, duration, listed, percent, shown
from racing.report import forms
from racing.report.counts import Expense
from racing.report.forms import Axis, Bars, Line, short
from racing.report.history import Floats, History
from racing.report.picture import LOOKS, Item, Picture, picture, table
from racing.report.watched import natural

BARS = 3000
"""Evaluations that are drawn one by one; beyond it only how busy the workers were."""

_KINDS = 40  # of failures
_BINS, _ROWS = 120, 64  # parts of the time, and workers, of a timeline
_PARTS = {
    "winner": "winner",
    "other survivors": "survivor",
    "dropped later": "grey0",
    "dropped at the first opportunity": "grey1",
    "not decided": "waiting",
}
"""The parts of the spending, and their colours."""


def spending(history: History) -> dict[str, list[Expense]]:
    """Part → the expenses of its candidates; no part is empty. They add up to all that counts."""
    first = min(history.out.values(), default=0)
    parts: dict[str, list[Expense]] = {name: [] for name in _PARTS}
    names = {"survivor": "other survivors", "waiting": "not decided", "winner": "winner"}
    for expense in history.expenses:
        id = expense.candidate.id
        late = "later" if history.out.get(id) != first else "at the first opportunity"
        parts[names.get(history.fate(id), f"dropped {late}")].append(expense)
    return {name: own for name, own in parts.items() if own}


@picture("budget", "Where the budget went")
def budget(history: History) -> Picture | str:
    """Parts of all evaluations and of all target time, by what became of the candidate. A large
    part for candidates that were dropped late means that they were hard to tell from the best.
    """
    if not history.evaluations:
        return "Nothing has been spent yet."
    charged, race = history.paid, history.race
    left = race.budget.left(race.spent).evaluations
    unspent = f" Unspent: {count(round(left), 'evaluation')}." if 0 < left < math.inf else ""
    paid = f" They were charged {listed(amounts(charged))}." if charged else ""
    units = sorted(charged, key=lambda unit: unit != "usd")
    rows: list[tuple[Any, ...]] = [
        (name, len(own), sum(one.evaluations for one in own),
         short(sum(one.seconds for one in own), 4), sum(one.failures for one in own),
         *(short(math.fsum(one.paid.get(unit, 0.0) for one in own), 4) for unit in units))
        for name, own in spending(history).items()
    ]  # fmt: skip
    lost, failed = sum(row[2] for row in rows if row[0].startswith("dropped")), history.failures
    measures = {"evaluations": 2, "target time": 3} | {unit: 5 + k for k, unit in enumerate(units)}
    spent = np.array([[float(row[k] or 0) for k in measures.values()] for row in rows])
    ends = 100 * np.cumsum(spent, axis=0) / np.where(spent.sum(axis=0), spent.sum(axis=0), 1)
    y = np.arange(len(measures))
    marks = [
        Bars(x0=begin, x1=end, y0=y - 0.36, y1=y + 0.36, colour=_PARTS[row[0]], name=row[0],
             rows=[k] * len(y))
        for k, (row, begin, end) in enumerate(zip(rows, [0 * y, *ends], ends, strict=False))
    ]  # fmt: skip
    return Picture(
        sentence=(
            f"{count(history.evaluations, 'evaluation')} took {duration(history.target_seconds)} "
            f"of target time; {percent(lost / history.evaluations)} went into candidates that were "
            f"dropped{f', and {failed} failed' if failed else ''}.{paid}{unspent}"
        ),
        figure=forms.figure(marks, Axis("%", ends=(0.0, 100.0)),
                            forms.category(measures, reverse=True), height=60 + 50 * len(y)),
        table=table(("part", "candidates", "evaluations", "seconds", "failed", *units), rows),
    )  # fmt: skip


class Timeline(NamedTuple):
    """Evaluations by worker and time, without pauses between sessions.

    Attributes
    ----------
    workers
        Names, in the order of their numbers.
    bars : (n,)
        `worker`, `candidate`, `step`, `start` and `seconds` from the first start, `failed`.
    unknown
        Evaluations that the log has no worker or start for; they are in no bar.
    """

    workers: tuple[str, ...]
    bars: np.recarray[Any, Any]
    unknown: int

    @property
    def span(self) -> float:
        """Seconds from the first start to the last end."""
        return float((self.bars.start + self.bars.seconds).max()) if len(self.bars) else 0.0

    def busy(self) -> Floats:
        """(workers,) seconds of work of each."""
        work = np.bincount(self.bars.worker, self.bars.seconds, len(self.workers))
        return work.astype(np.float64)

    def utilisation(self, bins: int) -> Floats:
        """(bins,) the mean share of the workers that were busy, over equal parts of the span."""
        if not self.workers or self.span == 0:
            return np.zeros(bins)
        edges = np.linspace(0, self.span, bins + 1)
        start, end = self.bars.start, self.bars.start + self.bars.seconds
        done: Floats = np.diff(_past(start, edges) - _past(end, edges))
        return done / (self.span / bins * len(self.workers))


def _past(points: Floats, times: Floats) -> Floats:
    """Σ max(t − point, 0) for each time t: of starts less that of ends, the work done by then."""
    ordered = np.sort(points)
    sums = np.concatenate([[0.0], np.cumsum(ordered)])
    many = np.searchsorted(ordered, times)
    return np.asarray(many * times - sums[many])


_BAR = [("worker", int), ("candidate", int), ("step", int), ("start", float),
        ("seconds", float), ("failed", bool)]  # fmt: skip


def timeline(history: History) -> Timeline:
    """The timeline of a run: outcomes, and the attempts that failed before them."""
    outcomes = history.outcomes
    extra = [attempt.outcome for attempt in history.attempts if attempt.outcome.started > 0]
    names = sorted({*history.workers, *(one.worker for one in extra)} - {""}, key=natural)
    place = {name: k for k, name in enumerate(names)}
    row = np.array([place.get(name, -1) for name in history.workers], dtype=int)
    worker = row[outcomes.worker] if len(outcomes) else outcomes.worker
    known = (outcomes.started > 0) & (worker >= 0)
    own = outcomes[known]
    columns = [worker[known], own.candidate, own.step, own.started, own.seconds, own.failed]
    rows = [(place.get(one.worker, -1), one.candidate, one.step, one.started, one.seconds, True)
            for one in extra]  # fmt: skip
    found = np.rec.fromarrays(columns, dtype=_BAR), np.array(rows, dtype=_BAR)
    bars = np.concatenate(found).view(np.recarray)
    sessions = [_epoch(session.started) for session in history.sessions]
    bars.start = _without_pauses(bars.start, bars.seconds, sessions)
    return Timeline(tuple(names), bars, int(len(outcomes) - known.sum()))


def _without_pauses(start: Floats, seconds: Floats, sessions: list[float]) -> Floats:
    """Starts from the first one, with each later session moved to the end of the one before."""
    if len(start) == 0:
        return start
    moved, end = start.copy(), start + seconds
    for begin in sessions[1:]:
        before, after = start < begin, start >= begin
        if before.any() and after.any():
            moved[after] -= max(float(start[after].min() - end[before].max()), 0.0)
    return np.asarray(moved - moved.min())


def _epoch(iso: str) -> float:
    try:
        return datetime.fromisoformat(iso).timestamp()
    except ValueError:
        return 0.0


@picture("workers", "Workers")
def workers(history: History) -> Picture | str:
    """Each bar is an evaluation, from its start to its end. White gaps are idle time: workers wait
    when a row must be complete before the next test. Pauses between sessions are left out. Orange
    bars failed.
    """
    found = timeline(history)
    if not len(found.bars):
        return "The log does not say which worker ran what."
    many, busy, span = len(found.workers), found.busy(), max(found.span, 1e-9)
    said = f"{count(many, 'worker')}, busy {percent(busy.sum() / (span * many))} of the time."
    time = Axis("time", seconds=True, ends=(0.0, float(span)))
    line = Line(
        x=(np.arange(_BINS) + 0.5) * span / _BINS, y=100 * found.utilisation(_BINS), colour="soft",
        filled=True, tip={"": ["busy"] * _BINS},
    )  # fmt: skip
    plots = [forms.plot([line], time, Axis("busy %", ends=(0.0, 100.0)), height=200,
                        name="how busy the workers are")]  # fmt: skip
    if len(found.bars) <= BARS and many <= _ROWS:
        plots.insert(0, _evaluations(history, found, time))
    else:
        said += " Bars of single evaluations are left out, as there are too many."
    if found.unknown:
        said += f" {count(found.unknown, 'evaluation')} without a known start are left out."
    tasks = np.bincount(found.bars.worker, minlength=many)
    return Picture(
        sentence=said,
        figure=forms.Figure(plots=tuple(plots), choose="Shown", wide=True),
        table=table(
            ("worker", "evaluations", "busy seconds", "busy share"),
            ((shown(name), int(tasks[k]), short(float(busy[k]), 4), percent(busy[k] / span))
             for k, name in enumerate(found.workers)),
        ),
    )  # fmt: skip


def _evaluations(history: History, found: Timeline, time: Axis) -> forms.Plot:
    bars = found.bars
    every = Bars(
        x0=bars.start, x1=bars.start + bars.seconds, y0=bars.worker - 0.36, y1=bars.worker + 0.36,
        tip={"candidate": map(history.called, bars.candidate.tolist()),
             "instance": map(history.instance, bars.step.tolist()),
             "seconds": [short(s, 4) for s in bars.seconds.tolist()]},
    )  # fmt: skip
    fates = ("failed" if one.failed else history.fate(one.candidate) for one in bars)
    looks = LOOKS | {"failed": {"name": "failed", "colour": "fail"}}
    up = forms.category([shown(name, 30) for name in found.workers], reverse=True)
    height = min(18 * len(found.workers) + 60, 560)
    return forms.plot(every.split(fates, looks), time, up, name="evaluations", height=height)


@picture("failures", "Failures")
def failures(history: History) -> Picture | str:
    """Failures with the same first line are counted together. Below is the end of the latest
    message of each kind, as the target wrote it.
    """
    found = history.failure_groups
    if not found:
        return "Nothing failed."
    share = history.outcomes.failed.mean() if len(history.outcomes) else 1.0
    said = (
        f"{count(sum(one.count for one in found), 'failure')} of {count(len(found), 'kind')}; "
        f"{percent(share)} of all outcomes."
    )
    where = {}
    for id, step in (one.example for one in found):
        name = history.called(id) if id in history.candidates else f"#{id}"
        where[id, step] = f"{name} on {history.instance(step)}"
    return Picture(
        sentence=said + f" Shown: the {_KINDS} most frequent." * (len(found) > _KINDS),
        items=tuple(
            Item(
                text=f"{one.count} × {one.status} · {shown(one.first or one.status)}",
                about=f"end of the latest message ({where[one.example]})",
                more=printable(one.end) or "(no message)",
            )
            for one in found[:_KINDS]
        ),
        table=table(
            ("how", "first line", "count", "candidates", "latest"),
            ((one.status, one.first, one.count, len(one.candidates), where[one.example])
             for one in found),
        ),
    )  # fmt: skip
