"""Parameters: what their values do, where the search looked, and which ones matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from racing.analysis.explain.model import Model, fitted
from racing.base.errors import InputError, MissingExtra
from racing.base.words import count, percent, refer, shown
from racing.report.forms import (
    Axis,
    Bars,
    Column,
    Columns,
    Figure,
    Intervals,
    Line,
    Mark,
    Points,
    category,
    column,
    figure,
    short,
)
from racing.report.history import History
from racing.report.parameters import Effect, Scale, effects, regions
from racing.report.pictures.picture import Picture, by_fate, picture, plain, table

MOST = 3000
"""Configurations beyond which a page does not wait for a forest; `racing explain` does."""

_POINTS, _PARAMETERS, _BARS = 800, 20, 15
_SHARES = ("parameter", "alone", "±", "with interactions", "near the winner")


def value_axis(name: str, scale: Scale, values: Sequence[Any] = ()) -> Axis:
    """The axis of a parameter."""
    if scale.levels is not None:
        return category([plain(level) for level in scale.levels], name=refer(name))
    assert scale.ends is not None
    low, high = scale.ends
    whole = not scale.log and all(isinstance(v, int) for v in values)
    room = (high / low) ** 0.03 if scale.log else 0.03 * (high - low) or 0.5
    ends = (low / room, high * room) if scale.log else (low - room, high + room)
    return Axis(name=refer(name), kind="log" if scale.log else "linear", ends=ends, whole=whole)


def places(scale: Scale, ids: Sequence[int], values: dict[int, Any], *, axis: int = 0) -> Column:
    """Where the values of candidates lie on an axis.

    Categories are spread a little, on each axis by other shifts, so that cells of two are filled;
    the shift of a candidate is always the same.
    """
    if scale.levels is None:
        return column(values.get(id) for id in ids)
    shifts = np.random.default_rng(axis).uniform(-0.3, 0.3, max(ids, default=0) + 1).round(3)
    return tuple(scale.level(values[id]) + float(shifts[id]) if id in values else None
                 for id in ids)  # fmt: skip


def _axes(found: Sequence[Effect], ids: Sequence[int]) -> tuple[tuple[Axis, ...], Columns]:
    """An axis for each parameter, and where the candidates lie on it."""
    few = found[:_PARAMETERS]
    axes = tuple(value_axis(one.name, one.scale, one.values) for one in few)
    return axes, tuple(places(one.scale, ids, one.of, axis=k) for k, one in enumerate(few))


def _drawn(found: Sequence[Effect]) -> tuple[list[int], dict[int, float]]:
    """The candidates that pictures of parameters show, and the mean place of each."""
    pairs = (pair for one in found for pair in zip(one.of, one.standing, strict=True))
    standing = {id: round(float(place), 3) for id, place in pairs}
    ids = sorted(standing)
    return ids[:: -(-len(ids) // _POINTS)], standing


@picture("effects", "Effects of parameters")
def effects_of_parameters(history: History) -> Picture | str:
    """Each point is a candidate; the best are on top (0: none on the same instances was better; 1:
    all were; instances that many ran on count more). Orange points failed at least once. A slope,
    or a category that lies higher, is an effect. The table says how much of the standing goes with
    a parameter by itself: effects that depend on other parameters do not show. Candidates that
    were dropped early have a place from few instances. The line, of categories the diamonds, is the
    mean place in a part of the values, with its 95 % interval.
    """
    found, worst = effects(history), regions(history)
    if not found:
        return "There is nothing to compare yet."
    said = _strongest(found[0], len(found))
    if worst:
        said += (
            f" Runs fail most where {shown(worst[0].name)} {shown(worst[0].where)}: "
            f"{percent(worst[0].share)}, against {percent(worst[0].overall)} overall."
        )
    ids, standing = _drawn(found)
    axes, x = _axes(found, ids)
    failed = {one.candidate.id for one in history.expenses if one.failures}
    up = Axis(name="mean place (top is best)", ends=(-0.02, 1.02), reverse=True)
    marks = by_fate(history, ids, x, (tuple(standing[id] for id in ids),), failed=failed)
    for k, one in enumerate(found[:_PARAMETERS]):
        marks += _dependence(one, k, len(axes))
    shares = [(one.name, percent(one.association), None, None, None) for one in found]
    fails = [(one.name, None, one.where, percent(one.share), one.evaluations) for one in worst]
    return Picture(
        sentence=said,
        figure=figure(marks, axes, up, height=340, across="Parameter", spread=True),
        table=table(
            ("parameter", "share of the differences in place", "fails where", "share failed",
             "runs there"), (*shares, *fails),
        ),
    )  # fmt: skip


def _dependence(one: Effect, choice: int, of: int) -> list[Mark]:
    """Mean places with their intervals; they have a place in one choice of the axis only."""
    if not (parts := [*one.dependence()]):
        return []
    at, mean, low, high = zip(*parts, strict=True)
    x: Columns = tuple(at if k == choice else (None,) * len(at) for k in range(of))
    name = "mean place, 95 % interval"
    tip = (("95 % from", tuple(short(v, 3) for v in low)), ("to", tuple(short(v, 3) for v in high)))
    if one.kind == "number":
        return [Line(x=x, y=(mean,), low=(low,), high=(high,), colour="ink", dots=True, name=name,
                     tip=tip)]  # fmt: skip
    return [
        Intervals(along="y", at=x, low=(low,), high=(high,), colour="ink"),
        Points(x=x, y=(mean,), symbol="diamond", colour="ink", size=5, name=name, tip=tip),
    ]


def _strongest(first: Effect, of: int) -> str:
    """Whether the parameter with the strongest association matters, corrected for their number."""
    if first.association < 0.05:
        return "No parameter by itself accounts for the differences in place (0 is best, 1 worst)."
    name, share = shown(first.name), percent(first.association)
    if of * first.chance > 0.05:
        return (
            f"No parameter is shown to matter by itself: {name} accounts for {share} of the "
            "differences in mean place (0 is best, 1 worst), which may be chance among "
            f"{count(len(first.of), 'candidate')}."
        )
    most = "matters most" if of > 1 else "matters"
    return (
        f"{name} {most}: by itself it accounts for {share} of the differences in mean place "
        "(0 is best, 1 worst)."
    )


@picture("map", "Map of two parameters")
def map_of_two(history: History) -> Picture | str:
    """Each point is a configuration, at its values of two parameters; which two can be chosen. Dark
    is a good mean place, pale a bad one; the ring is the winner, the diamond the default. A dark
    corner says that the two matter together. The axes have the whole domain, so white space was
    not tried. Categories are spread a little.
    """
    found = effects(history)
    if len(found) < 2:
        return "Fewer than two parameters differ."
    first, second = found[:2]
    names = refer(first.name), refer(second.name)
    rows = [
        (history.name(id), value, second.of[id], round(float(place), 3), history.fate(id))
        for (id, value), place in zip(first.of.items(), first.standing, strict=True)
        if id in second.of
    ]
    return Picture(
        sentence=(
            f"{names[0]} and {names[1]} go most with the mean place; the map "
            f"shows {len(rows)} configurations that have both."
        ),
        figure=_map(history, found),
        table=table(("candidate", *names, "mean place", "fate"), rows),
    )


def _map(history: History, found: Sequence[Effect]) -> Figure:
    ids, standing = _drawn(found)
    ids = sorted(ids, key=lambda id: -standing[id])
    axes, x = _axes(found, ids)
    shades = tuple(standing[id] for id in ids)
    tip = (("candidate", tuple(map(history.name, ids))), ("mean place", shades))
    marks: list[Mark] = [Points(x=x, y=_turned(x), shades=shades, size=4.5, tip=tip,
                                name="a good mean place is dark")]  # fmt: skip
    winner = [] if history.winner is None else [history.winner.id]
    ringed: tuple[Any, ...] = (("default", [history.default.id], "diamond", "ink"),
                               ("winner", winner, "circle", "winner"))  # fmt: skip
    for name, one, symbol, colour in ringed:
        if one and one[0] in ids:
            seat = tuple((of[ids.index(one[0])],) for of in x)
            told = (("candidate", (history.name(one[0]),)), ("fate", (name,)))
            marks.append(Points(x=seat, y=_turned(seat), symbol=symbol, colour=colour, size=7,
                                name=name, tip=told))  # fmt: skip
    return figure(marks, axes, _turned(axes), height=380)


def _turned(choices: tuple[Any, ...]) -> tuple[Any, ...]:
    """The choices of the other axis: they begin with the second."""
    return (*choices[1:], choices[0])


@picture("sampling", "Sampling over time")
def sampling(history: History) -> Picture | str:
    """From left to right in the order of entry. At the start the points fill the range; later they
    gather where the search expects the best. A parameter whose points stay spread out matters
    little, or is not settled yet.
    """
    if not history.searching:
        return "A race does not sample: its candidates were given."
    varying, entered = effects(history), list(enumerate(history.entrants.values(), start=1))
    if not varying:
        return "No configuration has been compared yet."
    kept = entered[:: (step := -(-len(entered) // _POINTS))]
    ids, few = [one.candidate.id for _, one in kept], varying[:_PARAMETERS]
    y = tuple(
        places(effect.scale, ids, {one.candidate.id: one.candidate.values[effect.name]
                                   for _, one in kept if effect.name in one.candidate.values})
        for effect in few
    )  # fmt: skip
    tip = [("origin", tuple(one.origin for _, one in kept))]
    marks = by_fate(history, ids, (column(number for number, _ in kept),), y, tip=tip)
    drawn, first = sum(one.origin == "model" for _, one in entered), varying[0].name
    return Picture(
        sentence=(
            f"{count(drawn, 'configuration')} of {len(entered)} were drawn near an elite."
            + (f" Drawn here: every {step}th." if step > 1 else "")
        ),
        figure=figure(marks, Axis(name="order of entry", whole=True), _axes(few, ids)[0],
                      height=340, up="Parameter", spread=True),
        table=table(
            ("number", "candidate", refer(first), "origin"),
            ((number, refer(one.candidate), one.candidate.values.get(first), one.origin)
             for number, one in entered),
        ),
    )  # fmt: skip


def importance(history: History) -> Model:
    """The forest of `racing explain` of all configurations of a finished run.

    Raises
    ------
    InputError
        If there is none: why.
    MissingExtra
        If scikit-learn is not installed.
    """
    space, winner, candidates = history.space, history.winner, tuple(history.candidates.values())
    if space is None:
        raise InputError("the scenario has no space")
    if history.stopped is None or winner is None:
        raise InputError("it is measured when the run is over and has a winner")
    if len(candidates) > MOST:
        raise InputError(
            f"{len(candidates)} configurations take too long for a page; use `racing explain`"
        )
    outcomes, place = history.outcomes, {one.id: k for k, one in enumerate(candidates)}
    costs = np.full((1 + int(outcomes.step.max(initial=0)), len(place)), np.nan)
    costs[outcomes.step, [place[id] for id in outcomes.candidate.tolist()]] = outcomes.cost
    header = history.header
    return fitted(
        space, candidates, costs, objective=header.objective, near=winner, seed=header.seed
    )


@picture("importance", "Importance of parameters")
def importances(history: History) -> Picture | str:
    """A bar is the share of the variance over the whole space that a parameter explains alone, by a
    random forest of all configurations; the line is one standard deviation over its trees to
    either side. The pale part adds what it explains together with others. Near the winner: the
    share of what changes if only this parameter is moved away from it. Where there is no forest, a
    bar is the share of the differences in mean place that goes with the parameter by itself, and
    the line one standard error (jackknife). A parameter that is the same in all configurations
    shows nothing here.
    """
    try:
        found = importance(history)
    except (InputError, MissingExtra) as why:
        return _first_order(history, f"No model: {str(why).removesuffix('.')}.")
    quality = percent(max(found.r2, 0.0))
    explains = f"The model explains {quality} of the differences between configurations that it was"
    if found.poor:
        return f"{explains} not fitted to: too little to say which parameters matter."
    rows = [
        (refer(one.name), *(short(of, 3) for of in (one.main, one.spread, one.total, one.local)))
        for one in found.parameters
    ]
    first = found.parameters[0]
    said = (
        f"{refer(first.name)} matters most: it explains {percent(first.main)} of the variance "
        f"alone. {explains} not fitted to."
    )
    if found.left_out:
        said += f" {found.left_out} that always failed are left out."
    if found.scale != "cost":
        said += f" It is fitted to {'ranks' if found.scale == 'rank' else 'logarithms of costs'}."
    return Picture(sentence=said, figure=_bars(rows[:_BARS]), table=table(_SHARES, rows))


def _first_order(history: History, why: str) -> Picture | str:
    """The share of the differences in mean place that goes with each parameter by itself."""
    found = effects(history)
    if len(found) < 2:
        return why
    rows = [(refer(one.name), short(one.association, 3), short(one.spread(), 3), None, None)
            for one in found]  # fmt: skip
    return Picture(
        sentence=f"{_strongest(found[0], len(found))} {why}",
        figure=_bars(rows[:_BARS], "share of the differences in place, %"),
        table=table(_SHARES, rows),
    )  # fmt: skip


def _bars(rows: Sequence[tuple[Any, ...]], along: str = "share of the variance, %") -> Figure:
    """Shares in percent: alone with their spread, in front of those with interactions."""
    at, (alone, spreads, total) = range(len(rows)), zip(*(row[1:4] for row in rows), strict=True)
    zeros, y0, y1 = (0.0,) * len(rows), tuple(k - 0.3 for k in at), tuple(k + 0.3 for k in at)
    bars = [
        Bars(x0=zeros, x1=tuple(100 * v for v in values), y0=y0, y1=y1, colour=colour, name=name,
             rows=tuple(at))
        for values, colour, name in ((total, "grey1", "with interactions"),
                                     (alone, "grey0", "alone"))
        if None not in values
    ]  # fmt: skip
    pairs = [(a, 0.0 if s is None else s) for a, s in zip(alone, spreads, strict=True)]
    spread_over = Intervals(
        at=(tuple(map(float, at)),), low=(tuple(100 * max(a - s, 0.0) for a, s in pairs),),
        high=(tuple(100 * min(a + s, 1.0) for a, s in pairs),), colour="ink", width=1.4,
    )  # fmt: skip
    return figure(
        (*bars, spread_over), Axis(name=along, ends=(0.0, 100.0)),
        category([row[0] for row in rows], reverse=True), height=26 * len(rows) + 70,
    )  # fmt: skip
