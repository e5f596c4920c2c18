"""Configurations side by side, and their family tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from racing.base.words import count, number, refer
from racing.report import forms
from racing.report.forms import Axis, Line, Lines, Mark, Points, Texts, short
from racing.report.history import FATES, ORIGINS, History
from racing.report.parameters import Effect, effects
from racing.report.picture import Picture, by_fate, picture, plain, table

LINES = 1000
"""Configurations that are drawn; beyond it the ones that left first are not."""

_AXES, _LEVELS = 12, 12  # parameters that fit beside each other, and categories on an axis
_TREE = 1500
_OFF = -0.14  # where the line of a parameter runs that is not active
_LOOKS = {"waiting": (1.0, 0.5), "dropped": (1.0, 0.35), "survivor": (2.0, 0.9),
          "winner": (3.5, 0.95)}  # fmt: skip


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
    order, places = history.order, history.matrices.places
    kept = order[:LINES]
    spent = {one.candidate.id: one for one in history.expenses}
    found = table(
        ("candidate", "fate", "mean place", "runs", "failed",
         *(refer(one.name) for one in varying)),
        (
            (history.called(id), history.fate(id), short(places.get(id), 3), spent[id].evaluations,
             spent[id].failures,
             *(history.candidates[id].values.get(one.name) for one in varying))
            for id in kept
        ),
        note="" if len(kept) == len(order) else f"The best {len(kept)} of {len(order)}.",
    )  # fmt: skip
    axes = [one for one in varying if len(one.scale.levels or ()) <= _LEVELS][:_AXES]
    said = (
        f"{count(len(order), 'configuration')}, {count(len(varying), 'parameter')} that "
        f"{'differs' if len(varying) == 1 else 'differ'}. Mean place: 0 is best, 1 is worst."
    )
    if len(kept) < len(order):
        said += f" Drawn: the best {len(kept)}; {len(order) - len(kept)} were dropped before."
    if len(axes) < len(varying):
        said += f" Drawn: the {len(axes)} parameters that matter most by themselves."
    return Picture(sentence=said, figure=_parallel(history, kept, found.rows, axes), table=found)


def _parallel(
    history: History, ids: list[int], rows: Sequence[tuple[Any, ...]], shown: Sequence[Effect]
) -> forms.Figure:
    """Axes side by side from 0 to 1: the mean place, best on top, and parameters."""
    seats = [[None if row[2] is None else 1 - row[2] for row in rows]]
    for one in shown:
        values = (history.candidates[id].values.get(one.name) for id in ids)
        seats.append([_OFF if value is None else one.scale.share(value) for value in values])
    lines, across = list(zip(*seats, strict=True)), range(len(seats))
    marks: list[Mark] = [Line(x=(k, k), y=(0, 1), colour="soft", width=1) for k in across]
    for fate in FATES:
        if own := [k for k, row in enumerate(rows) if row[1] == fate][::-1]:
            width, opacity = _LOOKS[fate]
            marks.append(Lines(x=across, ys=[lines[k] for k in own], colour=fate, name=fate,
                               width=width, opacity=opacity, rows=own))  # fmt: skip
    if (default := history.baseline.id) in ids:
        marks.append(Lines(x=across, ys=[lines[ids.index(default)]], colour="ink", width=1.8,
                           dash="dashed", name="default"))  # fmt: skip
    names = [refer(name, 16) for name in ("mean place", *(one.name for one in shown))]
    ticks = [*_ticks(shown, [_OFF in seat for seat in seats])]
    x, y, texts = zip(*ticks, strict=True)
    marks += [
        Texts(x=across, y=[1.06] * len(names), angle=18, colour="ink", size=11, texts=names),
        Texts(x=x, y=y, texts=texts, dx=5, size=10, colour="soft"),
    ]
    x_axis = Axis(kind="hidden", ends=(0.0, float(max(across[-1], 1))))
    y_axis = Axis(kind="hidden", ends=(_OFF - 0.03, 1.05))
    return forms.figure(marks, x_axis, y_axis, height=420, least=78 * len(names), wide=True)


def _ticks(shown: Sequence[Effect], missing: Sequence[bool]) -> Iterator[tuple[int, float, str]]:
    """What stands beside the axes, and where."""
    yield from ((0, 1, "0"), (0, 0.5, "0.5"), (0, 0, "1"))
    for k, one in enumerate(shown, start=1):
        for value in one.scale.ticks():
            text = str(plain(value))
            if isinstance(value, float):
                whole = value.is_integer() and abs(value) < 1e7
                text = f"{value:.0f}" if whole else number(value, 4)
            yield k, one.scale.share(value), refer(text, 11)
        if missing[k]:
            yield k, _OFF, "not active"


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
    line, found = lineage(history), dict[int, Origin]()
    for place, (id, entrant) in enumerate(history.entrants.items(), start=1):
        up = found.get(entrant.candidate.parent) if entrant.candidate.parent is not None else None
        parent, generation = (None, 0) if up is None else (up.candidate, up.generation + 1)
        found[id] = Origin(place, id, parent, entrant.origin, generation, id in line)
    return tuple(found.values())


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
    line = [history.called(one.candidate) for one in found if one.ancestor]
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
    return Picture(
        sentence=said,
        figure=_tree(history, kept),
        table=table(
            ("number", "candidate", "parent", "origin", "generation", "fate"),
            (
                (one.number, history.called(one.candidate), _parent(history, one), one.origin,
                 one.generation, history.fate(one.candidate))
                for one in found
            ),
        ),
    )  # fmt: skip


def _parent(history: History, one: Origin) -> str | None:
    return None if one.parent is None else history.called(one.parent)


def _tree(history: History, kept: Sequence[Origin]) -> forms.Figure:
    """A point for each, and a broken line of all edges: those to the winner are thick."""
    known = {one.candidate: one for one in kept}
    marks: list[Mark] = []
    looks: dict[bool, Any] = {False: {"colour": "dropped", "width": 0.8, "opacity": 0.4},
                              True: {"width": 3.0, "name": "the winner's line"}}  # fmt: skip
    for ancestor, look in looks.items():
        pairs = [(known[one.parent], one) for one in kept
                 if one.parent in known and one.ancestor == ancestor]  # fmt: skip
        x = [v for up, one in pairs for v in (up.number, one.number, None)]
        y = [v for up, one in pairs for v in (up.generation, one.generation, None)]
        marks += [Line(x=x, y=y, **look)] if pairs else []
    points = Points(x=[one.number for one in kept], y=[one.generation for one in kept],
                    tip={"derived from": [_parent(history, one) for one in kept]})  # fmt: skip
    marks += by_fate(history, points, [one.candidate for one in kept])
    across, up = Axis("order of entry", whole=True), Axis("generation", whole=True, reverse=True)
    return forms.figure(marks, across, up, height=340, wide=True)
