"""Configurations: side by side, parameter by parameter, over time, and by descent."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from racing.analysis.explain.model import Model
from racing.base.errors import InputError, MissingExtra
from racing.base.words import count, number, percent
from racing.core.view import default_of
from racing.report.forms import (
    Axis,
    Bars,
    Column,
    Columns,
    Figure,
    Intervals,
    Line,
    Lines,
    Mark,
    Plot,
    Points,
    Texts,
    category,
    column,
    short,
    spread,
)
from racing.report.history import History
from racing.report.importance import importance as importance_of
from racing.report.names import name_of, order_of, refer, shown
from racing.report.origins import origins
from racing.report.parameters import Effect, effects, regions
from racing.report.pictures.picture import (
    FATES,
    DataTable,
    Picture,
    by_fate,
    nothing,
    plain,
    table,
)
from racing.report.scales import Scale
from racing.report.tally import Expense

LINES = 1000
"""Configurations that are drawn; beyond it the ones that left first are not."""

_AXES, _LEVELS = 12, 12  # parameters that fit beside each other, and categories on an axis
_POINTS, _PARAMETERS = 800, 20  # of the pictures of parameters
_TREE, _BARS = 1500, 15
_OFF = -0.14  # where the line of a parameter runs that is not active


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


def places(scale: Scale, ids: Sequence[int], values: dict[int, Any]) -> Column:
    """Where the values of candidates lie on an axis; categories are spread a little."""
    if scale.levels is None:
        return column(values.get(id) for id in ids)
    level = {repr(one): k for k, one in enumerate(scale.levels)}
    return tuple(
        level[repr(values[id])] + round(spread(id), 3) if id in values else None for id in ids
    )


def _drawn(found: Sequence[Effect]) -> tuple[list[int], dict[int, float]]:
    """The candidates that pictures of parameters show, and the mean place of each."""
    standing = {
        id: round(float(place), 3)
        for one in found
        for id, place in zip(one.ids, one.standing, strict=True)
    }
    ids = sorted(standing)
    return ids[:: -(-len(ids) // _POINTS)], standing


def _columns(found: Sequence[Effect], ids: Sequence[int]) -> tuple[tuple[Axis, ...], Columns]:
    """An axis for each parameter, and where the candidates lie on it."""
    shown = found[:_PARAMETERS]
    axes = tuple(value_axis(one.name, one.scale, one.values) for one in shown)
    pairs = (dict(zip(one.ids, one.values, strict=True)) for one in shown)
    return axes, tuple(
        places(one.scale, ids, values) for one, values in zip(shown, pairs, strict=True)
    )


def effects_of_parameters(history: History) -> Picture:
    """A point for each candidate: the parameter's value across, its mean place up."""
    found, worst = effects(history), regions(history)
    if not found:
        return nothing("effects", "Effects of parameters", "There is nothing to compare yet.")
    said = _strongest(found[0], len(found))
    if worst:
        said += (
            f" Runs fail most where {shown(worst[0].name)} {shown(worst[0].where)}: "
            f"{percent(worst[0].share)}, against {percent(worst[0].overall)} overall."
        )
    ids, standing = _drawn(found)
    axes, x = _columns(found, ids)
    failed = {one.candidate.id for one in history.facts.expenses if one.failures}
    up = Axis(name="mean place (top is best)", ends=(-0.02, 1.02), reverse=True)
    marks = by_fate(history, ids, x, (tuple(standing[id] for id in ids),), failed=failed)
    plot = Plot(x=axes, y=(up,), marks=marks, height=340, across="Parameter", spread=True)
    return Picture(
        id="effects",
        title="Effects of parameters",
        sentence=said,
        reading=(
            "Each point is a candidate; the best are on top (0: none on the same instances was "
            "better; 1: all were; instances that many ran on count more). Orange "
            "points failed at least once. A slope, or a category that lies higher, is an effect. "
            "The table says how much of the standing goes with a parameter "
            "by itself: effects that depend on other parameters do not show. Candidates that were "
            "dropped early have a place from few instances."
        ),
        figure=Figure(plots=(plot,)),
        table=table(
            ("parameter", "share of the differences in place", "fails where", "share failed",
             "runs there"),
            [
                *((one.name, percent(one.association), None, None, None) for one in found),
                *((one.name, None, one.where, percent(one.share), one.evaluations)
                  for one in worst),
            ],
        ),
    )  # fmt: skip


