"""A picture: words, a figure, and the table behind it; and what many pictures are made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from racing.base.words import shown
from racing.report import forms
from racing.report.history import FATES, History

LOOKS = {fate: {"name": fate, "colour": fate} for fate in FATES}
"""How the marks of a fate look."""
FAILED = {"name": "failed", "colour": "fail", "symbol": "triangle"}
MOST_ROWS = 500
"""Rows of a table in a page; `racing export` has all."""

P = ParamSpec("P")


@dataclass(frozen=True)
class DataTable:
    """The numbers behind a picture.

    Attributes
    ----------
    columns
        Names of columns.
    rows
        Numbers, text, or None for nothing.
    note
        What was left out; empty if nothing was.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""

    def column(self, place: int, among: Iterable[int] | None = None) -> list[Any]:
        """The cells of a column, of some rows or all."""
        rows = range(len(self.rows)) if among is None else among
        return [self.rows[k][place] for k in rows]

    def told(self, among: Sequence[int] | None = None) -> dict[str, Any]:
        """What a mark tells of its items, which are these rows.

        Rows that a page leaves out are told by the mark itself.
        """
        rows = range(len(self.rows)) if among is None else among
        if len(self.rows) <= MOST_ROWS:
            return {"rows": rows}
        return {"tip": {name: self.column(k, rows) for k, name in enumerate(self.columns)}}

    def for_page(self) -> DataTable:
        """Not too many rows, and a note about the others."""
        if self.note or len(self.rows) <= MOST_ROWS:
            return self
        note = f"The first {MOST_ROWS} of {len(self.rows)} rows; `racing export` writes all."
        return replace(self, rows=self.rows[:MOST_ROWS], note=note)


def table(columns: Sequence[str], rows: Iterable[Iterable[Any]], note: str = "") -> DataTable:
    """A table of plain cells."""
    return DataTable(tuple(columns), tuple(tuple(map(plain, row)) for row in rows), note)


def plain(value: Any) -> Any:
    """A cell that JSON can hold: numbers to six digits, text without control characters."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return forms.short(value)
    if value is None or isinstance(value, int):
        return value
    return shown(str(value), 400)


@dataclass(frozen=True, kw_only=True)
class Item:
    """A text of a list; `more` can be unfolded, and `about` says what it is."""

    text: str
    about: str = ""
    more: str = ""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture: what it shows, in words, as a figure and as a table.

    Attributes
    ----------
    id
        A short word; the name of its file, and its place in the page.
    title, sentence
        What it is, and what it shows in this run.
    reading
        How to read it.
    figure
        What is drawn; None where there is nothing to draw.
    items
        Texts in place of a figure.
    table
        The same as a table.
    """

    id: str = ""
    title: str = ""
    sentence: str
    reading: str = ""
    figure: forms.Figure | None = None
    items: tuple[Item, ...] = ()
    table: DataTable | None = None

    @property
    def absent(self) -> bool:
        """Whether it says nothing at all, so that a page leaves it out."""
        return not (self.sentence or self.items)

    @property
    def without_note(self) -> Picture:
        """The same without the line below its figure."""
        return replace(self, figure=None if self.figure is None else replace(self.figure, note=""))


def picture(id: str, title: str) -> Callable[[Callable[P, Picture | str]], Callable[P, Picture]]:
    """Make a picture of a function that draws: its docstring is how to read it.

    The function returns a `Picture` with sentence, figure and table, and what its docstring cannot
    know; or why there is nothing to draw, a text that is empty where nothing was asked for.
    """

    def of(draw: Callable[P, Picture | str]) -> Callable[P, Picture]:
        reading = " ".join((draw.__doc__ or "").split())

        @wraps(draw)
        def made(*about: P.args, **how: P.kwargs) -> Picture:
            found = draw(*about, **how)
            if isinstance(found, str):
                return Picture(id=id, title=title, sentence=found)
            if found.figure is not None and not found.figure.begun:
                return Picture(id=id, title=title, sentence=found.sentence)
            read = " ".join(filter(None, (reading, found.reading)))
            return replace(found, id=found.id or id, title=found.title or title, reading=read)

        return made

    return of


def in_unit(name: str, unit: str) -> str:
    """The name of an axis or a column with its unit."""
    return f"{name} ({shown(unit, 30)})" if unit else name


def some(n: int, most: int) -> NDArray[np.intp]:
    """At most so many of n places, evenly spaced, the first and the last among them."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(np.intp))


def evenly(things: Sequence[Any], most: int) -> list[Any]:
    """At most so many things, evenly spaced, and the last one."""
    return [*things[: -1 : -(-len(things) // most)], things[-1]] if things else []


def by_fate(
    history: History, points: forms.Points, ids: Sequence[int], *, failed: Collection[int] = ()
) -> list[forms.Mark]:
    """Points of candidates in the colours of their fates; those that failed are triangles."""
    fates = [history.fate(id) for id in ids]
    told = {"candidate": [*map(history.called, ids)], "fate": fates, **dict(points.tip)}
    looks = {
        (fate, lost): {
            "name": "failed at least once" if lost else fate, "colour": "fail" if lost else fate,
            "symbol": "triangle" if lost else "circle", "size": 6.5 if fate == "winner" else 3.5,
            "opacity": 0.65 if fate == "dropped" else 0.95,
        }
        for fate in FATES for lost in (False, True)
    }  # fmt: skip
    groups = zip(fates, (id in failed for id in ids), strict=True)
    return [*replace(points, tip=told).split(groups, looks)]


def interval_figure(
    names: Sequence[str], rows: Sequence[Sequence[float | str | None]], label: str,
    looks: Sequence[tuple[str, Any]] = (),
) -> forms.Figure:  # fmt: skip
    """A row for each name: a point at (estimate, low, high), a line, and 0 to compare with.

    Parameters
    ----------
    looks
        The colour and the symbol of each point.
    """
    points, low, high = zip(*rows, strict=True)
    drawn = [isinstance(at, float) and end is not None for at, end in zip(points, low, strict=True)]
    lines = forms.Intervals(at=[k if fine else None for k, fine in enumerate(drawn)],
                            low=low, high=high)  # fmt: skip
    dots = forms.Points(x=points, y=range(len(rows)), size=5, rows=range(len(rows)))
    looks = looks or [("winner", "circle")] * len(rows)
    marks: list[forms.Mark] = []
    for colour, symbol in dict.fromkeys(looks):
        at = [k for k, look in enumerate(looks) if look == (colour, symbol)]
        marks += [replace(lines.only(at), colour=colour),
                  replace(dots.only(at), colour=colour, symbol=symbol)]  # fmt: skip
    up, rules = forms.category(names, reverse=True), (forms.Rule(x=0),)
    return forms.figure(marks, label, up, rules=rules, height=70 + 28 * len(names))
