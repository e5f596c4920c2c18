"""Matrices of all pairs: adjusted p-values, and posterior probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from racing.analysis.compare.posterior_words import probability
from racing.analysis.compare.verdicts import Verdicts
from racing.analysis.compare.words import CORRECTIONS, TESTS, number, p_value
from racing.base.errors import InputError
from racing.report.figures.canvas import (
    FONT,
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
_SMALLEST = 0.085  # inches of a cell; names are as high
_BETTER = ("#08519c", "#4292c6", "#9ecae1")  # dark to light
_EQUAL = "#238b45"
_WORSE = ("#a63603", "#e6842a", "#fdc38d")
_NEITHER, _NOTHING = "#eeeeee", "#ffffff"
_EDGE = 0.15


@dataclass(frozen=True)
class Matrix:
    """A coloured matrix; the cell in row i, column j compares i with j.

    `colours` and `texts` are rows of m cells; `legend` pairs colours with words.
    """

    names: tuple[str, ...]
    colours: tuple[tuple[str, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    legend: tuple[tuple[str, str], ...]
    caption: str


def pvalue_matrix(c: Verdicts) -> Matrix:
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


def posterior_matrix(c: Verdicts) -> Matrix:
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
    equal = c.posterior.rope[np.ix_(c.order, c.order)]
    roped = c.choices.rope > 0 or c.posterior.test == "correlated-t"
    colours = tuple(
        tuple(
            _NOTHING if i == j or np.isnan(q) else _posterior_colour(q, p[j, i], equal[i, j], roped)
            for j, q in enumerate(row)
        )
        for i, row in enumerate(p)
    )
    texts = tuple(
        tuple("" if i == j or np.isnan(q) else probability(float(q)) for j, q in enumerate(row))
        for i, row in enumerate(p)
    )
    legend = tuple((blend(q), f"{q:g}") for q in (1.0, 0.95, 0.75, 0.5, 0.25, 0.05, 0.0))
    if roped:
        equally = "as often" if c.posterior.test == "correlated-t" else "practically equal"
        legend = (
            (blend(1.0), "row better"), (blend(0.0, 0.0, 1.0), equally),
            (blend(0.0, 1.0), "column better"), (_NOTHING, "undecided"),
        )  # fmt: skip
    names = tuple(shorten(c.names[i]) for i in c.order)
    near = f" by more than {number(c.choices.rope)}" if c.choices.rope > 0 else ""
    caption = f"Posterior probability that the row is better than the column{near}."
    if roped:
        caption += " Colours mix the probabilities of all three."
    return Matrix(names, colours, texts, legend, caption)


def draw_pvalues(c: Verdicts, path: str | Path) -> Path:
    """Draw the matrix of adjusted p-values; errors as for `draw_critical_difference`."""
    file = as_file(path)
    return save(figure_of(pvalue_matrix(c)), file)


def draw_posteriors(c: Verdicts, path: str | Path) -> Path:
    """Draw the matrix of posterior probabilities; errors also as for `posterior_matrix`."""
    file = as_file(path)
    return save(figure_of(posterior_matrix(c)), file)


def figure_of(shown: Matrix) -> Any:
    """The matplotlib figure of a matrix."""
    m = len(shown.names)
    written = m <= _WRITTEN
    cell = 0.52 if written else max(_SMALLEST, min(0.3, 7.0 / m))
    size = _font(cell)
    longest = max(text_width(name, size) for name in shown.names)
    left, top = _EDGE + longest + 0.08, _EDGE + _slanted(shown, cell)
    legend = max(text_width(text, SMALL) for _, text in shown.legend) + 0.35
    side = m * cell
    overhang = _slanted(shown, cell) if written else 0.0
    width = left + side + max(0.2 + legend, overhang) + _EDGE
    width = max(width, text_width(shown.caption, SMALL) + 2 * _EDGE)
    height = max(top + side, top + 0.2 * len(shown.legend)) + 0.4
    figure, axes = new_figure(width, height)
    _draw_cells(axes, shown, left, top, cell)
    if written:
        _write_cells(axes, shown, left, top, cell)
    _draw_names(axes, shown, left, top, cell)
    _draw_legend(axes, shown, left + side + 0.2, top)
    write(axes, width / 2, height - 0.16, shown.caption, fontsize=SMALL, color=GREY)
    return figure


def blend(better: float, worse: float | None = None, equal: float = 0.0) -> str:
    """Blue where better is likelier than worse, orange where worse is, green where equal.

    `worse` is 1 − better if it is left out, so that 1/2 is white.
    """
    ahead = 2.0 * better - 1.0 if worse is None else better - worse
    end = _rgb(_BETTER[0]) if ahead >= 0 else _rgb(_WORSE[0])
    mixed = (
        round(255 + (one - 255) * abs(ahead) + (two - 255) * equal)
        for one, two in zip(end, _rgb(_EQUAL), strict=True)
    )
    return "#{:02x}{:02x}{:02x}".format(*(min(max(channel, 0), 255) for channel in mixed))


def _posterior_colour(better: float, worse: float, equal: float, roped: bool) -> str:
    return blend(float(better), float(worse), float(equal)) if roped else blend(float(better))


def _levels(alpha: float) -> tuple[float, ...]:
    """Up to three levels of which the last is α."""
    return (*(level for level in (0.001, 0.01) if level < alpha), alpha)


def _ahead(c: Verdicts) -> np.ndarray:
    ahead = np.zeros((len(c.names), len(c.names)), dtype=int)
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


def _pvalue_caption(c: Verdicts) -> str:
    test = TESTS[c.choices.test].removeprefix("the ")
    named = CORRECTIONS.get(c.choices.correction)
    adjusted = f", adjusted by {named}" if named and c.choices.correction != "nemenyi" else ""
    if c.choices.correction == "nemenyi":
        test = "Nemenyi's test"
    return f"p-values: {test}{adjusted}."


def _slanted(shown: Matrix, cell: float) -> float:
    """Height of the names over the columns."""
    longest = max(text_width(name, _font(cell)) for name in shown.names)
    return min(longest, longest if cell < 0.5 else longest * 0.72 + 0.1) + 0.08


def _font(cell: float) -> float:
    """Points of names that stand in rows as high as a cell."""
    return min(FONT, 72 * cell * 0.74)


def _draw_cells(axes: Any, shown: Matrix, left: float, top: float, cell: float) -> None:
    """All cells as one picture: two hundred rows are 40,000 cells. Dashes mark the diagonal."""
    m = len(shown.names)
    pixels = np.array([[_rgb(colour) for colour in row] for row in shown.colours], dtype=np.uint8)
    edges = left, left + m * cell, top + m * cell, top
    limits = axes.get_xlim(), axes.get_ylim()
    axes.imshow(pixels, extent=edges, interpolation="nearest", aspect="auto", zorder=0)
    axes.set_xlim(*limits[0])
    axes.set_ylim(*limits[1])
    lines = np.arange(m + 1) * cell
    style = {"color": "white", "lw": min(0.8, 6 * cell), "zorder": 1}
    axes.hlines(top + lines, left, left + m * cell, **style)
    axes.vlines(left + lines, top, top + m * cell, **style)
    middle = (np.arange(m) + 0.5) * cell
    axes.hlines(
        top + middle, left + middle - 0.2 * cell, left + middle + 0.2 * cell, color="#bbbbbb",
        lw=0.8, zorder=2,
    )  # fmt: skip


def _write_cells(axes: Any, shown: Matrix, left: float, top: float, cell: float) -> None:
    for i, row in enumerate(shown.colours):
        for j, colour in enumerate(row):
            if i != j and shown.texts[i][j]:
                ink = "white" if _dark(colour) else INK
                x, y = left + (j + 0.5) * cell, top + (i + 0.5) * cell
                write(axes, x, y, shown.texts[i][j], fontsize=SMALL, color=ink)


def _draw_names(axes: Any, shown: Matrix, left: float, top: float, cell: float) -> None:
    slant = 45 if cell >= 0.5 else 90
    for at, name in enumerate(shown.names):
        middle = (at + 0.5) * cell
        write(axes, left - 0.06, top + middle, name, ha="right", fontsize=_font(cell))
        write(
            axes, left + middle, top - 0.06, name, rotation=slant, rotation_mode="anchor",
            ha="left", va="center" if slant == 90 else "baseline", fontsize=_font(cell),
        )  # fmt: skip


def _draw_legend(axes: Any, shown: Matrix, x: float, top: float) -> None:
    from racing.base.errors import require

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
