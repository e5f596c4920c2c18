"""What the figures of a report share: colours that colour-blind people tell apart, plain axes."""

from __future__ import annotations

from typing import Any

from racing.errors import require
from racing.plot.canvas import FONT, GREY, INK, SMALL

ACCENT, ACCENT2, FAIL = "#0067a5", "#b35900", "#d55e00"
FATES = {"winner": "#0067a5", "survivor": "#00875f", "dropped": "#9aa4af", "waiting": "#b9a2c6"}
SERIES = ("#0067a5", "#d55e00", "#00875f", "#a8559b", "#b38600", "#3f88b5")


def axes_of(width: float = 4.8, height: float = 3.2, **how: Any) -> tuple[Any, Any]:
    """A figure of so many inches with one pair of axes."""
    module = require("matplotlib.figure", extra="plot", purpose="drawing")
    figure = module.Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot(**how)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=SMALL, colors=INK)
    return figure, axes


def label(axes: Any, x: str = "", y: str = "") -> None:
    """Names of the axes, as they are: a $ starts no formula."""
    for text, put in ((x, axes.set_xlabel), (y, axes.set_ylabel)):
        put(text, fontsize=FONT, color=INK, parse_math=False)


def legend(axes: Any, **how: Any) -> None:
    """A legend without a frame."""
    found = axes.legend(fontsize=SMALL, frameon=False, labelcolor=GREY, **how)
    for text in found.get_texts():
        text.set_parse_math(False)


def numbers(cells: Any) -> list[float]:
    """Cells of a picture as numbers; what is no number is NaN."""
    return [cell if isinstance(cell, (int, float)) else float("nan") for cell in cells]
