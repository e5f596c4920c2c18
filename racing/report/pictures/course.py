"""How a run went: survivors, departures, spending, workers, and failures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from racing.base.plain import printable
from racing.base.words import amounts, count, listed, number, percent, value_text
from racing.core.verdict import Elimination
from racing.report.eliminations import Look, in_words, looks
from racing.report.forms import Axis, Bars, Figure, Line, Plot, category, column, short
from racing.report.history import History
from racing.report.names import name_of, refer, shown
from racing.report.pictures.picture import FATES, Item, Picture, nothing, table, told
from racing.report.spending import spending
from racing.report.worker_timeline import Timeline, timeline

BARS = 3000
"""Evaluations that are drawn one by one; beyond it only how busy the workers were."""

_MARKS = 400  # of the line of survivors; further ones would lie on each other
_DROPPED = 1500
_KINDS = 40  # of failures
_BINS, _ROWS = 120, 64  # parts of the time, and workers, of a timeline
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


def survivors(history: History) -> Picture:
    """A falling step line for a race; for a search the elites, and the configurations tried."""
    marks = history.marks
    if marks[-1].evaluations == 0:
        return nothing("survivors", "Survivors", "No evaluation has ended yet.")
    kept = [*marks[: -1 : -(-len(marks) // _MARKS)], marks[-1]]
    first, last, searching = marks[0], marks[-1], history.searching
    rows = [(m.instances, m.evaluations, short(m.elapsed, 4), m.alive, m.entered) for m in kept]
    if searching:
        title, what = "Configurations tried", "elites"
        sentence = (
            f"{count(last.entered, 'configuration')} were tried in "
            f"{count(last.evaluations, 'evaluation')}; {count(last.alive, 'elite')} at the end."
        )
    else:
        title, what = "Survivors", "survivors"
        sentence = (
            f"Of {count(max(first.entered, first.alive), 'candidate')}, {last.alive} "
            f"{'is' if last.alive == 1 else 'are'} left after {count(last.instances, 'instance')}."
        )
        rows.insert(0, (0, 0, 0.0, first.entered, first.entered))
    columns = ("instances", "evaluations", "seconds", what, "entered")
    x = tuple(column(row[k] for row in rows) for k in range(3))
    lines = [(3, "survivor", what), *([(4, "soft", "configurations tried")] if searching else [])]
    plot = Plot(
        x=(Axis(name="instances", whole=True), Axis(name="evaluations", whole=True),
           Axis(name="time", seconds=True)),
        y=(Axis(name="configurations" if searching else "candidates left", whole=True),),
        marks=tuple(
            Line(x=x, y=(column(row[k] for row in rows),), step="after", width=2.5,
                 colour=colour, filled=k == 3, name=name if searching else "",
                 **(told(columns, rows) if k == 3 else {}))
            for k, colour, name in lines
        ),
        across="Over",
    )  # fmt: skip
    return Picture(
        id="survivors",
        title=title,
        sentence=sentence,
        reading=(
            "The line falls when a verdict drops candidates. A steep start saves most: what is "
            "dropped early is not evaluated on later instances. The horizontal axis can show "
            "instances, evaluations or time."
        ),
        figure=Figure(plots=(plot,)),
        table=table(columns, rows),
    )


def dropped(history: History) -> Picture:
    """A brick for each dropped candidate, over the instances after which it left."""
    found = looks(history)
    if not found:
        return nothing("dropped", "Why candidates left", "No candidate was dropped.")
    out = [(look.instances, one) for look in found for one in look.eliminated]
    reasons = Counter(str(one.reason) for _, one in out)
    said = ", ".join(f"{many} {name}" for name, many in reasons.most_common())
    more = f" Drawn: the last {_DROPPED}." if len(out) > _DROPPED else ""
    measures = dict.fromkeys(one.measure for _, one in out)
    return Picture(
        id="dropped",
        title="Why candidates left",
        sentence=f"{count(len(out), 'candidate')} left: {said}.{more}",
        reading=(
            "Each brick is a candidate, above the number of instances that it was judged by; the "
            "colour says why it left. The table has the numbers: what was measured, what it was "
            "held to, and for every look the standing of those that stayed."
            f"{''.join(f' {_MEANING[one]}' for one in measures if one in _MEANING)}"
        ),
        figure=_departures(history, out[-_DROPPED:], list(reasons)),
        table=table(
            ("look", "instances", "candidate", "fate", "mean rank", "wins", "losses", "because",
             "against", "measure", "value", "held to"),
            (row for look in found for row in _rows(history, look)),
        ),
    )  # fmt: skip


def _departures(history: History, out: list[tuple[int, Elimination]], reasons: list[str]) -> Figure:
    heights: Counter[int] = Counter()
    bricks: dict[str, list[tuple[int, int, Elimination]]] = {name: [] for name in reasons}
    for after, one in out:
        heights[after] += 1
        bricks[str(one.reason)].append((after, heights[after], one))
    half = max(0.4, (max(heights) - min(heights)) / 120)
    marks = tuple(
        Bars(
            x0=tuple(after - half for after, *_ in own), y0=tuple(up - 1.0 for _, up, _ in own),
            x1=tuple(after + half for after, *_ in own), y1=column(up for _, up, _ in own),
            name=name, colour=_REASONS[k % len(_REASONS)],
            tip=(
                ("candidate", tuple(name_of(history, one.candidate) for *_, one in own)),
                ("after", tuple(count(after, "instance") for after, *_ in own)),
                ("against", tuple(name_of(history, one.against) for *_, one in own)),
                ("measure", tuple(f"{one.measure} {value_text(_value(one))}, held to "
                                  f"{value_text(short(one.threshold, 4))}" for *_, one in own)),
            ),
        )
        for k, (name, own) in enumerate(bricks.items())
        if own
    )  # fmt: skip
    x = Axis(name="instances judged by", whole=True)
    return Figure(plots=(Plot(x=(x,), y=(Axis(name="candidates", whole=True),), marks=marks),))


def _value(out: Elimination) -> float | str | None:
    return in_words(out.measure, out.value) or short(out.value, 4)


def _rows(history: History, look: Look) -> Iterable[tuple[object, ...]]:
    """The candidates at a test: those that were dropped, with the numbers, and the best others."""
    out = {one.candidate: one for one in look.eliminated}
    stayed = 0
    for one in look.standing:
        gone = out.get(one.candidate)
        stayed += gone is None
        if gone is None and stayed > (1 if history.searching else 3):
            continue  # the best of those that stayed are enough to compare with
        numbers: tuple[object, ...] = (None,) * 5
        if gone is not None:
            numbers = (str(gone.reason), name_of(history, gone.against), gone.measure,
                       _value(gone), short(gone.threshold, 4))  # fmt: skip
        yield (look.number, look.instances, name_of(history, one.candidate),
               "left" if one.left else "stayed", short(one.mean_rank, 4), one.wins, one.losses,
               *numbers)  # fmt: skip


def budget(history: History) -> Picture:
    """The spending on winner, survivors and dropped candidates, and the rest."""
    parts, facts = spending(history), history.facts
    if not facts.counted:
        return nothing("budget", "Where the budget went", "Nothing has been spent yet.")
    lost = sum(part.evaluations for part in parts if part.name.startswith("dropped"))
    left, failed = facts.left.evaluations, sum(part.failed for part in parts)
    unspent = f" {left:.0f} evaluations are unspent." if math.isfinite(left) else ""
    paid = f" They were charged {listed(amounts(facts.paid))}." if facts.paid else ""
    units = sorted(facts.paid, key=lambda unit: unit != "usd")
    columns = ("part", "candidates", "evaluations", "seconds", "failed", *units)
    rows = [
        (part.name, part.candidates, part.evaluations, short(part.seconds, 4), part.failed,
         *(short(part.paid.get(unit, 0.0), 4) for unit in units))
        for part in parts
    ]  # fmt: skip
    return Picture(
        id="budget",
        title="Where the budget went",
        sentence=(
            f"{count(facts.counted, 'evaluation')} took {number(facts.seconds, 4)} s of target "
            f"time; {percent(lost / facts.counted)} went into candidates that were dropped"
            f"{f', and {failed} failed' if failed else ''}.{paid}{unspent}"
        ),
        reading=(
            "Parts of all evaluations and of all target time, by what became of the candidate. A "
            "large part for candidates that were dropped late means that they were hard to tell "
            "from the best."
        ),
        figure=_parts(rows, {"evaluations": 2, "target time": 3}
                      | {unit: 5 + k for k, unit in enumerate(units)}),
        table=table(columns, rows),
    )  # fmt: skip


def _parts(rows: list[tuple[Any, ...]], measures: dict[str, int]) -> Figure:
    """A bar of all parts for each measure, in percent."""
    known = {"winner": "winner", "other survivors": "survivor", "not decided": "waiting"}
    totals = [sum(row[k] for row in rows) or 1 for k in measures.values()]
    ends, marks, y = np.zeros(len(totals)), [], np.arange(len(totals))
    for at, row in enumerate(rows):
        begin = ends
        ends = ends + [100 * row[k] / of for k, of in zip(measures.values(), totals, strict=True)]
        colour = known.get(row[0], "grey0" if "later" in row[0] else "grey1")
        marks.append(
            Bars(x0=column(begin.tolist()), x1=column(ends.tolist()), y0=column(y - 0.36),
                 y1=column(y + 0.36), colour=colour, name=row[0], rows=(at,) * len(totals))
        )  # fmt: skip
    plot = Plot(x=(Axis(name="%", ends=(0.0, 100.0)),), y=(category(measures, reverse=True),),
                marks=tuple(marks), height=60 + 50 * len(totals))  # fmt: skip
    return Figure(plots=(plot,))


def workers(history: History) -> Picture:
    """Bars by worker and time, and the share of the workers that was busy."""
    found = timeline(history)
    if not len(found.start):
        return nothing("workers", "Workers", "The log does not say which worker ran what.")
    busy, span = found.busy(), max(found.span, 1e-9)
    single = len(found.start) <= BARS and len(found.workers) <= _ROWS
    said = (
        f"{count(len(found.workers), 'worker')}, busy "
        f"{percent(busy.sum() / (span * len(found.workers)))} of the time."
    )
    if not single:
        said += " Bars of single evaluations are left out, as there are too many."
    if found.unknown:
        said += f" {count(found.unknown, 'evaluation')} without a known start are left out."
    time = Axis(name="time", seconds=True, ends=(0.0, float(span)))
    share = found.utilisation(_BINS)
    middle = tuple(((np.arange(len(share)) + 0.5) * span / len(share)).tolist())
    line = Line(x=(middle,), y=(column((100 * share).tolist()),), colour="soft", filled=True,
                tip=(("", ("busy",) * len(share)),))  # fmt: skip
    plots = [Plot(x=(time,), y=(Axis(name="busy %", ends=(0.0, 100.0)),), marks=(line,),
                  name="how busy the workers are", height=200)]  # fmt: skip
    if single:
        plots.insert(0, _evaluations(history, found, time))
    tasks = np.bincount(found.worker, minlength=len(found.workers))
    return Picture(
        id="workers",
        title="Workers",
        sentence=said,
        reading=(
            "Each bar is an evaluation, from its start to its end. White gaps are idle time: "
            "workers wait when a row must be complete before the next test. Pauses between "
            "sessions are left out. Orange bars failed."
        ),
        figure=Figure(plots=tuple(plots), choose="Shown", wide=True),
        table=table(
            ("worker", "evaluations", "busy seconds", "busy share"),
            (
                (shown(name), int(tasks[k]), short(float(busy[k]), 4), percent(busy[k] / span))
                for k, name in enumerate(found.workers)
            ),
        ),
    )


def _evaluations(history: History, found: Timeline, time: Axis) -> Plot:
    fates = [
        "failed" if failed else history.fate(id)
        for id, failed in zip(found.candidate.tolist(), found.failed.tolist(), strict=True)
    ]
    marks = []
    for fate in (*FATES, "failed"):
        own = [k for k, one in enumerate(fates) if one == fate]
        if own:
            start, y = found.start[own], found.worker[own]
            tips = (found.candidate[own], found.step[own], found.seconds[own])
            names, steps, seconds = (one.tolist() for one in tips)
            marks.append(
                Bars(
                    x0=column(start.tolist()), x1=column((start + found.seconds[own]).tolist()),
                    y0=column((y - 0.36).tolist()), y1=column((y + 0.36).tolist()),
                    name=fate, colour="fail" if fate == "failed" else fate,
                    tip=(("candidate", tuple(name_of(history, id) for id in names)),
                         ("instance", tuple(refer(history.race.instance(s).name) for s in steps)),
                         ("seconds", tuple(short(s, 4) for s in seconds))),
                )
            )  # fmt: skip
    return Plot(
        x=(time,), y=(category([shown(name, 30) for name in found.workers], reverse=True),),
        marks=tuple(marks), name="evaluations", height=min(18 * len(found.workers) + 60, 560),
    )  # fmt: skip


def failures(history: History) -> Picture:
    """Failures by kind, with the ends of their messages."""
    found = history.failures
    if not found:
        return nothing("failures", "Failures", "Nothing failed.")
    total = sum(one.count for one in found)
    share = history.outcomes.failed.mean() if len(history.outcomes) else 1.0
    kept = found[:_KINDS]
    said = f"{count(total, 'failure')} of {count(len(found), 'kind')}; "
    said += f"{percent(share)} of all outcomes."
    if len(kept) < len(found):
        said += f" Shown: the {_KINDS} most frequent."
    return Picture(
        id="failures",
        title="Failures",
        sentence=said,
        reading=(
            "Failures with the same first line are counted together. Below is the end of the "
            "latest message of each kind, as the target wrote it."
        ),
        items=tuple(
            Item(
                text=f"{one.count} × {one.status} · {shown(one.first or one.status)}",
                about=f"end of the latest message ({_where(history, one.example)})",
                more=printable(one.end) or "(no message)",
            )
            for one in kept
        ),
        table=table(
            ("how", "first line", "count", "candidates", "latest"),
            (
                (one.status, one.first, one.count, len(one.candidates),
                 _where(history, one.example))
                for one in found
            ),
        ),
    )  # fmt: skip


def _where(history: History, key: tuple[int, int]) -> str:
    id, step = key
    name = name_of(history, id) if id in history.candidates else f"#{id}"
    return f"{name} on {refer(history.race.instance(step).name)}"