def _strongest(first: Effect, of: int) -> str:
    """Whether the parameter with the strongest association matters, corrected for their number."""
    if first.association < 0.05:
        return "No parameter by itself accounts for the differences in place (0 is best, 1 worst)."
    name, share = shown(first.name), percent(first.association)
    if of * first.chance > 0.05:
        return (
            f"No parameter is shown to matter by itself: {name} accounts for {share} of the "
            "differences in mean place (0 is best, 1 worst), which may be chance among "
            f"{count(len(first.ids), 'candidate')}."
        )
    most = "matters most" if of > 1 else "matters"
    return (
        f"{name} {most}: by itself it accounts for {share} of the differences in mean place "
        "(0 is best, 1 worst)."
    )


def map_of_two(history: History) -> Picture:
    """A point for each configuration, over the two parameters that go most with the standing."""
    id, title, found = "map", "Map of two parameters", effects(history)
    if len(found) < 2:
        return nothing(id, title, "Fewer than two parameters differ.")
    first, second = found[:2]
    across = dict(zip(second.ids, second.values, strict=True))
    rows = [
        (refer(history.candidates[id]), value, across[id], round(float(place), 3),
         history.fate(id))
        for id, value, place in zip(first.ids, first.values, first.standing, strict=True)
        if id in across
    ]  # fmt: skip
    return Picture(
        id=id,
        title=title,
        sentence=(
            f"{refer(first.name)} and {refer(second.name)} go most with the mean place; the map "
            f"shows {len(rows)} configurations that have both."
        ),
        reading=(
            "Each point is a configuration, at its values of two parameters; which two can be "
            "chosen. Dark is a good mean place, pale a bad one; the ring is the winner, the "
            "diamond the default. A dark corner says that the two matter together. The axes have "
            "the whole domain, so white space was not tried. Categories are spread a little."
        ),
        figure=_map(history, found),
        table=table(
            ("candidate", refer(first.name), refer(second.name), "mean place", "fate"), rows
        ),
    )


def _map(history: History, found: Sequence[Effect]) -> Figure:
    ids, standing = _drawn(found)
    ids = sorted(ids, key=lambda id: -standing[id])
    axes, x = _columns(found, ids)
    names = tuple(name_of(history, id) for id in ids)
    tip = (("candidate", names), ("mean place", tuple(standing[id] for id in ids)))
    turned = (*x[1:], x[0])
    dots = Points(x=x, y=turned, shades=tuple(standing[id] for id in ids), size=4.5, tip=tip,
                  name="a good mean place is dark")  # fmt: skip
    marks: list[Mark] = [dots]
    winner = history.facts.winner
    ringed: list[tuple[str, int, Any, str]] = [
        ("default", default_of(history.race).id, "diamond", "ink")
    ]
    if winner is not None:
        ringed.append(("winner", winner.id, "circle", "winner"))
    for name, id, symbol, colour in ringed:
        one = dict(zip(ids, range(len(ids)), strict=True)).get(id)
        if one is not None:
            seat = tuple((of[one],) for of in x)
            marks.append(
                Points(x=seat, y=(*seat[1:], seat[0]), symbol=symbol, colour=colour, size=7,
                       name=name, tip=(("candidate", (names[one],)), ("fate", (name,))))
            )  # fmt: skip
    return Figure(plots=(Plot(x=axes, y=(*axes[1:], axes[0]), marks=tuple(marks), height=380),))


