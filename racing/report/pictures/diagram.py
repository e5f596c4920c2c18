"""Critical-difference diagrams in both of Demšar's forms (2006, figure 1), for any correction.

All pairs: bars join groups of algorithms that were not shown to differ. Against a control: the
interval of one critical difference around it where there is one, else a dot for every algorithm
that was not shown to differ from it. The axis has the best mean rank to the right.

Where groups come from p-values they need not be neighbours: a bar that passes over an algorithm
that does not belong to it is thin, with a dot on each member.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from racing.analysis.compare import Comparison
from racing.base.words import number, refer
from racing.report.forms import Axis, Figure, Intervals, Line, Mark, Points, Texts, figure

_MOST_ROWS = 25  # of bars; more cannot be told apart
_CORRECTIONS = {
    "sidak": "Šidák",
    "benjamini-hochberg": "Benjamini–Hochberg",
    "bergmann-hommel": "Bergmann–Hommel",
}
_TOP, _BAR, _ROW = 62, 13, 20  # pixels: the axis, and between bars and between names
_OVERHANG = 0.012  # of a bar over its outer members, of the axis


class Bar(NamedTuple):
    """A bar over the mean ranks of its members, in one of the rows below the axis.

    `whole` says that all algorithms within its span belong to it; `outside` are the nearest mean
    ranks on either side that do not, or infinite.
    """

    ranks: tuple[float, ...]
    row: int
    whole: bool
    outside: tuple[float, float]


def diagram(c: Comparison) -> Figure:
    """The diagram of a comparison: over mean ranks, and pixels downwards."""
    ranks, cd, control = [float(r) for r in c.mean_ranks], c.critical_difference, c.control
    low, high = 1, len(ranks)
    if high > 10:  # of many the part in use
        low, high = math.floor(min(ranks)), max(math.ceil(max(ranks)), math.floor(min(ranks)) + 1)
    interval = None if control is None or cd is None else (ranks[control] - cd, ranks[control] + cd)
    bars = () if interval else _bars(c, ranks, room=0.03 * (high - low))
    shown = [bar for bar in bars if bar.row < _MOST_ROWS]
    top = 32 if cd is None else _TOP
    under = top + 14 + _BAR * (1 + max((bar.row for bar in shown), default=-1))
    half = (len(c.names) + 1) // 2  # the best are named on the right, from the top
    sides = {"right": c.order[:half], "left": c.order[half:][::-1]}
    longest = (max((len(refer(c.names[i])) for i in own), default=0) for own in sides.values())
    least = (380 if len(c.names) <= 10 else 500) + 7 * sum(longest)
    height, caption = under + _ROW * half, _caption(c, shown, left_out=len(bars) - len(shown))
    marks = [*_axis(low, high, top), *_lines(shown, high - low, top)]
    for side, edge in (("right", low), ("left", high)):
        marks += _labels(c, sides[side], side, edge, top, under)
    if cd is not None:
        marks += _difference(cd, interval, low, high, top)
    return figure(
        marks, Axis(kind="hidden", ends=(float(low), float(high)), reverse=True),
        Axis(kind="hidden", ends=(0.0, float(height)), reverse=True), height=height + 8,
        least=least, wide=least > 560, note=caption,
    )  # fmt: skip


def _bars(c: Comparison, ranks: list[float], room: float) -> tuple[Bar, ...]:
    """The bars of groups; two in one row have some room between them."""
    groups, k = c.bars, c.control
    if k is not None:
        groups = (tuple(i for i in c.order if i == k or c.joined[i, k]),)
    ends: list[float] = []
    bars = []
    for group in sorted(groups, key=lambda g: min(ranks[i] for i in g)):
        own = tuple(sorted(ranks[i] for i in group))
        row = next((at for at, end in enumerate(ends) if own[0] > end + room), len(ends))
        ends[row : row + 1] = [own[-1]]
        others = [r for i, r in enumerate(ranks) if i not in group]
        whole = k is None and not any(own[0] <= r <= own[-1] for r in others)
        before = max((r for r in others if r < own[0]), default=-math.inf)
        after = min((r for r in others if r > own[-1]), default=math.inf)
        bars.append(Bar(own, row, whole, (before, after)))
    return tuple(bars)


def _caption(c: Comparison, shown: Sequence[Bar], *, left_out: int) -> str:
    test = c.test.noun.removeprefix("the ").replace("distance of their mean", "mean")
    if (name := c.choices.correction) != "none" and c.family.first.size > 1:
        test += f", {_CORRECTIONS.get(name, name.capitalize())}"
    how = f"at the level {number(c.choices.alpha)} ({test})"
    if c.choices.control is None:
        dots = "" if all(bar.whole for bar in shown) else " Thin bars join those with a dot."
        rest = f" {left_out} further bars are not drawn." if left_out else ""
        return f"Mean ranks. Bars join algorithms not shown to differ {how}.{dots}{rest}"
    if c.critical_difference is not None:
        return f"Mean ranks. Outside the interval: shown to differ from the control {how}."
    return f"Mean ranks. Dots: not shown to differ from the control {how}."


def _axis(low: int, high: int, top: float) -> Iterator[Mark]:
    span = high - low
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if span / s <= 12 or s == 500)
    named = range(low, high + 1, step)
    x = [v for rank in named for v in (rank, rank, None)]
    yield Line(x=(low, high), y=(top, top), width=1.2, colour="ink")
    yield Line(x=x, y=(top - 6, top, None) * len(named), width=1.2, colour="ink")
    yield Texts(x=named, y=(top - 14,) * len(named), anchor="middle", colour="soft", size=11,
                texts=tuple(map(str, named)))  # fmt: skip


def _lines(shown: Sequence[Bar], span: float, top: float) -> Iterator[Mark]:
    room = _OVERHANG * span
    for bar in shown:
        first, last, y = bar.ranks[0], bar.ranks[-1], top + 12 + _BAR * bar.row
        if bar.whole:
            first -= min(room, 0.4 * (first - bar.outside[0]))
            last += min(room, 0.4 * (bar.outside[1] - last))
        width = 4.5 if bar.whole else 1.2
        yield Line(x=(first, last), y=(y, y), width=width, colour="ink")
        if not bar.whole:
            yield Points(x=bar.ranks, y=(y,) * len(bar.ranks), colour="ink", size=3)


def _labels(
    c: Comparison, own: Sequence[int], side: str, edge: float, top: float, under: float
) -> Iterator[Mark]:
    """The names on one side of the axis, from the top, with lines to their ranks."""
    right, rows = side == "right", [under + _ROW * (k + 0.5) for k in range(len(own))]
    x = [v for i in own for v in (c.mean_ranks[i], c.mean_ranks[i], edge, None)]
    yield Line(x=x, y=[v for at in rows for v in (top, at, at, None)], width=1.0, colour="line")
    for i, at in zip(own, rows, strict=True):
        words = [f"{c.mean_ranks[i]:.2f}", refer(c.names[i])]
        yield Texts(x=[edge], y=[at], anchor="start" if right else "end", dx=6 if right else -6,
                    bold=i == c.control, colour="ink",
                    texts=["  ".join(words if right else words[::-1])])  # fmt: skip


def _difference(
    cd: float, interval: tuple[float, float] | None, low: float, high: float, top: float
) -> Iterator[Mark]:
    """The interval around the control on the axis, or the length of one above it."""
    x, text, anchor = float(high), f"CD = {number(cd, 3)}", "start"
    if interval is not None:
        first, last = interval  # the ends of the axis cut it
        yield Intervals(at=[top], low=[first if first > low else None],
                        high=[last if last < high else None], width=5, colour="ink")  # fmt: skip
        x, text, anchor = (low + high) / 2, f"{text} on either side of the control", "middle"
    elif cd > high - low:  # no two of these can be that far apart
        text += ", longer than the axis"
    else:
        ticks = (22, 30, 26, 26, 22, 30)
        yield Line(x=(high,) * 3 + (high - cd,) * 3, y=ticks, width=1.2, colour="ink")
    yield Texts(x=[x], y=[10], texts=[text], anchor=anchor, colour="ink")  # type: ignore[arg-type]
