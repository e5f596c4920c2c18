"""Configurations side by side, and their family tree."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from racing.base.words import count, number, refer
from racing.report.forms import Axis, Figure, Line, Lines, Mark, Texts, column, figure
from racing.report.history import FATES, ORIGINS, History
from racing.report.parameters import Effect, Scale, effects
from racing.report.pictures.picture import Picture, by_fate, picture, plain, table

LINES = 1000
"""Configurations that are drawn; beyond it the ones that left first are not."""

_AXES, _LEVELS = 12, 12  # parameters that fit beside each other, and categories on an axis
_TREE = 1500
_OFF = -0.14  # where the line of a parameter runs that is not active


@picture("configurations", "Configurations")
def configurations(history: History) -> Picture | str:
    """Each line is a configuration, the default is dashed. The leftmost axis is its mean place,
    best on top; a parameter that other values switch off is at `not active`. Drag along an axis to
    select a range: the other lines fade, and the table below shows only what is selected. Click to
    see all again. The search field does the same by text.
    """
    varying = effects(history)
    if not varying:
        if not history.race.instances_seen:
            return "No instance is complete yet."
        return "The candidates that ran do not differ in a parameter."
    order = history.order
    kept, matrices = order[:LINES], history.matrices
    spent = {one.candidate.id: one for one in history.expenses}
    found = table(
        ("candidate", "fate", "mean place", "runs", "failed",
         *(refer(one.name) for one in varying)),
        (
            (history.name(id), history.fate(id), place and float(f"{place:.3g}"),
             spent[id].evaluations, spent[id].failures,
             *(history.candidates[id].values.get(one.name) for one in varying))
            for id in kept
            for place in [matrices.standing[matrices.column[id]] if id in matrices.column else None]
        ),
        note="" if len(kept) == len(order) else f"The best {len(kept)} of {len(order)}.",
    )  # fmt: skip
    axes = [one for one in varying if len(one.scale.levels or ()) <= _LEVELS][:_AXES]
    differ = "differs" if len(varying) == 1 else "differ"
    said = (
        f"{count(len(order), 'configuration')}, {count(len(varying), 'parameter')} that {differ}. "
        "Mean place: 0 is best, 1 is worst."
    )
    if len(kept) < len(order):
        said += f" Drawn: the best {len(kept)}; {len(order) - len(kept)} were dropped before."
    if len(axes) < len(varying):
        said += f" Drawn: the {len(axes)} parameters that matter most by themselves."
    return Picture(sentence=said, figure=_parallel(history, kept, found.rows, axes), table=found)


def _parallel(
    history: History, ids: list[int], rows: Sequence[tuple[Any, ...]], shown: Sequence[Effect]
) -> Figure:
    """Axes side by side from 0 to 1: the mean place, best on top, and parameters."""
    seats = [tuple(None if row[2] is None else 1 - row[2] for row in rows)]
    for one in shown:
        values = (history.candidates[id].values.get(one.name) for id in ids)
        seats.append(tuple(_share(one.scale, value) for value in values))
    lines, across = list(zip(*seats, strict=True)), tuple(map(float, range(len(seats))))
    looks = {"waiting": (1.0, 0.5), "dropped": (1.0, 0.35), "survivor": (2.0, 0.9),
             "winner": (3.5, 0.95)}  # fmt: skip
    marks: list[Mark] = [Line(x=((k, k),), y=((0.0, 1.0),), colour="soft", width=1) for k in across]
    for fate in FATES:
        own = [k for k, row in enumerate(rows) if row[1] == fate][::-1]
        if own:
            marks.append(
                Lines(x=across, ys=tuple(lines[k] for k in own), colour=fate, name=fate,
                      width=looks[fate][0], opacity=looks[fate][1], rows=tuple(own))
            )  # fmt: skip
    if (default := history.default.id) in ids:
        marks.append(Lines(x=across, ys=(lines[ids.index(default)],), colour="ink", width=1.8,
                           dash="dashed", name="default"))  # fmt: skip
    names = tuple(refer(name, 16) for name in ("mean place", *(one.name for one in shown)))
    marks.append(Texts(x=(across,), y=((1.06,) * len(names),), angle=18, colour="ink", size=11,
                       texts=names))  # fmt: skip
    marks.append(_ticks(shown, [_OFF in seat for seat in seats]))
    x_axis = Axis(kind="hidden", ends=(0.0, max(across[-1], 1.0)))
    y_axis = Axis(kind="hidden", ends=(_OFF - 0.03, 1.05))
    return figure(marks, x_axis, y_axis, height=420, least=78 * len(names), wide=True)


def _share(scale: Scale, value: Any) -> float:
    """Where a value lies from 0 to 1."""
    if value is None:
        return _OFF
    if scale.levels is not None:
        return round(scale.level(value) / max(len(scale.levels) - 1, 1), 4)
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


class Origin(NamedTuple):
    """The origin of a candidate.

    Attributes
    ----------
    number
        Its place in the order of entry, from 1.
    candidate, parent
        Its id, and that of the candidate that it was derived from; None without one.
    origin
        As in `racing.core.decider.Entrant`: `given`, `joined`, `sobol`, `model`, ….
    generation
        0 without a parent, else one more than its parent's.
    ancestor
        Whether the winner descends from it.
    """

    number: int
    candidate: int
    parent: int | None
    origin: str
    generation: int
    ancestor: bool


def origins(history: History) -> tuple[Origin, ...]:
    """All candidates in the order of entry."""
    generation: dict[int, int] = {}
    line, found = lineage(history), []
    for place, (id, entrant) in enumerate(history.entrants.items(), start=1):
        up = entrant.candidate.parent
        up = up if up in generation else None
        generation[id] = 0 if up is None else generation[up] + 1
        found.append(Origin(place, id, up, entrant.origin, generation[id], id in line))
    return tuple(found)


def lineage(history: History) -> tuple[int, ...]:
    """The winner's ancestors, the oldest first, then the winner; () without a winner."""
    line: list[int] = []
    one = history.winner
    while one is not None and one.id not in line:
        line.append(one.id)
        one = history.candidates.get(one.parent) if one.parent is not None else None
    return tuple(reversed(line))


