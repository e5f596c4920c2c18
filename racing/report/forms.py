"""The forms that every picture is made of: what is drawn and where, before anything draws it.

A `Figure` has one plot or several, a `Plot` has two axes and marks, and each mark is one of eight
forms: points, a line with its band, many lines, intervals, bars, a matrix, texts, and rules. Trees,
parallel axes, diagrams of ranks and triangles are made of these. `racing/report/page/js/figure.js`
draws a figure in a page, `racing.report.figures` for papers; both only place and paint.

A column is a value for each item of a mark; None has no place. Where an axis has several choices, a
mark has a column for each of them, else one. Colours are names of roles, such as `winner`: what
they look like, in light and in dark, the renderers know.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal, TypeAlias

from racing.base.plain import json_text
from racing.base.words import shown

Column: TypeAlias = tuple[Any, ...]
Columns: TypeAlias = tuple[Column, ...]
Tips: TypeAlias = tuple[tuple[str, Column], ...]
"""Names and columns of what a reader is told of an item, besides its place."""

_PAD = 0.04  # of the range, beyond the outermost values
_SHARED = 8  # values from which equal columns are written once


@dataclass(frozen=True, kw_only=True)
class Order:
    """An order of the levels of an axis: the level that stands at 0, at 1, …."""

    name: str
    levels: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis, or one choice of it.

    Attributes
    ----------
    name
        What it measures, with its unit.
    kind
        `hidden` is linear, and not drawn.
    ends
        The least and the largest value; None: those of the marks, with a little room.
    levels
        Names at 0, 1, … of a `category` axis.
    orders
        Orders of the levels to choose from; none: as they are.
    reverse
        Whether values grow to the left, or downwards.
    whole, seconds
        Whether values are whole numbers, or seconds.
    """

    name: str = ""
    kind: Literal["linear", "log", "category", "hidden"] = "linear"
    ends: tuple[float, float] | None = None
    levels: tuple[str, ...] = ()
    orders: tuple[Order, ...] = ()
    reverse: bool = False
    whole: bool = False
    seconds: bool = False


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What all marks have.

    Attributes
    ----------
    colour
        A role.
    name
        Its entry in the legend; without one it has none.
    tip
        What a reader is told of an item.
    rows
        The row of the picture's table that tells of each item; then `tip` is empty.
    opacity
        From 0 to 1.
    """

    colour: str = "winner"
    name: str = ""
    tip: Tips = ()
    rows: Column = ()
    opacity: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Points(Mark):
    """Points; `size` is the radius in pixels, `shades` go from 0, the best, to 1, the worst."""

    x: Columns
    y: Columns
    size: float = 4.0
    symbol: Literal["circle", "hollow", "triangle", "diamond", "tick"] = "circle"
    shades: Column = ()


@dataclass(frozen=True, kw_only=True)
class Line(Mark):
    """A line through its items; None interrupts it.

    Attributes
    ----------
    step
        Where it steps: `after` an item or `before` it; empty: it does not.
    low, high
        The band around it, if any.
    filled
        Whether the area down to 0 is tinted.
    dots
        Whether its items are marked.
    """

    x: Columns
    y: Columns
    low: Columns = ()
    high: Columns = ()
    step: Literal["", "after", "before"] = ""
    width: float = 2.0
    dash: Literal["", "dashed", "dotted"] = ""
    filled: bool = False
    dots: bool = False


@dataclass(frozen=True, kw_only=True)
class Lines(Mark):
    """Many lines over the same x; each is an item."""

    x: Column
    ys: tuple[Column, ...]
    width: float = 1.0
    dash: Literal["", "dashed", "dotted"] = ""


@dataclass(frozen=True, kw_only=True)
class Intervals(Mark):
    """Intervals along an axis; an end that is None lies beyond the axis, and has an arrow."""

    along: Literal["x", "y"] = "x"
    at: Columns
    low: Columns
    high: Columns
    width: float = 2.0


@dataclass(frozen=True, kw_only=True)
class Bars(Mark):
    """Rectangles between two places on each axis."""

    x0: Column
    x1: Column
    y0: Column
    y1: Column


@dataclass(frozen=True, kw_only=True)
class Key:
    """What a colour of a matrix means: parts of roles, on the colour of the paper."""

    label: str
    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, kw_only=True)
class Matrix(Mark):
    """Cells of two category axes.

    Attributes
    ----------
    cells
        Rows of places in `keys`; None is empty.
    keys
        The meanings of colours; of very many only the first, the last and the `apart` are told.
    apart
        How many keys at the end are no part of the scale before them.
    values, value
        What a reader is told of a cell, and what that is.
    written
        Whether the values stand in the cells.
    """

    cells: tuple[Column, ...]
    keys: tuple[Key, ...]
    apart: int = 0
    values: tuple[Column, ...] = ()
    value: str = "value"
    written: bool = False


@dataclass(frozen=True, kw_only=True)
class Texts(Mark):
    """Words at places; `inward` ones stand on the side of the point that has more room."""

    x: Columns
    y: Columns
    texts: tuple[str, ...]
    anchor: Literal["start", "middle", "end", "inward"] = "start"
    dx: float = 0.0
    dy: float = 0.0
    size: float = 12.0
    bold: bool = False
    angle: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A straight line at a value of one axis."""

    x: float | None = None
    y: float | None = None
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class Plot:
    """Marks over two axes.

    Attributes
    ----------
    x, y
        The choices of each axis, at least one.
    marks
        From the back to the front.
    rules
        Lines that others are compared with.
    name
        What is particular to it among several.
    height, least
        In pixels: its height, and the width below which it is scrolled.
    across, up
        What the choices of the axes are called.
    spread
        Whether a figure for a paper shows the choices side by side.
    """

    x: tuple[Axis, ...] = (Axis(),)
    y: tuple[Axis, ...] = (Axis(),)
    marks: tuple[Mark, ...]
    rules: tuple[Rule, ...] = ()
    name: str = ""
    height: int = 300
    least: int = 0
    across: str = "Across"
    up: str = "Up"
    spread: bool = False

    def settled(self) -> Plot:
        """The same with the ends of every axis."""
        return replace(
            self,
            x=tuple(self._settled("x", k, one) for k, one in enumerate(self.x)),
            y=tuple(self._settled("y", k, one) for k, one in enumerate(self.y)),
        )

    def _settled(self, which: Literal["x", "y"], choice: int, axis: Axis) -> Axis:
        ends = axis.ends
        if axis.kind == "category":
            ends = (-0.5, len(axis.levels) - 0.5)
        elif ends is None:
            ends = _roomy([*self._values(which, choice)], log=axis.kind == "log")
        return replace(axis, ends=ends)

    def _values(self, which: Literal["x", "y"], choice: int) -> Iterator[float]:
        for rule in self.rules:
            yield from (v for v in (getattr(rule, which),) if v is not None)
        for mark in self.marks:
            for column in _along(mark, which):
                values = column[choice] if len(column) > 1 else column[0]
                yield from (v for v in values if v is not None)


