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
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, is_dataclass, replace
from numbers import Real
from typing import Any, Literal, Self, TypeAlias

from racing.base.plain import json_text
from racing.base.words import shown

Column: TypeAlias = tuple[Any, ...]
Columns: TypeAlias = tuple[Column, ...]
OnX: TypeAlias = Any
OnY: TypeAlias = Any
"""Numbers along an axis, or numbers for each choice of it; a mark keeps them as `Columns`."""
Which: TypeAlias = Literal["x", "y"]
Dash: TypeAlias = Literal["", "dashed", "dotted"]

_PAD = 0.04  # of the range, beyond the outermost values
_SHARED = 8  # values from which equal columns are written once


def column(values: Iterable[Any]) -> Column:
    """A column of numbers; what is not a finite number has no place."""
    return tuple(float(v) if isinstance(v, Real) and math.isfinite(v) else None for v in values)


def columns(places: Any) -> Columns:
    """One column of numbers, or one for each choice of an axis; () is no column."""
    given = [*places]
    if given and isinstance(given[0], Iterable) and not isinstance(given[0], str):
        return tuple(map(column, given))
    return () if isinstance(places, tuple) and not given else (column(given),)


@dataclass(frozen=True, kw_only=True)
class Order:
    """An order of the levels of an axis: the level that stands at 0, at 1, …."""

    name: str
    levels: tuple[int, ...]


@dataclass(frozen=True)
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
    _: KW_ONLY
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
        What a reader is told of an item besides its place: names, and a value for each item.
    rows
        The row of the picture's table that tells of each item; then `tip` is empty.
    opacity
        From 0 to 1.
    """

    colour: str = "winner"
    name: str = ""
    tip: Any = ()
    rows: Sequence[int] = ()
    opacity: float = 1.0

    def __post_init__(self) -> None:
        for name in self.places:
            vars(self)[name] = columns(getattr(self, name))
        vars(self)["tip"] = tuple((name, tuple(cells)) for name, cells in dict(self.tip).items())
        given = {
            name: value for name, value in vars(self).items() if isinstance(value, list | range)
        }
        vars(self).update({name: tuple(value) for name, value in given.items()})

    @property
    def places(self) -> dict[str, Which]:
        """The fields that are places, and the axis along which each lies."""
        axes: dict[Any, Which] = {"OnX": "x", "OnY": "y"}
        return {one.name: axes[one.type] for one in fields(self) if one.type in axes}

    def picked(self, kx: int, ky: int) -> Mark:
        """The same with the columns of two choices of the axes only."""

        def pick(columns: Columns, k: int) -> Columns:
            return columns if len(columns) < 2 else (columns[k],)

        found: dict[str, Any] = {
            name: pick(getattr(self, name), kx if axis == "x" else ky)
            for name, axis in self.places.items()
        }
        return replace(self, **found)

    def only(self, at: Sequence[int]) -> Self:
        """The same with these items only."""

        def items(column: Sequence[Any]) -> Column:
            return tuple(column[k] for k in at if column)

        found: dict[str, Any] = {
            name: tuple(map(items, getattr(self, name))) for name in self.places
        }
        tip = {name: items(cells) for name, cells in self.tip}
        return replace(self, **found, tip=tip, rows=items(self.rows))

    def split(
        self, groups: Iterable[object], looks: Mapping[Any, Mapping[str, Any]]
    ) -> Iterator[Self]:
        """A mark for each group of items, in the order of their looks."""
        items: dict[object, list[int]] = defaultdict(list)
        for k, group in enumerate(groups):
            items[group].append(k)
        for group, look in looks.items():
            if group in items:
                yield replace(self.only(items[group]), **look)

    def seats(self, which: Which) -> Iterator[float | None]:
        """All places along an axis."""
        for name, axis in self.places.items():
            if axis == which:
                yield from (value for column in getattr(self, name) for value in column)


@dataclass(frozen=True, kw_only=True)
class Points(Mark):
    """Points; `size` is the radius in pixels, `shades` go from 0, the best, to 1, the worst."""

    x: OnX
    y: OnY
    size: float = 4.0
    symbol: Literal["circle", "hollow", "triangle", "diamond", "tick"] = "circle"
    shades: Sequence[float] = ()


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

    x: OnX
    y: OnY
    low: OnY = ()
    high: OnY = ()
    step: Literal["", "after", "before"] = ""
    width: float = 2.0
    dash: Dash = ""
    filled: bool = False
    dots: bool = False

    def seats(self, which: Which) -> Iterator[float | None]:
        """All places along an axis; a tinted area has 0 too."""
        yield from super().seats(which)
        yield 0.0 if self.filled and which == "y" else None


@dataclass(frozen=True, kw_only=True)
class Lines(Mark):
    """Many lines over the same x; each is an item."""

    x: OnX
    ys: OnY
    width: float = 1.0
    dash: Dash = ""

    def picked(self, kx: int, ky: int) -> Mark:
        """The same: these axes have no choices."""
        return self


@dataclass(frozen=True, kw_only=True)
class Intervals(Mark):
    """Intervals along an axis; an end that is None lies beyond the axis, and has an arrow."""

    along: Which = "x"
    at: OnY
    low: OnY
    high: OnY
    width: float = 2.0

    @property
    def places(self) -> dict[str, Which]:
        """The fields that are places, and the axis along which each lies."""
        across: Which = "y" if self.along == "x" else "x"
        return {"at": across, "low": self.along, "high": self.along}


@dataclass(frozen=True, kw_only=True)
class Bars(Mark):
    """Rectangles between two places on each axis."""

    x0: OnX
    x1: OnX
    y0: OnY
    y1: OnY


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

    x: OnX
    y: OnY
    texts: Sequence[str]
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
        x = (self._settled("x", axis, kx=k) for k, axis in enumerate(self.x))
        y = (self._settled("y", axis, ky=k) for k, axis in enumerate(self.y))
        return replace(self, x=tuple(x), y=tuple(y))

    def _settled(self, which: Which, axis: Axis, kx: int = 0, ky: int = 0) -> Axis:
        ends = axis.ends
        if axis.kind == "category":
            ends = (-0.5, len(axis.levels) - 0.5)
        elif ends is None:
            seats = [getattr(rule, which) for rule in self.rules]
            seats += [v for mark in self.marks for v in mark.picked(kx, ky).seats(which)]
            ends = _roomy([v for v in seats if v is not None], log=axis.kind == "log")
        return replace(axis, ends=ends)


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


Axes: TypeAlias = str | Axis | Sequence[Axis]
"""An axis, its name, or its choices."""


def plot(marks: Iterable[Mark], x: Axes, y: Axes, **more: Any) -> Plot:
    """A plot of marks over two axes."""
    choices = [(Axis(of),) if isinstance(of, str) else (of,) if isinstance(of, Axis) else tuple(of)
               for of in (x, y)]  # fmt: skip
    return Plot(x=choices[0], y=choices[1], marks=tuple(marks), **more)


def figure(
    marks: Iterable[Mark], x: Axes, y: Axes, *, wide: bool = False, note: str = "", **more: Any
) -> Figure:
    """A figure of one plot."""
    return Figure(plots=(plot(marks, x, y, **more),), wide=wide, note=note)


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


def category(names: Iterable[object], *, reverse: bool = False, name: str = "") -> Axis:
    """An axis of names; reversed, the first one is on top."""
    levels = tuple(shown(str(one)) for one in names)
    return Axis(name, kind="category", levels=levels, reverse=reverse)


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