def sampling(history: History) -> Picture:
    """A point for each configuration: its place in the order of entry, and its value."""
    id, title = "sampling", "Sampling over time"
    if not history.searching:
        return nothing(id, title, "A race does not sample: its candidates were given.")
    found, varying = origins(history), effects(history)
    if not varying:
        return nothing(id, title, "No configuration has been compared yet.")
    kept = found[:: (step := -(-len(found) // _POINTS))]
    ids = [one.candidate for one in kept]
    values = {one: dict(history.candidates[one].values) for one in ids}
    shown = varying[:_PARAMETERS]
    y = tuple(
        places(one.scale, ids, {id: of[one.name] for id, of in values.items() if one.name in of})
        for one in shown
    )
    axes = tuple(value_axis(one.name, one.scale, one.values) for one in shown)
    order = (column(one.number for one in kept),)
    origin = ("origin", tuple(one.origin for one in kept))
    plot = Plot(
        x=(Axis(name="order of entry", whole=True),), y=axes, height=340, up="Parameter",
        marks=by_fate(history, ids, order, y, tip=[origin]), spread=True,
    )  # fmt: skip
    drawn = sum(one.origin == "model" for one in found)
    first = varying[0].name
    return Picture(
        id=id,
        title=title,
        sentence=(
            f"{count(drawn, 'configuration')} of {len(found)} were drawn near an elite."
            + (f" Drawn here: every {step}th." if step > 1 else "")
        ),
        reading=(
            "From left to right in the order of entry. At the start the points fill the range; "
            "later they gather where the search expects the best. A parameter whose points stay "
            "spread out matters little, or is not settled yet."
        ),
        figure=Figure(plots=(plot,)),
        table=table(
            ("number", "candidate", refer(first), "origin"),
            (
                (one.number, refer(history.candidates[one.candidate]),
                 history.candidates[one.candidate].values.get(first), one.origin)
                for one in found
            ),
        ),
    )  # fmt: skip


def configurations(history: History) -> Picture:
    """A line for each configuration over the parameters that vary."""
    varying = effects(history)
    if not varying:
        why = "No instance is complete yet." if not history.facts.instances else (
            "The candidates that ran do not differ in a parameter."
        )  # fmt: skip
        return nothing("configurations", "Configurations", why)
    order = order_of(history)
    kept = order[:LINES]
    spent = {one.candidate.id: one for one in history.facts.expenses}
    rows = tuple(_row(history, spent[id], [one.name for one in varying]) for id in kept)
    axes = [one for one in varying if one.scale.levels is None or len(one.scale.levels) <= _LEVELS][
        :_AXES
    ]
    differ = "differs" if len(varying) == 1 else "differ"
    said = (
        f"{count(len(order), 'configuration')}, {count(len(varying), 'parameter')} that {differ}. "
        "Mean place: 0 is best, 1 is worst."
    )
    if len(kept) < len(order):
        said += f" Drawn: the best {len(kept)}; the other {len(order) - len(kept)} left before."
    if len(axes) < len(varying):
        said += f" Drawn: the {len(axes)} parameters that matter most by themselves."
    names = tuple(refer(one.name) for one in varying)
    return Picture(
        id="configurations",
        title="Configurations",
        sentence=said,
        reading=(
            "Each line is a configuration, the default is dashed. The leftmost axis is its mean "
            "place, best on top; a parameter that other values switch off is at `not active`. Drag "
            "along an axis to select a range: the other lines fade, and the table below shows only "
            "what is selected. Click to see all again. The search field does the same by text."
        ),
        figure=_parallel(history, kept, rows, axes),
        table=DataTable(
            columns=("candidate", "fate", "mean place", "runs", "failed", *names),
            rows=rows,
            note="" if len(kept) == len(order) else f"The best {len(kept)} of {len(order)}.",
        ),
    )


def _row(history: History, spent: Expense, names: list[str]) -> tuple[Any, ...]:
    matrices, one = history.matrices, spent.candidate
    place = matrices.standing[matrices.column[one.id]] if one.id in matrices.column else math.nan
    values = (plain(one.values.get(name)) for name in names)
    fate = history.fate(one.id)
    return refer(one), fate, short(float(place), 3), spent.evaluations, spent.failures, *values


def _parallel(
    history: History, ids: list[int], rows: Sequence[tuple[Any, ...]], shown: Sequence[Effect]
) -> Figure:
    """Axes side by side from 0 to 1: the mean place, best on top, and parameters."""
    seats = [tuple(None if row[2] is None else 1 - row[2] for row in rows)]
    for one in shown:
        values = (history.candidates[id].values.get(one.name) for id in ids)
        seats.append(tuple(_share(one.scale, value) for value in values))
    lines = list(zip(*seats, strict=True))
    across = tuple(map(float, range(len(seats))))
    default = default_of(history.race).id
    looks = {"waiting": (1.0, 0.5), "dropped": (1.0, 0.35), "survivor": (2.0, 0.9),
             "winner": (3.5, 0.95)}  # fmt: skip
    marks: list[Mark] = [Line(x=((k, k),), y=((0.0, 1.0),), colour="soft", width=1) for k in across]
    for fate in FATES:
        own = [k for k, row in enumerate(rows) if row[1] == fate]
        if own:
            marks.append(
                Lines(x=across, ys=tuple(lines[k] for k in reversed(own)), colour=fate, name=fate,
                      width=looks[fate][0], opacity=looks[fate][1], rows=tuple(reversed(own)))
            )  # fmt: skip
    if default in ids:
        marks.append(Lines(x=across, ys=(lines[ids.index(default)],), colour="ink", width=1.8,
                           dash="dashed", name="default"))  # fmt: skip
    names = ["mean place", *(refer(one.name) for one in shown)]
    marks.append(Texts(x=(across,), y=((1.06,) * len(names),), angle=18, colour="ink", size=11,
                       texts=tuple(refer(name, 16) for name in names)))  # fmt: skip
    marks.append(_ticks(shown, [_OFF in seat for seat in seats]))
    ends = (_OFF - 0.03, 1.05)
    plot = Plot(
        x=(Axis(kind="hidden", ends=(0.0, max(across[-1], 1.0))),),
        y=(Axis(kind="hidden", ends=ends),), marks=tuple(marks), height=420,
        least=78 * len(names),
    )  # fmt: skip
    return Figure(plots=(plot,), wide=True)


def _share(scale: Scale, value: Any) -> float:
    """Where a value lies from 0 to 1."""
    if value is None:
        return _OFF
    if scale.levels is not None:
        level = [repr(one) for one in scale.levels].index(repr(value))
        return round(level / max(len(scale.levels) - 1, 1), 4)
    assert scale.ends is not None
    low, high, at = (math.log(v) if scale.log else v for v in (*scale.ends, value))
    return round((at - low) / ((high - low) or 1), 4)


def _ticks(shown: Sequence[Effect], missing: Sequence[bool]) -> Texts:
    """What stands beside the axes."""
    found: list[tuple[float, float, str]] = [(0, 1, "0"), (0, 0.5, "0.5"), (0, 0, "1")]
    for k, one in enumerate(shown, start=1):
        for value in one.scale.levels or _round_values(one.scale):
            text = _brief(value) if isinstance(value, float) else str(plain(value))
            found.append((k, _share(one.scale, value), refer(text, 11)))
        if missing[k]:
            found.append((k, _OFF, "not active"))
    x, y, texts = zip(*found, strict=True)
    return Texts(x=(x,), y=(y,), texts=texts, dx=5, size=10, colour="soft")


def _brief(value: float) -> str:
    return f"{value:.0f}" if value.is_integer() and abs(value) < 1e7 else number(value, 4)


def _round_values(scale: Scale) -> list[float]:
    """The ends of a scale and some round values between; powers of ten of a logarithmic one."""
    assert scale.ends is not None
    low, high = map(float, scale.ends)
    if scale.log:
        first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
        tens = [10.0**k for k in range(first, last + 1)][:: (last - first) // 7 + 1]
        return tens if len(tens) > 1 else sorted({low, *tens, high})
    step = 10.0 ** math.floor(math.log10((high - low) / 2 or 1))
    while (high - low) / step > 6:
        step *= 2
    inner = (k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1))
    return [low, *(v for v in inner if min(v - low, high - v) > 0.6 * step), high]


def importance(history: History) -> Picture:
    """A bar for each parameter: its share of the variance, with the spread over the trees."""
    id, title = "importance", "Importance of parameters"
    try:
        found = importance_of(history)
    except (InputError, MissingExtra) as why:
        return nothing(id, title, f"No importance: {str(why).removesuffix('.')}.")
    quality = percent(max(found.forest.r2 or 0.0, 0.0))
    if found.forest.poor:
        poor = (
            f"The model explains {quality} of the differences between configurations that it was "
            "not fitted to: too little to say which parameters matter."
        )
        return nothing(id, title, poor)
    rows = [
        (refer(one.name), *(short(of, 3) for of in (one.main, one.spread, one.total, one.local)))
        for one in found.parameters
    ]
    return Picture(
        id=id,
        title=title,
        sentence=_most_important(found, quality),
        reading=(
            "A random forest is fitted to all configurations. A bar is the share of the variance "
            "of its predictions over the whole space that the parameter explains alone; the line "
            "is one standard deviation over the trees of the forest to either side. The pale part "
            "adds what it explains together with others. Near the winner: the share of what "
            "changes if only this parameter is moved away from it. A parameter that is the same in "
            "all configurations shows nothing here."
        ),
        figure=_bars(rows[:_BARS]),
        table=table(
            ("parameter", "alone", "± over trees", "with interactions", "near the winner"), rows
        ),
    )


def _bars(rows: Sequence[tuple[Any, ...]]) -> Figure:
    """Shares in percent: alone with their spread, in front of those with interactions."""
    at, (alone, spreads, total) = range(len(rows)), zip(*(row[1:4] for row in rows), strict=True)
    zeros, y0, y1 = (0.0,) * len(rows), tuple(k - 0.3 for k in at), tuple(k + 0.3 for k in at)
    bars = [
        Bars(x0=zeros, x1=tuple(100 * v for v in values), y0=y0, y1=y1, colour=colour, name=name,
             rows=tuple(at))
        for values, colour, name in ((total, "grey1", "with interactions"),
                                     (alone, "grey0", "alone"))
    ]  # fmt: skip
    pairs = list(zip(alone, spreads, strict=True))
    spread_over = Intervals(
        at=(tuple(map(float, at)),), low=(tuple(100 * max(a - s, 0.0) for a, s in pairs),),
        high=(tuple(100 * min(a + s, 1.0) for a, s in pairs),), colour="ink", width=1.4,
    )  # fmt: skip
    plot = Plot(
        x=(Axis(name="share of the variance, %", ends=(0.0, 100.0)),),
        y=(category([row[0] for row in rows], reverse=True),), marks=(*bars, spread_over),
        height=26 * len(rows) + 70,
    )  # fmt: skip
    return Figure(plots=(plot,))


def _most_important(found: Model, quality: str) -> str:
    first = found.parameters[0]
    said = (
        f"{refer(first.name)} matters most: it explains {percent(first.main)} of the variance "
        f"alone. The model explains {quality} of the differences between configurations that it "
        "was not fitted to."
    )
    if found.left_out:
        said += f" {found.left_out} that always failed are left out."
    if found.scale != "cost":
        said += f" It is fitted to {'ranks' if found.scale == 'rank' else 'logarithms of costs'}."
    return said


def family(history: History) -> Picture:
    """Configurations by entry and generation, joined to their parents."""
    found = origins(history)
    if not any(one.parent is not None for one in found):
        return nothing("family", "Family tree", "No candidate was derived from another one.")
    line = [name_of(history, one.candidate) for one in found if one.ancestor]
    kept = found
    if len(found) > _TREE:
        kept = tuple(one for one in found if one.ancestor or one.number > len(found) - _TREE)
    how = Counter(one.origin for one in found)
    said = (
        f"{count(len(found), 'configuration')} in "
        f"{count(max(one.generation for one in found) + 1, 'generation')} "
        f"({', '.join(f'{many} {name}' for name, many in how.most_common())})."
    )
    if len(line) > 1:
        said += f" The winner's line: {' → '.join(line)}."
    if len(kept) < len(found):
        said += f" Drawn: the winner's line and the last {_TREE}."
    return Picture(
        id="family",
        title="Family tree",
        sentence=said,
        reading=(
            "Each point is a configuration, from left to right in the order of entry; a line "
            "leads to the one it was derived from. The winner's ancestors are drawn thick. "
            "Branches that end are lines that were dropped."
        ),
        figure=_tree(history, kept),
        table=table(
            ("number", "candidate", "parent", "origin", "generation", "fate"),
            (
                (one.number, name_of(history, one.candidate),
                 None if one.parent is None else name_of(history, one.parent), one.origin,
                 one.generation, one.fate)
                for one in found
            ),
        ),
    )  # fmt: skip


def _tree(history: History, kept: Sequence[Any]) -> Figure:
    """A point for each, and a broken line of all edges: those to the winner are thick."""
    known = {one.candidate: one for one in kept}
    marks: list[Mark] = []
    for ancestor in (False, True):
        pairs = [(known[one.parent], one) for one in kept
                 if one.parent in known and one.ancestor == ancestor]  # fmt: skip
        x = tuple(v for up, one in pairs for v in (float(up.number), float(one.number), None))
        y = tuple(v for up, one in pairs for v in (up.generation, one.generation, None))
        if pairs:
            marks.append(
                Line(x=(x,), y=(y,), colour="winner" if ancestor else "dropped",
                     width=3 if ancestor else 0.8, opacity=1.0 if ancestor else 0.4,
                     name="the winner's line" if ancestor else "")
            )  # fmt: skip
    ids = [one.candidate for one in kept]
    parents = (None if one.parent is None else name_of(history, one.parent) for one in kept)
    points = by_fate(
        history, ids, (column(one.number for one in kept),),
        (column(one.generation for one in kept),), tip=[("derived from", tuple(parents))],
    )  # fmt: skip
    plot = Plot(
        x=(Axis(name="order of entry", whole=True),),
        y=(Axis(name="generation", whole=True, reverse=True),), marks=(*marks, *points),
        height=340,
    )  # fmt: skip
    return Figure(plots=(plot,), wide=True)
