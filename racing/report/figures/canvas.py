"""Common parts of all figures: matplotlib when needed, colours, axes, and files by ending.

Colour-blind people can distinguish the colours too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from racing.base.errors import InputError, require
from racing.base.plain import printable

ENDINGS = (".png", ".svg", ".pdf")
FONT = 9.0  # points
SMALL = 7.5
INK = "#222222"
GREY = "#6b6b6b"
FAINT = "#a6a6a6"
FAIL = "#d55e00"
FATES = {"winner": "#0067a5", "survivor": "#00875f", "dropped": "#9aa4af", "waiting": "#cdb98a"}
REASONS = ("#9aa4af", "#b38600", "#a8559b", "#222222", "#6b6b6b", "#8a949e")
PLACES = ("#3f1f74", "#ebe6f5")
"""The ends of the colours from the best place to the worst; each colour has one meaning."""
SERIES = ("#0067a5", "#b38600", "#a8559b", "#00875f", "#55606e", "#3f88b5")
"""Algorithms that are compared, in pictures without candidates of a race: c1 to c6 of the page."""
LONGEST = 60  # characters of a name that are shown


def new_figure(width: float, height: float) -> tuple[Any, Any]:
    """A figure of so many inches, and axes over all of it in inches, y downwards."""
    figure_module = require("matplotlib.figure", extra="plot", purpose="drawing")
    figure = figure_module.Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.axis("off")
    return figure, axes


def axes_of(width: float = 4.8, height: float = 3.2, **how: Any) -> tuple[Any, Any]:
    """A figure of so many inches with one pair of axes; names and ticks beside them."""
    module = require("matplotlib.figure", extra="plot", purpose="drawing")
    figure = module.Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot(**how)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=SMALL, colors=INK)
    return figure, axes


def label(axes: Any, x: str = "", y: str = "") -> None:
    """Literal names of the axes: a $ starts no formula."""
    for text, put in ((x, axes.set_xlabel), (y, axes.set_ylabel)):
        put(text, fontsize=FONT, color=INK, parse_math=False)


def categories(axes: Any, which: str, levels: Sequence[object]) -> None:
    """Names of categories at 0, 1, …; upright or slanted where they would collide."""
    names = [shorten(str(level), 14) for level in levels]
    getattr(axes, f"set_{which}ticks")(range(len(names)), names, fontsize=SMALL)
    for tick in getattr(axes, f"get_{which}ticklabels")():
        tick.set_parse_math(False)
        if which == "x" and sum(map(len, names)) > 24:
            tick.set(rotation=25, ha="right")


def whole(axes: Any, which: str) -> None:
    """Ticks at whole numbers only."""
    ticker = require("matplotlib.ticker", extra="plot", purpose="drawing")
    getattr(axes, f"{which}axis").set_major_locator(ticker.MaxNLocator(integer=True))


def legend(axes: Any, **how: Any) -> None:
    """A legend without a frame."""
    found = axes.legend(fontsize=SMALL, frameon=False, labelcolor=GREY, **how)
    for text in found.get_texts():
        text.set_parse_math(False)


def fates(
    figure: Any, found: Iterable[str], more: Mapping[str, tuple[str, str]] | None = None
) -> None:
    """A legend below a figure: these fates in their colours, and more marks.

    Parameters
    ----------
    more
        Label → (colour, marker).
    """
    lines = require("matplotlib.lines", extra="plot", purpose="drawing")
    present = set(found)
    marks = {name: (colour, "o") for name, colour in FATES.items() if name in present}
    handles = [
        lines.Line2D([], [], ls="", marker=marker, ms=4.5, color=colour, label=name)
        for name, (colour, marker) in {**marks, **(more or {})}.items()
    ]
    if handles:
        figure.legend(
            handles=handles, loc="outside lower center", ncols=len(handles), fontsize=SMALL,
            frameon=False, labelcolor=GREY, handletextpad=0.1, columnspacing=1.2,
        )  # fmt: skip


def places_bar(figure: Any, axes: Any, drawn: Any, name: str) -> None:
    """A colour bar from the best place, 0, to the worst, 1."""
    bar = figure.colorbar(drawn, ax=axes, ticks=[0, 0.5, 1])
    bar.set_label(name, fontsize=FONT, color=INK)
    bar.ax.set_yticklabels(["best", "½", "worst"], fontsize=SMALL)
    bar.ax.invert_yaxis()
    bar.outline.set_visible(False)


@cache
def place_colours() -> Any:
    """Colours from the best place to the worst."""
    colours = require("matplotlib.colors", extra="plot", purpose="drawing")
    return colours.LinearSegmentedColormap.from_list("places", list(PLACES))


def numbers(cells: Any) -> list[float]:
    """Cells of a picture as numbers; other cells are NaN."""
    return [cell if isinstance(cell, (int, float)) else float("nan") for cell in cells]


@cache
def text_width(text: str, size: float = FONT) -> float:
    """The width of a text in inches."""
    textpath = require("matplotlib.textpath", extra="plot", purpose="drawing")
    plain = text.replace("$", "S") or " "  # or it would be measured as a formula
    path = textpath.TextPath((0, 0), plain, size=size)
    # The points that outlines are drawn from reach hardly further than the outlines, and are
    # measured much faster. A little room is needed around any text.
    x = path.vertices[:, 0] if len(path.vertices) else [0.0]
    return float(max(x) - min(x) + 0.3 * size) / 72


def write(axes: Any, x: float, y: float, text: str, **how: Any) -> Any:
    """Literal text: a $ starts no formula."""
    style = {"fontsize": FONT, "color": INK, "va": "center", "ha": "center", **how}
    return axes.text(x, y, text, parse_math=False, **style)


def shorten(name: str, most: int = LONGEST) -> str:
    """A name that fits into a figure, without control characters."""
    name = printable(name)
    return name if len(name) <= most else f"{name[: most - 1]}…"


def as_file(path: str | Path) -> Path:
    """A path whose ending names a format.

    Raises
    ------
    InputError
        If it does not.
    """
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise InputError(
            f"{path}: expected a file name that ends in {', '.join(ENDINGS)}; got "
            f"{path.suffix or 'no ending'}"
        )
    return path


def _escape_texts(figure: Any) -> None:
    """Escape control characters in all texts of a figure: no SVG file may have them."""
    text = require("matplotlib.text", extra="plot", purpose="drawing")
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        names = [one.get_text() for one in axis.get_ticklabels()]
        if (fit := [*map(printable, names)]) != names:  # ticks take their texts when drawn
            axis.set_ticks(axis.get_ticklocs(), fit)
    for one in figure.findobj(text.Text):
        one.set_text(printable(one.get_text()))


def save(figure: Any, path: Path) -> Path:
    """Write a figure; the same figure gives the same file.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    matplotlib = require("matplotlib", extra="plot", purpose="drawing")
    _escape_texts(figure)
    undated = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    ending = path.suffix.lower().lstrip(".")
    with matplotlib.rc_context({"pdf.fonttype": 42, "svg.hashsalt": "racing"}):
        try:
            figure.savefig(path, dpi=200, facecolor="white", metadata=undated[ending])
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    return path
