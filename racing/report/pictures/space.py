"""Parameters: what their values do, where the search looked, and which ones matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from racing.analysis.explain.model import Model, fitted
from racing.base.errors import InputError, MissingExtra
from racing.base.words import count, percent, refer, shown
from racing.report import forms
from racing.report.forms import Axis, Bars, Columns, Intervals, Line, Mark, Points, short
from racing.report.history import History
from racing.report.parameters import Effect, effects, regions
from racing.report.picture import Picture, by_fate, picture, table

MOST = 3000
"""Configurations beyond which a page does not wait for a forest; `racing explain` does."""

_POINTS, _PARAMETERS, _BARS = 800, 20, 15
_SHARES = ("parameter", "alone", "±", "with interactions", "near the winner")


def _axes(found: Sequence[Effect], ids: Sequence[int]) -> tuple[tuple[Axis, ...], Columns]:
    """An axis for each parameter, and where the candidates lie on it."""
    few = found[:_PARAMETERS]
    axes = tuple(one.scale.axis(refer(one.name), one.values) for one in few)
    return axes, tuple(one.scale.places(ids, one.of, axis=k) for k, one in enumerate(few))


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
    up = Axis("mean place (top is best)", ends=(-0.02, 1.02), reverse=True)
    marks = by_fate(history, Points(x=x, y=[standing[id] for id in ids]), ids, failed=failed)
    for k, one in enumerate(found[:_PARAMETERS]):
        marks += _dependence(one, k, len(axes))
    shares = [(one.name, percent(one.association), None, None, None) for one in found]
    fails = [(one.name, None, one.where, percent(one.share), one.evaluations) for one in worst]
    return Picture(
        sentence=said,
        figure=forms.figure(marks, axes, up, height=340, across="Parameter", spread=True),
        table=table(
            ("parameter", "share of the differences in place", "fails where", "share failed",
             "runs there"), (*shares, *fails),
        ),
    )  # fmt: skip


def _dependence(one: Effect, choice: int, of: int) -> Iterator[Mark]:
    """Mean places with their intervals; they have a place in one choice of the axis only."""
    if not (parts := [*one.dependence()]):
        return
    at, mean, low, high = zip(*parts, strict=True)
    x = [at if k == choice else (None,) * len(at) for k in range(of)]
    tip = {"95 % from": [short(v, 3) for v in low], "to": [short(v, 3) for v in high]}
    told: Any = {"colour": "ink", "name": "mean place, 95 % interval", "tip": tip}
    if one.kind == "number":
        yield Line(x=x, y=mean, low=low, high=high, dots=True, **told)
    else:
        yield Intervals(along="y", at=x, low=low, high=high, colour="ink")
        yield Points(x=x, y=mean, symbol="diamond", size=5, **told)


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
    return (
        f"{name} matters{' most' if of > 1 else ''}: by itself it accounts for {share} of the "
        "differences in mean place (0 is best, 1 worst)."
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
        (history.called(id), value, second.of[id], round(float(place), 3), history.fate(id))
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


def _map(history: History, found: Sequence[Effect]) -> forms.Figure:
    """All of them by their mean place, the winner and the default; y begins with the second."""
    ids, standing = _drawn(found)
    ids = sorted(ids, key=lambda id: -standing[id])
    axes, x = _axes(found, ids)
    shades, names = [standing[id] for id in ids], [*map(history.called, ids)]
    marks = [Points(x=x, y=_turned(x), shades=shades, size=4.5, name="a good mean place is dark",
                    tip={"candidate": names, "mean place": shades})]  # fmt: skip
    looks: dict[str, Any] = {"default": {"symbol": "diamond", "colour": "ink"}, "winner": {}}
    for name, one in (("default", history.baseline), ("winner", history.winner)):
        if one is not None and one.id in ids:
            seat = [[of[ids.index(one.id)]] for of in x]
            tip = {"candidate": [history.called(one.id)], "fate": [name]}
            marks.append(Points(x=seat, y=_turned(seat), size=7, name=name, tip=tip, **looks[name]))
    return forms.figure(marks, axes, _turned(axes), height=380)


def _turned(choices: Sequence[Any]) -> tuple[Any, ...]:
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
    varying, entered = effects(history), list(history.entrants.values())
    if not varying:
        return "No configuration has been compared yet."
    step = -(-len(entered) // _POINTS)
    kept, first = entered[::step], varying[0].name
    ids = [one.candidate.id for one in kept]
    y = [
        effect.scale.places(ids, {one.candidate.id: one.candidate.values[effect.name]
                                  for one in kept if effect.name in one.candidate.values})
        for effect in varying[:_PARAMETERS]
    ]  # fmt: skip
    points = Points(x=range(1, len(entered) + 1, step), y=y,
                    tip={"origin": [one.origin for one in kept]})  # fmt: skip
    drawn = count(sum(one.origin == "model" for one in entered), "configuration")
    said = f"{drawn} of {len(entered)} were drawn near an elite."
    across, up = Axis("order of entry", whole=True), _axes(varying, ids)[0]
    return Picture(
        sentence=said + (f" Drawn here: every {step}th." if step > 1 else ""),
        figure=forms.figure(by_fate(history, points, ids), across, up, height=340, up="Parameter",
                            spread=True),
        table=table(
            ("number", "candidate", refer(first), "origin"),
            ((number, refer(one.candidate), one.candidate.values.get(first), one.origin)
             for number, one in enumerate(entered, start=1)),
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
    if (penalty := history.race.failures.cost) is not None:
        costs[np.isinf(costs)] = penalty
    how: Any = {"objective": history.objective, "seed": history.seed}
    return fitted(space, candidates, costs, near=winner, **how)


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
    except (InputError, MissingExtra) as error:
        why, varying = f"No model: {str(error).removesuffix('.')}.", effects(history)
        if len(varying) < 2:
            return why
        rows: list[Any] = [(refer(one.name), short(one.association, 3), short(one.spread(), 3),
                            None, None) for one in varying]  # fmt: skip
        said = f"{_strongest(varying[0], len(varying))} {why}"
        return _bars(said, rows, "share of the differences in place, %")
    quality, first = percent(max(found.r2, 0.0)), found.parameters[0]
    explains = f"The model explains {quality} of the differences between configurations that it was"
    if found.poor:
        return f"{explains} not fitted to: too little to say which parameters matter."
    rows = [
        (refer(one.name), *(short(of, 3) for of in (one.main, one.spread, one.total, one.local)))
        for one in found.parameters
    ]
    said = (
        f"{refer(first.name)} matters most: it explains {percent(first.main)} of the variance "
        f"alone. {explains} not fitted to."
    )
    if found.left_out:
        said += f" {found.left_out} that always failed are left out."
    if found.scale != "cost":
        said += f" It is fitted to {'ranks' if found.scale == 'rank' else 'logarithms of costs'}."
    return _bars(said, rows, "share of the variance, %")


def _bars(said: str, rows: Sequence[tuple[Any, ...]], along: str) -> Picture:
    """Shares in percent: alone with their spread, in front of those with interactions."""
    names, alone, spreads, total, _ = zip(*rows[:_BARS], strict=True)
    at = range(len(names))
    looks = (total, "grey1", "with interactions"), (alone, "grey0", "alone")
    bars = [
        Bars(x0=[0] * len(names), x1=[100 * v for v in values], y0=[k - 0.3 for k in at],
             y1=[k + 0.3 for k in at], colour=colour, name=name, rows=at)
        for values, colour, name in looks if None not in values
    ]  # fmt: skip
    ends = [(100 * max(a - (s or 0.0), 0.0), 100 * min(a + (s or 0.0), 1.0))
            for a, s in zip(alone, spreads, strict=True)]  # fmt: skip
    low, high = zip(*ends, strict=True)
    lines = Intervals(at=at, low=low, high=high, colour="ink", width=1.4)
    drawn = forms.figure(
        [*bars, lines], Axis(along, ends=(0.0, 100.0)), forms.category(names, reverse=True),
        height=26 * len(names) + 70,
    )  # fmt: skip
    return Picture(sentence=said, figure=drawn, table=table(_SHARES, rows))
