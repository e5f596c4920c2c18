"""A picture: words, a figure, and the table behind it; and what many pictures are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from racing.report.forms import (
    Axis,
    Column,
    Columns,
    Figure,
    Intervals,
    Plot,
    Points,
    Rule,
    category,
    column,
    short,
)
from racing.report.history import History
from racing.report.names import name_of, shown

MOST_ROWS = 500
"""Rows of a table in a page; `racing export` has all."""

FATES = ("waiting", "dropped", "survivor", "winner")
"""From the back of a figure to the front."""


@dataclass(frozen=True, kw_only=True)
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

    id: str
    title: str
    sentence: str
    reading: str = ""
    figure: Figure | None = None
    items: tuple[Item, ...] = ()
    table: DataTable | None = None

    @property
    def without_note(self) -> Picture:
        """The same without the line below its figure."""
        return replace(self, figure=None if self.figure is None else replace(self.figure, note=""))


def nothing(id: str, title: str, why: str) -> Picture:
    """A picture without data, with the reason."""
    return Picture(id=id, title=title, sentence=why)


def table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, most: int = MOST_ROWS
) -> DataTable:
    """A table fit for a page: plain cells, not too many rows, and a note about the others."""
    kept, total = [], 0
    for total, row in enumerate(rows, start=1):
        if total <= most:
            kept.append(tuple(map(plain, row)))
    note = f"The first {most} of {total} rows; `racing export` writes all." if total > most else ""
    return DataTable(columns=tuple(columns), rows=tuple(kept), note=note)


def plain(value: Any) -> Any:
    """A cell that JSON can hold: numbers to six digits, text without control characters."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return short(value)
    if value is None or isinstance(value, int):
        return value
    return shown(str(value), 400)


def in_unit(name: str, unit: str) -> str:
    """The name of an axis or a column with its unit."""
    return f"{name} ({shown(unit, 30)})" if unit else name


def told(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], at: Sequence[int] | None = None
) -> dict[str, Any]:
    """What a mark tells of its items, which are these rows of the picture's table.

    Rows that the table leaves out are told by the mark itself.
    """
    at = range(len(rows)) if at is None else at
    if len(rows) <= MOST_ROWS:
        return {"rows": tuple(at)}
    return {"tip": tuple((name, tuple(plain(rows[k][c]) for k in at))
                         for c, name in enumerate(columns))}  # fmt: skip


def pick(columns: Columns, at: Sequence[int]) -> Columns:
    """These items of columns."""
    return tuple(tuple(one[k] for k in at) for one in columns)


def by_fate(
    history: History,
    ids: Sequence[int],
    x: Columns,
    y: Columns,
    *,
    failed: Collection[int] = (),
    tip: Sequence[tuple[str, Column]] = (),
) -> tuple[Points, ...]:
    """Points of candidates in the colours of their fates; those that failed are triangles."""
    fates = [history.fate(id) for id in ids]
    found = []
    for fate in FATES:
        for lost in (False, True):
            at = [k for k, id in enumerate(ids) if fates[k] == fate and (id in failed) == lost]
            if at:
                names = tuple(name_of(history, ids[k]) for k in at)
                found.append(
                    Points(
                        x=pick(x, at), y=pick(y, at), name="failed at least once" if lost else fate,
                        colour="fail" if lost else fate,
                        symbol="triangle" if lost else "circle",
                        size=6.5 if fate == "winner" else 3.5,
                        opacity=0.65 if fate == "dropped" else 0.95,
                        tip=(("candidate", names), ("fate", (fate,) * len(at)),
                             *((name, pick((of,), at)[0]) for name, of in tip)),
                    )
                )  # fmt: skip
    return tuple(found)


def interval_figure(
    names: Sequence[str],
    rows: Sequence[Sequence[float | str | None]],
    label: str,
    *,
    colours: Sequence[str] = (),
    hollow: Collection[int] = (),
    tips: dict[str, Any] | None = None,
) -> Figure:
    """A row for each name: a point at (estimate, low, high), a line, and 0 to compare with."""
    marks: list[Points | Intervals] = []
    for colour in dict.fromkeys(colours or ("winner",)):
        own = [k for k in range(len(rows)) if not colours or colours[k] == colour]
        low, high = (column(rows[k][end] for k in own) for end in (1, 2))
        seen = tuple(
            float(k) if isinstance(rows[k][0], float) and rows[k][1] is not None else None
            for k in own
        )
        marks.append(Intervals(at=(seen,), low=(low,), high=(high,), colour=colour))
        for inside in (False, True):
            at = [k for k in own if (k in hollow) == inside]
            if at:
                marks.append(
                    Points(
                        x=(column(rows[k][0] for k in at),), y=(tuple(map(float, at)),), size=5,
                        symbol="hollow" if inside else "circle", colour=colour,
                        **({"rows": tuple(at)} if tips is None else tips),
                    )
                )  # fmt: skip
    plot = Plot(
        x=(Axis(name=label),), y=(category(names, reverse=True),), marks=tuple(marks),
        rules=(Rule(x=0),), height=70 + 28 * len(names),
    )  # fmt: skip
    return Figure(plots=(plot,))