@picture("family", "Family tree")
def family(history: History) -> Picture | str:
    """Each point is a configuration, from left to right in the order of entry; a line leads to the
    one it was derived from. The winner's ancestors are drawn thick. Branches that end are lines
    that were dropped.
    """
    found = origins(history)
    if not any(one.parent is not None for one in found):
        return "No candidate was derived from another one."
    line = [history.name(one.candidate) for one in found if one.ancestor]
    kept = [one for one in found if one.ancestor or one.number > len(found) - _TREE]
    how = Counter(one.origin for one in found).most_common()
    said = (
        f"{count(len(found), 'configuration')} in "
        f"{count(max(one.generation for one in found) + 1, 'generation')} "
        f"({', '.join(f'{many} {ORIGINS.get(name, name)}' for name, many in how)})."
    )
    if len(line) > 1:
        said += f" The winner's line: {' → '.join(line)}."
    if len(kept) < len(found):
        said += f" Drawn: the winner's line and the last {_TREE}."
    parents = [None if one.parent is None else history.name(one.parent) for one in found]
    return Picture(
        sentence=said,
        figure=_tree(history, kept),
        table=table(
            ("number", "candidate", "parent", "origin", "generation", "fate"),
            (
                (one.number, history.name(one.candidate), parent, one.origin, one.generation,
                 history.fate(one.candidate))
                for one, parent in zip(found, parents, strict=True)
            ),
        ),
    )  # fmt: skip


def _tree(history: History, kept: Sequence[Origin]) -> Figure:
    """A point for each, and a broken line of all edges: those to the winner are thick."""
    known = {one.candidate: one for one in kept}
    marks: list[Mark] = []
    for ancestor, looks in ((False, {"colour": "dropped", "width": 0.8, "opacity": 0.4}),
                            (True, {"width": 3.0, "name": "the winner's line"})):  # fmt: skip
        pairs = [(known[one.parent], one) for one in kept
                 if one.parent in known and one.ancestor == ancestor]  # fmt: skip
        x = tuple(v for up, one in pairs for v in (float(up.number), float(one.number), None))
        y = tuple(v for up, one in pairs for v in (up.generation, one.generation, None))
        if pairs:
            marks.append(Line(x=(x,), y=(y,), **looks))  # type: ignore[arg-type]
    parents = (None if one.parent is None else history.name(one.parent) for one in kept)
    marks += by_fate(
        history, [one.candidate for one in kept], (column(one.number for one in kept),),
        (column(one.generation for one in kept),), tip=[("derived from", tuple(parents))],
    )  # fmt: skip
    up = Axis(name="generation", whole=True, reverse=True)
    return figure(marks, Axis(name="order of entry", whole=True), up, height=340, wide=True)
