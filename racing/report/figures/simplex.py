"""The posterior of two algorithms over: first better, practically equivalent, second better.

Each draw of (θ_left, θ_rope, θ_right) is a point of a triangle, near the corner of the largest. The
lines part the triangle by which of the three is largest; the share of draws in each part is its
posterior probability (Corani and Benavoli, 2015, show such figures).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare.posterior_words import probability
from racing.base.words import number
from racing.report.figures.canvas import (
    GREY,
    INK,
    SMALL,
    as_file,
    new_figure,
    save,
    shorten,
    text_width,
    write,
)

_SIDE = 3.4  # inches
_HEIGHT = _SIDE * 3**0.5 / 2
_CORNERS = np.array([[0.0, 0.0], [_SIDE / 2, _HEIGHT], [_SIDE, 0.0]])  # left, rope, right; y up


@dataclass(frozen=True, eq=False)
class Simplex:
    """Points of a triangle, (D, 2) in inches from its left corner, y upwards; and its shares."""

    points: NDArray[np.float64]
    first: str
    second: str
    shares: tuple[float, float, float]
    caption: str


def simplex(draws: NDArray[np.float64], first: str, second: str, *, rope: float) -> Simplex:
    """The data of the figure, from (D, 3) draws of (θ_left, θ_rope, θ_right)."""
    largest = np.bincount(draws.argmax(axis=1), minlength=3) / len(draws)
    return Simplex(
        points=draws @ _CORNERS,
        first=shorten(first),
        second=shorten(second),
        shares=(float(largest[0]), float(largest[1]), float(largest[2])),
        caption=f"Posterior; practically equal: a difference of at most {number(rope)}.",
    )


def draw_simplex(
    draws: NDArray[np.float64], first: str, second: str, path: str | Path, *, rope: float
) -> Path:
    """Draw the posterior of two algorithms; errors as for `draw_critical_difference`."""
    file = as_file(path)
    return save(figure_of(simplex(draws, first, second, rope=rope)), file)


def figure_of(shown: Simplex) -> Any:
    """The matplotlib figure of a simplex plot."""
    words = (f"{shown.first} better", "practically equal", f"{shown.second} better")
    half = max(text_width(words[0]), text_width(words[2])) / 2
    left = max(half, 0.3) + 0.15
    width = max(left * 2 + _SIDE, text_width(shown.caption, SMALL) + 0.3)
    left, top = (width - _SIDE) / 2, 0.62
    figure, axes = new_figure(width, top + _HEIGHT + 0.95)
    place = np.column_stack([left + shown.points[:, 0], top + _HEIGHT - shown.points[:, 1]])
    corners = np.column_stack([left + _CORNERS[:, 0], top + _HEIGHT - _CORNERS[:, 1]])
    _draw_density(axes, place, corners)
    _draw_triangle(axes, corners)
    below = top + _HEIGHT
    for at, (x, y) in enumerate(
        ((left, below + 0.2), (width / 2, 0.2), (left + _SIDE, below + 0.2))
    ):
        write(axes, x, y, words[at])
        write(axes, x, y + 0.19, probability(shown.shares[at]), weight="bold")
    write(axes, width / 2, below + 0.75, shown.caption, fontsize=SMALL, color=GREY)
    return figure


def _draw_density(axes: Any, place: NDArray[np.float64], corners: NDArray[np.float64]) -> None:
    from racing.base.errors import require

    patches = require("matplotlib.patches", extra="plot", purpose="drawing")
    x, y = corners[:, 0], corners[:, 1]
    drawn = axes.hexbin(
        place[:, 0], place[:, 1], gridsize=46, extent=(x.min(), x.max(), y.min(), y.max()),
        mincnt=1, cmap="Blues", bins="log", linewidths=0.1,
    )  # fmt: skip
    triangle = patches.Polygon(corners, closed=True, transform=axes.transData)
    drawn.set_clip_path(triangle)


def _draw_triangle(axes: Any, corners: NDArray[np.float64]) -> None:
    closed = np.vstack([corners, corners[:1]])
    axes.plot(closed[:, 0], closed[:, 1], color=INK, lw=1.0)
    centre = corners.mean(axis=0)
    for one, two in ((0, 1), (1, 2), (0, 2)):
        middle = (corners[one] + corners[two]) / 2
        axes.plot(*zip(centre, middle, strict=True), color=GREY, lw=0.8, ls=(0, (4, 3)))
