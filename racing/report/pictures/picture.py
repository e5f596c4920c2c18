"""A picture: words, a figure, and the table behind it; and what many pictures are made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, ParamSpec

from racing.base.words import shown
from racing.report.forms import (
    Axis,
    Column,
    Columns,
    Figure,
    Intervals,
    Mark,
    Points,
    Rule,
    category,
    column,
    figure,
    short,
)
from racing.report.history import FATES, History

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

    def column(self, place: int, among: Iterable[int] | None = None) -> Column:
        """The numbers of a column, of some rows or all."""
        rows = range(len(self.rows)) if among is None else among
        return column(self.rows[k][place] for k in rows)

    def told(self, among: Sequence[int] | None = None) -> dict[str, Any]:
        """What a mark tells of its items, which are these rows.

        Rows that a page leaves out are told by the mark itself.
        """
        rows = range(len(self.rows)) if among is None else among
        if len(self.rows) <= MOST_ROWS:
            return {"rows": tuple(rows)}
        cells = zip(*(self.rows[k] for k in rows), strict=True)
        return {"tip": tuple(zip(self.columns, cells, strict=True))}

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
        return short(value)
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
    figure: Figure | None = None
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


def evenly(things: Sequence[Any], most: int) -> list[Any]:
    """At most so many things, evenly spaced, and the last one."""
    return [*things[: -1 : -(-len(things) // most)], things[-1]] if things else []


def pick(columns: Columns, at: Sequence[int]) -> Columns:
    """These items of columns."""
    return tuple(tuple(one[k] for k in at) for one in columns)


def by_fate(
    history: History, ids: Sequence[int], x: Columns, y: Columns, *,
    failed: Collection[int] = (), tip: Sequence[tuple[str, Column]] = (),
) -> list[Mark]:  # fmt: skip
    """Points of candidates in the colours of their fates; those that failed are triangles."""
    groups: dict[tuple[int, bool], list[int]] = {}
    for k, id in enumerate(ids):
        groups.setdefault((FATES.index(history.fate(id)), id in failed), []).append(k)
    found: list[Mark] = []
    for (place, lost), at in sorted(groups.items()):
        fate, names = FATES[place], tuple(history.name(ids[k]) for k in at)
        found.append(
            Points(
                x=pick(x, at), y=pick(y, at), name="failed at least once" if lost else fate,
                colour="fail" if lost else fate, symbol="triangle" if lost else "circle",
                size=6.5 if fate == "winner" else 3.5, opacity=0.65 if fate == "dropped" else 0.95,
                tip=(("candidate", names), ("fate", (fate,) * len(at)),
                     *((name, pick((of,), at)[0]) for name, of in tip)),
            )
        )  # fmt: skip
    return found


def interval_figure(
    names: Sequence[str], rows: Sequence[Sequence[float | str | None]], label: str, *,
    colours: Sequence[str] = (), hollow: Collection[int] = (),
) -> Figure:  # fmt: skip
    """A row for each name: a point at (estimate, low, high), a line, and 0 to compare with."""
    marks: list[Mark] = []
    for colour in dict.fromkeys(colours or ("winner",)):
        own = [k for k in range(len(rows)) if not colours or colours[k] == colour]
        low, high = (column(rows[k][end] for k in own) for end in (1, 2))
        known = (isinstance(rows[k][0], float) and rows[k][1] is not None for k in own)
        at = tuple(float(k) if drawn else None for k, drawn in zip(own, known, strict=True))
        marks.append(Intervals(at=(at,), low=(low,), high=(high,), colour=colour))
        groups = ([k for k in own if (k in hollow) == inside] for inside in (False, True))
        marks += [
            Points(x=(column(rows[k][0] for k in which),), y=(column(which),), size=5,
                   symbol="hollow" if which[0] in hollow else "circle", colour=colour,
                   rows=tuple(which))
            for which in groups if which
        ]  # fmt: skip
    return figure(
        marks, Axis(name=label), category(names, reverse=True), rules=(Rule(x=0),),
        height=70 + 28 * len(names),
    )  # fmt: skip
