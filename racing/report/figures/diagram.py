"""A critical-difference diagram as data: labels in rows, bars, an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from racing.analysis.compare.verdicts import Verdicts
from racing.analysis.compare.words import TESTS, number
from racing.report.figures.canvas import shorten

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


def diagram(c: Verdicts) -> Diagram:
    """The diagram of a comparison, as data."""
    ranks = [float(r) for r in c.mean_ranks]
    low, high = _axis(ranks)
    cd, control = c.critical_difference, c.choices.control
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


def _labels(c: Verdicts, ranks: list[float]) -> tuple[AxisLabel, ...]:
    """The better half on the right, the others on the left; the outermost on top."""
    right = c.order[: (len(c.names) + 1) // 2]
    left = c.order[len(right) :][::-1]
    sides: tuple[tuple[Side, tuple[int, ...]], ...] = (("right", right), ("left", left))
    return tuple(
        AxisLabel(shorten(c.names[i]), ranks[i], side, row, i == c.choices.control)
        for side, half in sides
        for row, i in enumerate(half)
    )


def _bars(c: Verdicts, ranks: list[float], low: int, high: int) -> tuple[Bar, ...]:
    if c.choices.control is None:
        groups = c.bars
    else:
        k = c.choices.control
        groups = (tuple(i for i in c.order if i == k or c.joined[i, k]),)
    room = 0.03 * (high - low)  # between two bars in one row
    ends: list[float] = []
    bars = []
    for group in sorted(groups, key=lambda g: min(ranks[i] for i in g)):
        own = tuple(sorted(ranks[i] for i in group))
        row = next((at for at, end in enumerate(ends) if own[0] > end + room), len(ends))
        ends[row : row + 1] = [own[-1]]
        others = [r for i, r in enumerate(ranks) if i not in group]
        whole = c.choices.control is None and not any(own[0] <= r <= own[-1] for r in others)
        before = max((r for r in others if r < own[0]), default=-math.inf)
        after = min((r for r in others if r > own[-1]), default=math.inf)
        bars.append(Bar(own, row, whole, (before, after)))
    return tuple(bars)


def _caption(c: Verdicts, *, thin: bool, left_out: int) -> str:
    choices = c.choices
    test = TESTS[choices.test].removeprefix("the ").replace("distance of their mean", "mean")
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
