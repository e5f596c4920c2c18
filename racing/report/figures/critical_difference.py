"""Critical-difference diagrams in both of Demšar's forms (2006, figure 1), for any correction.

All pairs: bars join groups of algorithms that were not shown to differ. Against a control: the
interval of one critical difference around it where there is one, else a dot for every algorithm
that was not shown to differ from it. The axis has the best mean rank to the right.

Where groups come from p-values they need not be neighbours: a bar that passes over an algorithm
that does not belong to it is thin, with a dot on each member.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from racing.analysis.compare.verdicts import Verdicts
from racing.base.words import number
from racing.report.figures.canvas import (
    FAINT,
    GREY,
    INK,
    SMALL,
    as_file,
    new_figure,
    save,
    text_width,
    write,
)
from racing.report.figures.diagram import AxisLabel, Bar, Diagram, diagram

_ROW, _BAR, _GAP = 0.19, 0.115, 0.13  # inches: between labels, between bars, around both
_EDGE = 0.15
_NUMBER, _WIDE_NUMBER = 0.46, 0.54  # the column of mean ranks, below and from 100
_ARROW = 0.1  # beyond an end that the axis cuts off
_OVERHANG = 0.045  # of a bar over its outer members


def draw_critical_difference(
    c: Verdicts, path: str | Path, *, caption: bool = True, width: float | None = None
) -> Path:
    """Draw the diagram of a comparison into a PNG, SVG or PDF file.

    Parameters
    ----------
    caption : whether a line below says what the bars mean.
    width : of the axis in inches; names come on top.

    Raises
    ------
    InputError
        If the file cannot be written or its ending names no format.
    MissingExtra
        If matplotlib is not installed.
    """
    file = as_file(path)
    return save(figure_of(diagram(c), caption=caption, width=width), file)


def figure_of(shown: Diagram, *, caption: bool = True, width: float | None = None) -> Any:
    """The matplotlib figure of a diagram."""
    sheet = _Sheet.of(shown, width, caption)
    figure, axes = new_figure(sheet.total_width, sheet.total_height)
    _draw_axis(axes, shown, sheet)
    _draw_critical_difference(axes, shown, sheet)
    for bar in shown.bars:
        _draw_bar(axes, bar, sheet)
    for label in shown.labels:
        _draw_label(axes, label, sheet)
    if caption:
        middle = sheet.total_width / 2
        write(axes, middle, sheet.total_height - 0.14, shown.caption, fontsize=SMALL, color=GREY)
    return figure


@dataclass(frozen=True)
class _Sheet:
    """The layout, in inches from the top left corner."""

    low: float
    high: float
    left: float  # of the axis: the worst rank
    width: float
    axis: float
    bars: float
    rows: float
    total_width: float
    total_height: float
    number_width: float

    @classmethod
    def of(cls, shown: Diagram, width: float | None, caption: bool) -> _Sheet:
        many = len(shown.labels)
        width = width or (4.0 if many <= 10 else 6.0 if many <= 60 else 8.0)
        side = {
            which: max((text_width(x.name) for x in shown.labels if x.side == which), default=0.0)
            for which in ("left", "right")
        }
        number_width = _NUMBER if shown.high < 100 else _WIDE_NUMBER
        left = _EDGE + side["left"] + number_width
        total = left + width + number_width + side["right"] + _EDGE
        if caption and (more := text_width(shown.caption, SMALL) + 2 * _EDGE - total) > 0:
            left, total = left + more / 2, total + more
        axis = _EDGE + (0.62 if shown.critical_difference else 0.3)
        bars = axis + _GAP + 0.03
        rows = bars + _BAR * (1 + max((bar.row for bar in shown.bars), default=-1)) + _GAP
        bottom = rows + _ROW * max(label.row for label in shown.labels) + _EDGE
        height = bottom + (0.28 if caption else 0.0)
        return cls(
            shown.low, shown.high, left, width, axis, bars, rows, total, height, number_width
        )

    @property
    def inch(self) -> float:
        """Inches per rank."""
        return self.width / (self.high - self.low)

    def x(self, rank: float) -> float:
        """The best rank is to the right."""
        return self.left + self.inch * (self.high - rank)


def _draw_axis(axes: Any, shown: Diagram, sheet: _Sheet) -> None:
    ends = [sheet.left, sheet.left + sheet.width]
    axes.plot(ends, [sheet.axis] * 2, color=INK, lw=1.0, solid_capstyle="projecting")
    span = shown.high - shown.low
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if span / s <= 16 or s == 500)
    for rank in range(shown.low, shown.high + 1):
        named = (rank - shown.low) % step == 0
        top = sheet.axis - (0.07 if named else 0.04)
        axes.plot([sheet.x(rank)] * 2, [top, sheet.axis], color=INK, lw=0.8)
        if named:
            write(axes, sheet.x(rank), sheet.axis - 0.17, str(rank))


def _draw_critical_difference(axes: Any, shown: Diagram, sheet: _Sheet) -> None:
    """The interval around the control on the axis, or the length of one above it."""
    if shown.critical_difference is None:
        return
    if shown.interval is not None:
        _draw_interval(axes, shown.interval, shown.cut, shown.critical_difference, sheet)
        return
    length = sheet.inch * shown.critical_difference
    start, y = sheet.left, _EDGE + 0.24
    if length > sheet.width:  # no two of these can be that far apart
        text = f"CD = {number(shown.critical_difference, 3)}, longer than the axis"
        write(axes, start, y - 0.06, text, ha="left")
        return
    axes.plot([start, start + length], [y, y], color=INK, lw=1.0)
    for end in (start, start + length):
        axes.plot([end] * 2, [y - 0.045, y + 0.045], color=INK, lw=1.0)
    text = f"CD = {number(shown.critical_difference, 3)}"
    middle = max(start + length / 2, start + text_width(text) / 2)
    write(axes, middle, y - 0.13, text)


def _draw_interval(
    axes: Any, interval: tuple[float, float], cut: tuple[bool, bool], cd: float, sheet: _Sheet
) -> None:
    """A thick line; an end that the axis cuts off has an arrow beyond it and no stop."""
    ends = [sheet.x(rank) for rank in interval]
    axes.plot(ends, [sheet.axis] * 2, color=INK, lw=4.5, solid_capstyle="butt")
    for x, goes_on, outwards in zip(ends, cut, (1, -1), strict=True):
        if goes_on:
            tip, back = x + outwards * _ARROW, x + outwards * 0.02
            for side in (-0.055, 0.055):
                axes.plot([back, tip], [sheet.axis + side, sheet.axis], color=INK, lw=1.2)
        else:
            axes.plot([x] * 2, [sheet.axis - 0.06, sheet.axis + 0.06], color=INK, lw=1.2)
    text = f"CD = {number(cd, 3)} on either side of the control"
    write(axes, sheet.left + sheet.width / 2, _EDGE + 0.11, text)


def _draw_bar(axes: Any, bar: Bar, sheet: _Sheet) -> None:
    y = sheet.bars + _BAR * bar.row
    xs = [sheet.x(rank) for rank in bar.ranks]
    if bar.whole:
        right = min(_OVERHANG, 0.4 * sheet.inch * (bar.ranks[0] - bar.outside[0]))
        left = min(_OVERHANG, 0.4 * sheet.inch * (bar.outside[1] - bar.ranks[-1]))
        ends = [xs[-1] - left, xs[0] + right]
        axes.plot(ends, [y, y], color=INK, lw=3.2, solid_capstyle="butt", zorder=3)
        return
    for one, two in pairwise(xs):
        axes.plot([one, two], [y, y], color=INK, lw=0.9, zorder=3)
    axes.plot(xs, [y] * len(xs), "o", color=INK, ms=4.2, mew=0, zorder=4)


def _draw_label(axes: Any, label: AxisLabel, sheet: _Sheet) -> None:
    x, y = sheet.x(label.rank), sheet.rows + _ROW * label.row
    right = label.side == "right"
    sign, align = (1, "left") if right else (-1, "right")
    edge = sheet.left + (sheet.width if right else 0.0) + sign * 0.05
    axes.plot(
        [x, x, edge], [sheet.axis, y, y], color=FAINT, lw=0.8, zorder=1, solid_joinstyle="miter"
    )
    write(axes, edge + sign * 0.04, y, f"{label.rank:.2f}", ha=align, fontsize=SMALL, color=GREY)
    weight = "bold" if label.control else "normal"
    write(axes, edge + sign * (sheet.number_width - 0.05), y, label.name, ha=align, weight=weight)