def _along(mark: Mark, which: Literal["x", "y"]) -> Iterator[Columns]:
    """The columns of a mark that lie along an axis."""
    if isinstance(mark, Intervals):
        yield from (mark.low, mark.high) if mark.along == which else (mark.at,)
    elif isinstance(mark, Bars):
        yield from ((mark.x0,), (mark.x1,)) if which == "x" else ((mark.y0,), (mark.y1,))
    elif isinstance(mark, Lines):
        yield from ((mark.x,),) if which == "x" else ((ys,) for ys in mark.ys)
    elif isinstance(mark, Points | Line | Texts):
        yield getattr(mark, which)
        if isinstance(mark, Line) and which == "y":
            yield from (mark.low, mark.high) if mark.low else ()
            yield from (((0.0,),),) if mark.filled else ()


def _roomy(values: Sequence[float], *, log: bool) -> tuple[float, float]:
    """The ends of an axis: a little room beyond the values, but not beyond 0."""
    if not any(values):
        return (1.0, 10.0) if log else (0.0, 1.0)
    low, high = min(values), max(values)
    if log:
        room = max((high / low) ** _PAD, 1.02)
        return low / room, high * room
    room = _PAD * (high - low) or abs(high) / 2 or 0.5
    return low - room * (low != 0), high + room * (high != 0)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One plot, or several of which one is chosen.

    Attributes
    ----------
    plots
        At least one.
    choose
        What the choice between several is called.
    wide
        Whether it needs the width of the page.
    note
        A line below it in figures for papers.
    """

    plots: tuple[Plot, ...]
    choose: str = ""
    wide: bool = False
    note: str = ""

    @property
    def begun(self) -> bool:
        """Whether it has more than lines that are a single place still."""
        marks = [mark for plot in self.plots for mark in plot.marks]
        return any(not isinstance(m, Line) or len({*m.x[0]} - {None}) > 1 for m in marks)


def figure(
    marks: Iterable[Mark], x: Axis | tuple[Axis, ...], y: Axis | tuple[Axis, ...], *,
    wide: bool = False, note: str = "", **plot: Any,
) -> Figure:  # fmt: skip
    """A figure of one plot; an axis may be a tuple of choices."""
    across, up = (one if isinstance(one, tuple) else (one,) for one in (x, y))
    one = Plot(x=across, y=up, marks=tuple(marks), **plot)
    return Figure(plots=(one,), wide=wide, note=note)


class Shared:
    """Columns that are written once, though several figures have them."""

    def __init__(self) -> None:
        self.columns: list[list[Any]] = []
        self._places: dict[str, int] = {}

    def plain(self, thing: Any) -> Any:
        """A figure, or a part of one, as JSON has it: defaults are left out."""
        if isinstance(thing, Plot):
            thing = thing.settled()
        if is_dataclass(thing):
            found = {"form": type(thing).__name__} if isinstance(thing, Mark) else {}
            for one in fields(thing):
                if (value := getattr(thing, one.name)) != one.default:
                    found[one.name] = self.plain(value)
            return found
        if isinstance(thing, float):
            return short(thing)
        if not isinstance(thing, tuple):
            return thing
        values = [self.plain(one) for one in thing]
        if len(values) < _SHARED or not all(isinstance(v, _CELL) for v in values):
            return values
        place = self._places.setdefault(json_text(values, indent=None), len(self.columns))
        if place == len(self.columns):
            self.columns.append(values)
        return {"$": place}


_CELL = (int, float, str, type(None))


def short(value: float | None, digits: int = 6) -> float | str | None:
    """A number to six digits; an infinity is text, NaN is None."""
    if value is None:
        return None
    if math.isfinite(value):
        return float(f"{value:.{digits}g}") + 0.0
    return None if math.isnan(value) else ("inf" if value > 0 else "-inf")


def column(values: Iterable[Any]) -> Column:
    """A column of numbers; what is not a finite number has no place."""
    return tuple(
        float(v) if isinstance(v, int | float) and math.isfinite(v) else None for v in values
    )


def category(names: Iterable[object], *, reverse: bool = False, name: str = "") -> Axis:
    """An axis of names; reversed, the first one is on top."""
    levels = tuple(shown(str(one)) for one in names)
    return Axis(kind="category", levels=levels, reverse=reverse, name=name)


def at_least(values: Iterable[float | None], factor: float) -> bool:
    """Whether values are positive and lie so far apart that a logarithmic axis helps.

    The smallest twentieth of them, of four or more at least one, is left out: a single tiny value
    would take most of a logarithmic axis.
    """
    known = sorted(v for v in values if v is not None)
    left_out = max(len(known) // 20, len(known) > 3)
    return bool(known) and known[0] > 0 and known[-1] > factor * known[left_out]


def spread(k: int, width: float = 0.5) -> float:
    """A shift of an item within its row, the same each time, so that few items are hidden."""
    return (k * 0.6180339887 % 1 - 0.5) * width
