"""A mark with its interval in each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from racing.report.figures.canvas import FATES, axes_of, label


def intervals(data: Mapping[str, Any]) -> Any:
    """The figure of a picture of intervals; an infinite interval reaches the edge."""
    rows = [row for row in data["rows"] if isinstance(row[2], float)]
    figure, axes = axes_of(4.6, 0.7 + 0.26 * max(len(rows), 1))
    known = [0.0, *(cell for row in rows for cell in row[2:5] if isinstance(cell, float))]
    room = 0.05 * (max(known) - min(known) or 1.0)
    edges = min(known) - room, max(known) + room
    for y, (_, _, mark, low, high) in enumerate(rows):
        ends = [
            end if isinstance(end, float) else edge
            for end, edge in zip((low, high), edges, strict=True)
        ]
        axes.plot(ends, [y, y], color=FATES["winner"], lw=1.6)
        axes.plot([mark], [y], "o", ms=5, color=FATES["winner"])
    axes.axvline(0, ls="--", lw=0.8, color="#6b6b6b", zorder=0)
    axes.set_xlim(*edges)
    axes.set_yticks(range(len(rows)), [f"{row[0][:24]} ({row[1]})" for row in rows], fontsize=7)
    for tick in axes.get_yticklabels():
        tick.set_parse_math(False)
    axes.invert_yaxis()
    label(axes, data["label"])
    return figure
