"""Matrices of all pairs: adjusted p-values, and posterior probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from racing.compare.comparison import Comparison
from racing.compare.report import probability
from racing.compare.words import CORRECTIONS, TESTS, number, p_value
from racing.errors import InputError
from racing.plot.canvas import (
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

_WRITTEN = 15  # algorithms up to which cells hold numbers
_BETTER = ("#08519c", "#4292c6", "#9ecae1")  # dark to light
_WORSE = ("#a63603", "#e6842a", "#fdc38d")
_NEITHER, _NOTHING = "#eeeeee", "#ffffff"
_EDGE = 0.15


@dataclass(frozen=True)
class Matrix:
    """A coloured matrix; row i, column j says something of row i against column j.

    `colours` and `texts` are rows of m cells; `legend` pairs colours with words.
    """

    names: tuple[str, ...]
    colours: tuple[tuple[str, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    legend: tuple[tuple[str, str], ...]
    caption: str


def pvalue_matrix(c: Comparison) -> Matrix:
    """Adjusted p-values, best mean rank first; coloured where a difference was shown."""
    levels = _levels(c.choices.alpha)
    ahead = _ahead(c)
    colours, texts = [], []
    for i in c.order:
        colours.append(
            tuple(_pvalue_colour(i, j, c.adjusted[i, j], ahead[i, j], levels) for j in c.order)
        )
        texts.append(tuple(_pvalue_text(i, j, c.adjusted[i, j]) for j in c.order))
    legend = [(_BETTER[3 - len(levels) + at], f"row better, p ≤ {number(level)}")
              for at, level in enumerate(levels)]  # fmt: skip
    legend.append((_NEITHER, "not shown to differ"))
    legend += [(_WORSE[3 - len(levels) + at], f"row worse, p ≤ {number(level)}")
               for at, level in reversed(list(enumerate(levels)))]  # fmt: skip
    names = tuple(shorten(c.names[i]) for i in c.order)
    return Matrix(names, tuple(colours), tuple(texts), tuple(legend), _pvalue_caption(c))


def posterior_matrix(c: Comparison) -> Matrix:
    """Posterior probabilities that the row is (practically) better, best mean rank first.

    Raises
    ------
    InputError
        If the comparison has no posterior probabilities of all pairs.
    """
    if c.posterior is None:
        raise InputError(
            "heatmap: no posterior probabilities of all pairs; ask for them: bayes='signed-rank' "
            "(--bayes signed-rank), or 'sign'"
        )
    p = c.posterior.better[np.ix_(c.order, c.order)]
    colours = tuple(
        tuple(_NOTHING if i == j else blend(float(q)) for j, q in enumerate(row))
        for i, row in enumerate(p)
    )
    texts = tuple(
        tuple("" if i == j else probability(float(q)) for j, q in enumerate(row))
        for i, row in enumerate(p)
    )
    legend = tuple((blend(q), f"{q:g}") for q in (1.0, 0.95, 0.75, 0.5, 0.25, 0.05, 0.0))
    names = tuple(shorten(c.names[i]) for i in c.order)
    near = f" by more than {number(c.choices.rope)}" if c.choices.rope > 0 else ""
    caption = f"Posterior probability that the row is better than the column{near}."
    return Matrix(names, colours, texts, legend, caption)


def draw_pvalues(c: Comparison, path: str | Path) -> Path:
    """Draw the matrix of adjusted p-values; errors as for `draw_critical_difference`."""
    file = as_file(path)
    return save(figure_of(pvalue_matrix(c)), file)


def draw_posteriors(c: Comparison, path: str | Path) -> Path:
    """Draw the matrix of posterior probabilities; errors also as for `posterior_matrix`."""
    file = as_file(path)
    return save(figure_of(posterior_matrix(c)), file)


def figure_of(shown: Matrix) -> Any:
    """The matplotlib figure of a matrix."""
    m = len(shown.names)
    written = m <= _WRITTEN
    cell = 0.52 if written else max(0.17, min(0.3, 7.0 / m))
    longest = max(map(text_width, shown.names))
    left, top = _EDGE + longest + 0.08, _EDGE + _slanted(shown, cell)
    legend = max(text_width(text, SMALL) for _, text in shown.legend) + 0.35
    side = m * cell
    overhang = _slanted(shown, cell) if written else 0.0
    width = left + side + max(0.2 + legend, overhang) + _EDGE
    width = max(width, text_width(shown.caption, SMALL) + 2 * _EDGE)
    height = max(top + side, top + 0.2 * len(shown.legend)) + 0.4
    figure, axes = new_figure(width, height)
    _draw_cells(axes, shown, left, top, cell, written)
    _draw_names(axes, shown, left, top, cell)
    _draw_legend(axes, shown, left + side + 0.2, top)
    write(axes, width / 2, height - 0.16, shown.caption, fontsize=SMALL, color=GREY)
    return figure


def blend(p: float) -> str:
    """White at 1/2, blue towards 1, orange towards 0."""
    end = _rgb(_BETTER[0]) if p >= 0.5 else _rgb(_WORSE[0])
    share = abs(2.0 * p - 1.0)
    mixed = (round(255 + (channel - 255) * share) for channel in end)
    return "#{:02x}{:02x}{:02x}".format(*mixed)


def _levels(alpha: float) -> tuple[float, ...]:
    """Up to three levels of which the last is α."""
    return (*(level for level in (0.001, 0.01) if level < alpha), alpha)


def _ahead(c: Comparison) -> np.ndarray:
    ahead = np.zeros((c.table.m, c.table.m), dtype=int)
    f = c.family
    ahead[f.first, f.second], ahead[f.second, f.first] = f.favours, -f.favours
    return ahead


def _pvalue_colour(i: int, j: int, p: float, side: int, levels: tuple[float, ...]) -> str:
    if i == j or np.isnan(p):
        return _NOTHING
    for at, level in enumerate(levels):
        if p <= level:
            return (_BETTER if side >= 0 else _WORSE)[3 - len(levels) + at]
    return _NEITHER


def _pvalue_text(i: int, j: int, p: float) -> str:
    return "" if i == j or np.isnan(p) else p_value(p)


def _pvalue_caption(c: Comparison) -> str:
    test = TESTS[c.choices.test].removeprefix("the ")
    named = CORRECTIONS.get(c.choices.correction)
    adjusted = f", adjusted by {named}" if named and c.choices.correction != "nemenyi" else ""
    if c.choices.correction == "nemenyi":
        test = "Nemenyi's test"
    return f"p-values: {test}{adjusted}."


def _slanted(shown: Matrix, cell: float) -> float:
    """Height of the names over the columns."""
    longest = max(map(text_width, shown.names))
    return min(longest, longest if cell < 0.5 else longest * 0.72 + 0.1) + 0.08


def _draw_cells(
    axes: Any, shown: Matrix, left: float, top: float, cell: float, written: bool
) -> None:
    from racing.errors import require

    patches = require("matplotlib.patches", extra="plot", purpose="drawing")
    for i, row in enumerate(shown.colours):
        for j, colour in enumerate(row):
            x, y = left + j * cell, top + i * cell
            axes.add_patch(
                patches.Rectangle((x, y), cell, cell, facecolor=colour, edgecolor="white", lw=0.8)
            )
            if i == j:
                axes.plot(
                    [x + 0.3 * cell, x + 0.7 * cell], [y + 0.5 * cell] * 2, color="#bbbbbb", lw=0.8
                )
            elif written and shown.texts[i][j]:
                ink = "white" if _dark(colour) else INK
                write(
                    axes, x + cell / 2, y + cell / 2, shown.texts[i][j], fontsize=SMALL, color=ink
                )


def _draw_names(axes: Any, shown: Matrix, left: float, top: float, cell: float) -> None:
    slant = 45 if cell >= 0.5 else 90
    for at, name in enumerate(shown.names):
        middle = (at + 0.5) * cell
        write(axes, left - 0.06, top + middle, name, ha="right")
        write(
            axes, left + middle, top - 0.06, name, rotation=slant, rotation_mode="anchor",
            ha="left", va="center" if slant == 90 else "baseline",
        )  # fmt: skip


def _draw_legend(axes: Any, shown: Matrix, x: float, top: float) -> None:
    from racing.errors import require

    patches = require("matplotlib.patches", extra="plot", purpose="drawing")
    for at, (colour, text) in enumerate(shown.legend):
        y = top + 0.2 * at
        axes.add_patch(
            patches.Rectangle((x, y), 0.16, 0.16, facecolor=colour, edgecolor=GREY, lw=0.4)
        )
        write(axes, x + 0.24, y + 0.08, text, ha="left", fontsize=SMALL)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _dark(colour: str) -> bool:
    red, green, blue = _rgb(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140
