"""Critical-difference diagrams in both of Demšar's forms (2006, figure 1), for any correction.

All pairs: bars join groups of algorithms that were not shown to differ. Against a control: the
interval of one critical difference around it where there is one, else a dot for every algorithm
that was not shown to differ from it. The axis has the best mean rank to the right.

Where groups come from p-values they need not be neighbours: a bar that passes over an algorithm
that does not belong to it is thin, with a dot on each member.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from racing.analysis.compare import Comparison
from racing.base.words import number, refer
from racing.report.forms import (
    Axis,
    Column,
    Figure,
    Intervals,
    Line,
    Mark,
    Plot,
    Points,
    Texts,
)

Side: TypeAlias = Literal["left", "right"]

_MOST_ROWS = 25  # of bars; more cannot be told apart
_CORRECTIONS = {
    "sidak": "Šidák",
    "benjamini-hochberg": "Benjamini–Hochberg",
    "bergmann-hommel": "Bergmann–Hommel",
}


@dataclass(frozen=True)
class AxisLabel:
    """An algorithm: on which side of the axis it is named, and in which row from the top."""

    name: str
    rank: float
    side: Side
    row: int
    control: bool = False


@dataclass(frozen=True)
class Bar:
    """A bar over the mean ranks of its members, in one of the rows below the axis.

    `whole` says that all algorithms within its span belong to it; `outside` are the nearest mean
    ranks on either side that do not, or infinite.
    """

    ranks: tuple[float, ...]
    row: int
    whole: bool
    outside: tuple[float, float]


@dataclass(frozen=True)
class Diagram:
    """A critical-difference diagram, in mean ranks.

    `interval` lies within the axis; `cut` says for its low and its high end whether the axis cuts
    it there. `bars_left_out` counts bars for which there is no room.
    """

    low: int
    high: int
    labels: tuple[AxisLabel, ...]
    bars: tuple[Bar, ...]
    critical_difference: float | None
    interval: tuple[float, float] | None
    caption: str
    cut: tuple[bool, bool] = (False, False)
    bars_left_out: int = 0


def diagram(c: Comparison) -> Diagram:
    """The diagram of a comparison, as data."""
    ranks = [float(r) for r in c.mean_ranks]
    low, high = _axis(ranks)
    cd, control = c.critical_difference, c.control
    interval, cut = None, (False, False)
    if control is not None and cd is not None:
        ends = ranks[control] - cd, ranks[control] + cd
        interval, cut = (max(low, ends[0]), min(high, ends[1])), (ends[0] < low, ends[1] > high)
    bars = () if interval else _bars(c, ranks, low, high)
    shown = tuple(bar for bar in bars if bar.row < _MOST_ROWS)
    return Diagram(
        low=low,
        high=high,
        labels=_labels(c, ranks),
        bars=shown,
        critical_difference=cd,
        interval=interval,
        caption=_caption(
            c, thin=any(not bar.whole for bar in shown), left_out=len(bars) - len(shown)
        ),
        cut=cut,
        bars_left_out=len(bars) - len(shown),
    )


def _axis(ranks: list[float]) -> tuple[int, int]:
    """All ranks for a few algorithms; the part in use for many."""
    m = len(ranks)
    if m <= 10:
        return 1, m
    low, high = math.floor(min(ranks)), math.ceil(max(ranks))
    return low, max(high, low + 1)


def _labels(c: Comparison, ranks: list[float]) -> tuple[AxisLabel, ...]:
    """The better half on the right, the others on the left; the outermost on top."""
    right = c.order[: (len(c.names) + 1) // 2]
    left = c.order[len(right) :][::-1]
    sides: tuple[tuple[Side, tuple[int, ...]], ...] = (("right", right), ("left", left))
    return tuple(
        AxisLabel(refer(c.names[i]), ranks[i], side, row, i == c.control)
        for side, half in sides
        for row, i in enumerate(half)
    )


def _bars(c: Comparison, ranks: list[float], low: int, high: int) -> tuple[Bar, ...]:
    if c.control is None:
        groups = c.bars
    else:
        k = c.control
        groups = (tuple(i for i in c.order if i == k or c.joined[i, k]),)
    room = 0.03 * (high - low)  # between two bars in one row
    ends: list[float] = []
    bars = []
    for group in sorted(groups, key=lambda g: min(ranks[i] for i in g)):
        own = tuple(sorted(ranks[i] for i in group))
        row = next((at for at, end in enumerate(ends) if own[0] > end + room), len(ends))
        ends[row : row + 1] = [own[-1]]
        others = [r for i, r in enumerate(ranks) if i not in group]
        whole = c.control is None and not any(own[0] <= r <= own[-1] for r in others)
        before = max((r for r in others if r < own[0]), default=-math.inf)
        after = min((r for r in others if r > own[-1]), default=math.inf)
        bars.append(Bar(own, row, whole, (before, after)))
    return tuple(bars)


def _caption(c: Comparison, *, thin: bool, left_out: int) -> str:
    choices = c.choices
    test = c.test.noun.removeprefix("the ")
    test = test.replace("distance of their mean", "mean")
    correction = ""
    if choices.correction != "none" and c.family.first.size > 1:
        named = _CORRECTIONS.get(choices.correction, choices.correction.capitalize())
        correction = f", {named}"
    how = f"at the level {number(choices.alpha)} ({test}{correction})"
    if choices.control is None:
        dots = " Thin bars join those with a dot." if thin else ""
        rest = f" {left_out} further bars are not drawn." if left_out else ""
        return f"Mean ranks. Bars join algorithms not shown to differ {how}.{dots}{rest}"
    if c.critical_difference is not None:
        return f"Mean ranks. Outside the interval: shown to differ from the control {how}."
    return f"Mean ranks. Dots: not shown to differ from the control {how}."


_TOP, _BAR, _ROW = 62, 13, 20  # pixels: the axis, and between bars and between names
_OVERHANG = 0.012  # of a bar over its outer members, of the axis


def diagram_figure(shown: Diagram) -> Figure:
    """The figure of a diagram: over mean ranks, and pixels downwards."""
    top = _TOP if shown.critical_difference is not None else 32
    under = top + 14 + _BAR * (1 + max((bar.row for bar in shown.bars), default=-1))
    rows = {one: float(under + _ROW * (one.row + 0.5)) for one in shown.labels}
    height = max(rows.values()) + 0.5 * _ROW
    marks = [
        *_axis_marks(shown, top), *_bar_marks(shown, top), *_label_marks(shown, rows, top),
        *_difference_marks(shown, top),
    ]  # fmt: skip
    longest = {side: max((len(one.name) for one in shown.labels if one.side == side), default=0)
               for side in ("left", "right")}  # fmt: skip
    wide = 300 if len(shown.labels) <= 10 else 420
    plot = Plot(
        x=(Axis(kind="hidden", ends=(float(shown.low), float(shown.high)), reverse=True),),
        y=(Axis(kind="hidden", ends=(0.0, height), reverse=True),), marks=tuple(marks),
        height=int(height) + 8, least=wide + 7 * sum(longest.values()) + 80,
    )  # fmt: skip
    return Figure(plots=(plot,), wide=plot.least > 560, note=shown.caption)


def _line(x: Column, y: Column, width: float = 1.2, colour: str = "ink") -> Line:
    return Line(x=(x,), y=(y,), width=width, colour=colour)


def _axis_marks(shown: Diagram, top: float) -> list[Mark]:
    span = shown.high - shown.low
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if span / s <= 12 or s == 500)
    named = tuple(float(rank) for rank in range(shown.low, shown.high + 1, step))
    x = tuple(v for rank in named for v in (rank, rank, None))
    return [
        _line((float(shown.low), float(shown.high)), (top, top)),
        _line(x, (top - 6, top, None) * len(named)),
        Texts(x=(named,), y=((top - 14.0,) * len(named),), anchor="middle", colour="soft",
              texts=tuple(f"{rank:.0f}" for rank in named), size=11),
    ]  # fmt: skip


def _bar_marks(shown: Diagram, top: float) -> list[Mark]:
    found: list[Mark] = []
    for bar in shown.bars:
        y, room = top + 12 + _BAR * bar.row, _OVERHANG * (shown.high - shown.low)
        ends = bar.ranks[0], bar.ranks[-1]
        if bar.whole:
            before = min(room, 0.4 * (ends[0] - bar.outside[0]))
            after = min(room, 0.4 * (bar.outside[1] - ends[1]))
            found.append(_line((ends[0] - before, ends[1] + after), (y, y), 4.5))
        else:
            found += [_line(ends, (y, y), 1.2), Points(x=(bar.ranks,), y=((y,) * len(bar.ranks),),
                                                       colour="ink", size=3)]  # fmt: skip
    return found


def _label_marks(shown: Diagram, rows: dict[AxisLabel, float], top: float) -> list[Mark]:
    """The names beside the axis, the best on the right, with lines to their ranks."""
    edges = {"left": float(shown.high), "right": float(shown.low)}
    x = tuple(v for one in shown.labels for v in (one.rank, one.rank, edges[one.side], None))
    y = tuple(v for one in shown.labels for v in (top, rows[one], rows[one], None))
    found: list[Mark] = [_line(x, y, 1.0, "line")]
    for one in shown.labels:
        right, rank = one.side == "right", f"{one.rank:.2f}"
        found.append(
            Texts(
                x=((edges[one.side],),), y=((rows[one],),), anchor="start" if right else "end",
                dx=6 if right else -6, bold=one.control, colour="ink",
                texts=(f"{rank}  {one.name}" if right else f"{one.name}  {rank}",),
            )
        )  # fmt: skip
    return found


def _difference_marks(shown: Diagram, top: float) -> list[Mark]:
    """The interval around the control on the axis, or the length of one above it."""
    cd, span = shown.critical_difference, shown.high - shown.low
    if cd is None:
        return []
    high, text = float(shown.high), f"CD = {number(cd, 3)}"
    if shown.interval is not None:
        low, up = (None if cut else end
                   for end, cut in zip(shown.interval, shown.cut, strict=True))  # fmt: skip
        around = Intervals(at=((top,),), low=((low,),), high=((up,),), width=5, colour="ink")
        middle, text = (shown.low + high) / 2, f"{text} on either side of the control"
        return [around, Texts(x=((middle,),), y=((10.0,),), texts=(text,), anchor="middle",
                              colour="ink")]  # fmt: skip
    if cd > span:  # no two of these can be that far apart
        return [Texts(x=((high,),), y=((10.0,),), texts=(f"{text}, longer than the axis",),
                      colour="ink")]  # fmt: skip
    ends = (high, high, high, high - cd, high - cd, high - cd)
    bracket = _line(ends, (22.0, 30.0, 26.0, 26.0, 22.0, 30.0))
    return [bracket, Texts(x=((high,),), y=((10.0,),), texts=(text,), colour="ink")]
