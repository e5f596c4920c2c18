"""Figures → matplotlib: files for papers, and axes of a figure of one's own.

`draw` paints a figure of any picture (`racing.report.forms`), `save` writes it as a PNG, SVG or PDF
file, the same each time. Needs matplotlib, which is imported when something is drawn:
pip install 'racing[plot]'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import singledispatch
from io import StringIO
from pathlib import Path
from textwrap import fill
from typing import Any

from racing.base.errors import InputError, require
from racing.base.markup import escaped
from racing.base.plain import printable
from racing.base.words import refer
from racing.report.forms import (
    Axis,
    Bars,
    Column,
    Columns,
    Figure,
    Intervals,
    Key,
    Line,
    Lines,
    Mark,
    Matrix,
    Plot,
    Points,
    Texts,
)
from racing.report.pictures.picture import Picture

ENDINGS = (".png", ".svg", ".pdf")
FONT, SMALL = 9.0, 7.5  # points
ROLES = {
    "ink": "#222222", "soft": "#6b6b6b", "line": "#cfd6de", "card": "#ffffff", "faint": "#e8ecf0",
    "winner": "#0067a5", "survivor": "#00875f", "dropped": "#9aa4af", "waiting": "#cdb98a",
    "fail": "#d55e00", "heat0": "#3f1f74", "heat1": "#ebe6f5", "grey0": "#8a949e",
    "grey1": "#c3cad1", "c1": "#0067a5", "c2": "#b38600", "c3": "#a8559b", "c4": "#00875f",
    "c5": "#55606e", "c6": "#3f88b5",
}  # fmt: skip
"""The colours of roles, as in the light page: colour-blind people can distinguish them too."""
_ON_ANY_PAPER = {"ink": "currentColor", "soft": "currentColor", "winner": "#2f86c6",
                 "survivor": "#2a9d78"}  # fmt: skip
_MARKERS = {"circle": "o", "hollow": "o", "triangle": "^", "diamond": "D", "tick": "|"}
_DASHES = {"": "-", "dashed": (0, (5, 3)), "dotted": (0, (1, 1.2))}
_STEPS = {"": "default", "after": "steps-post", "before": "steps-pre"}
_PIXEL = 0.75  # points
_INCH = 100.0  # pixels of a page
_PANELS, _COLUMNS = 6, 3  # that are drawn side by side
_LONGEST = 40  # characters of a name
_LETTERS = 17  # of a note, in an inch


def draw(figure: Figure, ax: Any = None) -> Any:
    """Paint a figure; returns matplotlib's figure.

    Parameters
    ----------
    ax
        Axes to draw the first plot on; None: a new figure with all plots, up to six.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    if ax is not None:
        _paint(ax, figure.plots[0].settled(), 0, 0)
        return ax.figure
    module = require("matplotlib.figure", extra="plot", purpose="drawing")
    panels = [*_panels(figure)][:_PANELS]
    columns = min(len(panels), _COLUMNS)
    lines = -(-len(panels) // columns)
    width = 4.8 if len(panels) == 1 else 3.2 * columns
    if figure.wide and len(panels) == 1:
        width = max(6.5, panels[0][0].least / _INCH)
    height = sum(
        max(plot.height for plot, _, _ in panels[at * columns : (at + 1) * columns])
        for at in range(lines)
    )
    drawn = module.Figure(figsize=(width, height / _INCH + 0.3 * (lines + 1)), layout="constrained")
    for at, (plot, kx, ky) in enumerate(panels, start=1):
        _paint(drawn.add_subplot(lines, columns, at), plot, kx, ky)
    _legend(drawn, [plot for plot, _, _ in panels])
    if figure.note:
        note = fill(figure.note, int(_LETTERS * width))
        drawn.supxlabel(note, fontsize=SMALL, color=ROLES["soft"], parse_math=False)
    return drawn


def _panels(figure: Figure) -> Iterable[tuple[Plot, int, int]]:
    """Each plot with the choices of its axes; those of a spread one side by side."""
    for plot in map(Plot.settled, figure.plots):
        if plot.spread:
            yield from ((plot, kx, ky) for kx in range(len(plot.x)) for ky in range(len(plot.y)))
        else:
            yield plot, 0, 0


def _paint(ax: Any, plot: Plot, kx: int, ky: int) -> None:
    _axis(ax, "x", plot.x[kx])
    _axis(ax, "y", plot.y[ky])
    shown = {"bottom": plot.x[kx].kind != "hidden", "left": plot.y[ky].kind != "hidden"}
    for side, spine in ax.spines.items():
        spine.set(visible=shown.get(side, False), edgecolor=ROLES["soft"])
    ax.xaxis.set_visible(shown["bottom"])
    ax.yaxis.set_visible(shown["left"])
    if plot.name:
        ax.set_title(refer(plot.name, _LONGEST), fontsize=FONT, loc="left", parse_math=False)
    style = {"ls": "--", "lw": 0.8, "color": ROLES["soft"], "zorder": 1}
    for rule in plot.rules:
        if rule.x is not None:
            ax.axvline(rule.x, **style)
        if rule.y is not None:
            ax.axhline(rule.y, **style)
    for depth, mark in enumerate(plot.marks, start=2):
        _mark(_chosen(mark, kx, ky), ax, depth)
    for drawn in (*ax.lines, *ax.collections):
        drawn.set_in_layout(False)  # only words need room beside an axis


def _chosen(mark: Mark, kx: int, ky: int) -> Mark:
    """The mark with the columns of the choices only."""

    def pick(columns: Columns, k: int) -> Columns:
        return columns if len(columns) < 2 else (columns[k],)

    if isinstance(mark, Intervals):
        across, along = (ky, kx) if mark.along == "x" else (kx, ky)
        return replace(mark, at=pick(mark.at, across), low=pick(mark.low, along),
                       high=pick(mark.high, along))  # fmt: skip
    if isinstance(mark, Points | Line | Texts):
        return replace(mark, x=pick(mark.x, kx), y=pick(mark.y, ky))
    return mark


def _axis(ax: Any, which: str, axis: Axis) -> None:
    """Ends, ticks and the name of an axis; names of categories stand at 0, 1, …."""
    assert axis.ends is not None
    put = {name: getattr(ax, f"set_{which}{name}") for name in ("lim", "label", "ticks", "scale")}
    if axis.kind == "log":
        put["scale"]("log")
    put["lim"](*(reversed(axis.ends) if axis.reverse else axis.ends))
    put["label"](axis.name, fontsize=FONT, color=ROLES["ink"], parse_math=False)
    ax.tick_params(axis=which, labelsize=SMALL, colors=ROLES["ink"])
    if axis.kind == "category":
        step = -(-len(axis.levels) // (60 if which == "y" else 40))
        names = [refer(name, 24 if which == "y" else 16) for name in axis.levels][::step]
        put["ticks"](range(0, len(axis.levels), step), names, fontsize=SMALL if step == 1 else 6)
        for tick in getattr(ax, f"get_{which}ticklabels")():
            tick.set_parse_math(False)
            if which == "x" and sum(map(len, names)) > 24:
                tick.set(rotation=35, ha="right", rotation_mode="anchor")
    elif axis.whole:
        ticker = require("matplotlib.ticker", extra="plot", purpose="drawing")
        getattr(ax, f"{which}axis").set_major_locator(ticker.MaxNLocator(integer=True))


@singledispatch
def _mark(mark: Mark, ax: Any, depth: int) -> None:
    raise TypeError(f"no form of a picture: {type(mark).__name__}")


@_mark.register
def _points(mark: Points, ax: Any, depth: int) -> None:
    shown = [k for k, pair in enumerate(zip(mark.x[0], mark.y[0], strict=True)) if None not in pair]
    x, y = ([column[k] for k in shown] for column in (mark.x[0], mark.y[0]))
    marker, size = _MARKERS[mark.symbol], 2 * mark.size * _PIXEL
    style = {"alpha": mark.opacity, "clip_on": False, "zorder": depth}
    if mark.shades:
        colours = [_mixed(_shade(mark.shades[k])) for k in shown]
        ax.scatter(x, y, s=size**2, c=colours, lw=0.4, edgecolors=ROLES["soft"], **style)
        return
    hollow, tick = mark.symbol == "hollow", mark.symbol == "tick"
    ax.plot(
        x, y, ls="", marker=marker, ms=size, color=ROLES[mark.colour],
        mfc="white" if hollow else ROLES[mark.colour],
        mew=1.4 if hollow else 1.8 if tick else 0, **style,
    )  # fmt: skip


@_mark.register
def _line(mark: Line, ax: Any, depth: int) -> None:
    x, y, colour = _floats(mark.x[0]), _floats(mark.y[0]), ROLES[mark.colour]
    fill = None if not mark.step else {"after": "post", "before": "pre"}[mark.step]
    if mark.low:
        ax.fill_between(x, _floats(mark.low[0]), _floats(mark.high[0]), color=colour, alpha=0.14,
                        lw=0, step=fill)  # fmt: skip
    if mark.filled:
        ax.fill_between(x, y, color=colour, alpha=0.12, lw=0, step=fill)
    ax.plot(
        x, y, color=colour, lw=mark.width * _PIXEL, ls=_DASHES[mark.dash], alpha=mark.opacity,
        drawstyle=_STEPS[mark.step], marker="o" if mark.dots else "", ms=3.5, zorder=depth,
    )  # fmt: skip


@_mark.register
def _lines(mark: Lines, ax: Any, depth: int) -> None:
    x, style = _floats(mark.x), {"color": ROLES[mark.colour], "alpha": mark.opacity}
    for ys in mark.ys:
        ax.plot(x, _floats(ys), lw=mark.width * _PIXEL, ls=_DASHES[mark.dash], zorder=depth,
                **style)  # fmt: skip


@_mark.register
def _intervals(mark: Intervals, ax: Any, depth: int) -> None:
    """Lines with stops; an open end reaches the edge, and has an arrow there."""
    flat = mark.along == "x"
    edges = sorted(ax.get_xlim() if flat else ax.get_ylim())
    style = {"color": ROLES[mark.colour], "alpha": mark.opacity, "zorder": depth}
    for at, *ends in zip(mark.at[0], mark.low[0], mark.high[0], strict=True):
        if at is None:
            continue
        places = [e if end is None else end for e, end in zip(edges, ends, strict=True)]
        stops = ["|" if end is not None else arrow for end, arrow in zip(ends, "<>", strict=True)]
        if not flat:
            stops = [{"|": "_", "<": "v", ">": "^"}[one] for one in stops]
        across = [at, at]
        pair = (places, across) if flat else (across, places)
        ax.plot(*pair, lw=mark.width * _PIXEL, **style)
        for k, stop in enumerate(stops):
            ax.plot(pair[0][k], pair[1][k], marker=stop, ms=5, clip_on=False, **style)


@_mark.register
def _bars(mark: Bars, ax: Any, depth: int) -> None:
    module = require("matplotlib.collections", extra="plot", purpose="drawing")
    boxes = [
        [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        for x0, x1, y0, y1 in zip(mark.x0, mark.x1, mark.y0, mark.y1, strict=True)
    ]
    ax.add_collection(
        module.PolyCollection(
            boxes, facecolors=ROLES[mark.colour], edgecolors="white", lw=0.3, alpha=mark.opacity,
            zorder=depth,
        )
    )  # fmt: skip


@_mark.register
def _matrix(mark: Matrix, ax: Any, depth: int) -> None:
    """All cells as one picture: two hundred rows are 40,000 cells."""
    colours = [_rgb(_mixed(key)) for key in mark.keys]
    pixels = [[(255, 255, 255) if key is None else colours[key] for key in row]
              for row in mark.cells]  # fmt: skip
    ends = ax.get_xlim(), ax.get_ylim()
    ax.imshow(pixels, aspect="auto", interpolation="none", zorder=depth, resample=False)
    ax.set(xlim=ends[0], ylim=ends[1])
    for r, row in enumerate(mark.cells if mark.written else ()):
        for c, key in enumerate(row):
            if key is not None:
                ink = "white" if _dark(_mixed(mark.keys[key])) else ROLES["ink"]
                _write(ax, c, r, str(mark.values[r][c]), color=ink, fontsize=SMALL - 1)


@_mark.register
def _texts(mark: Texts, ax: Any, depth: int) -> None:
    middle = ax.transAxes.transform((0.5, 0.5))[0]
    for text, x, y in zip(mark.texts, mark.x[0], mark.y[0], strict=True):
        if x is None or y is None:
            continue
        inward = mark.anchor == "inward"
        left = inward and ax.transData.transform((x, y))[0] > middle
        anchor = "end" if left else "start" if inward else mark.anchor
        _write(
            ax, x, y, text, ha={"start": "left", "middle": "center", "end": "right"}[anchor],
            xytext=((-1 if left else 1) * mark.dx * _PIXEL, -mark.dy * _PIXEL),
            fontsize=mark.size * _PIXEL, color=ROLES[mark.colour], rotation=mark.angle,
            weight="bold" if mark.bold else "normal",
        )  # fmt: skip


def _write(ax: Any, x: float, y: float, text: str, **how: Any) -> None:
    """Literal text at a place: a $ starts no formula."""
    style = {"ha": "center", "va": "center", "xytext": (0, 0), "rotation_mode": "anchor", **how}
    ax.annotate(
        printable(text), (x, y), textcoords="offset points", annotation_clip=False,
        parse_math=False, **style,
    )  # fmt: skip


def _legend(drawn: Any, plots: Sequence[Plot]) -> None:
    """One legend below all panels."""
    lines = require("matplotlib.lines", extra="plot", purpose="drawing")
    handles: dict[str, Any] = {}
    for mark in (mark for plot in plots for mark in plot.marks):
        if mark.name:
            colour = ROLES[mark.colour] if not getattr(mark, "shades", ()) else ROLES["heat0"]
            style: dict[str, Any] = {"ls": "", "marker": "s"}
            if isinstance(mark, Points):
                style["marker"] = _MARKERS[mark.symbol]
            elif isinstance(mark, Line | Lines):
                style = {"ls": _DASHES[mark.dash], "lw": max(mark.width * _PIXEL, 1)}
            if getattr(mark, "symbol", "") == "hollow":
                style["mfc"] = "white"
            handles.setdefault(mark.name, lines.Line2D([], [], color=colour, ms=4.5, **style))
        for key in _told(mark) if isinstance(mark, Matrix) else ():
            square = {"ls": "", "marker": "s", "mec": ROLES["soft"], "mew": 0.4, "ms": 6}
            handles.setdefault(key.label, lines.Line2D([], [], color=_mixed(key), **square))
    if handles:
        found = drawn.legend(
            handles.values(), (refer(name, _LONGEST) for name in handles),
            loc="outside lower center", fontsize=SMALL,
            ncols=min(len(handles), 4), frameon=False, labelcolor=ROLES["soft"], handlelength=1.4,
        )  # fmt: skip
        for text in found.get_texts():
            text.set_parse_math(False)


def _told(matrix: Matrix) -> Sequence[Key]:
    """The keys of a legend: all, or of a long scale the ends and the middle."""
    scale = len(matrix.keys) - matrix.apart
    if scale <= 8:
        return matrix.keys
    return [matrix.keys[k] for k in (0, scale // 2, scale - 1)] + [*matrix.keys[scale:]]


def _shade(share: float | None) -> Key:
    share = 1.0 if share is None else share
    return Key(label="", parts=(("heat0", 1 - share), ("heat1", share)))


def _mixed(key: Key) -> str:
    """The colour of parts of roles on white."""
    rest = 1 - sum(share for _, share in key.parts)
    channels = zip(*(_rgb(ROLES[role]) for role, _ in key.parts), strict=True)
    mixed = (
        255 * rest + sum(part[1] * of for part, of in zip(key.parts, channel, strict=True))
        for channel in channels
    )
    return "#{:02x}{:02x}{:02x}".format(*(min(max(round(one), 0), 255) for one in mixed))


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _dark(colour: str) -> bool:
    red, green, blue = _rgb(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140


def _floats(column: Column) -> list[float]:
    return [float("nan") if one is None else float(one) for one in column]


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
            f"{path} must end in {', '.join(ENDINGS)}; got {path.suffix or 'no ending'}"
        )
    return path


def draw_picture(picture: Picture, path: str | Path) -> Path:
    """Draw a picture into a PNG, SVG or PDF file.

    Raises
    ------
    InputError
        If the file cannot be written or its ending names no format.
    MissingExtra
        If matplotlib is not installed.
    """
    file = as_file(path)
    assert picture.figure is not None
    return save(draw(picture.figure), file)


def write_figures(pictures: Iterable[Picture], folder: Path, ending: str) -> list[Path]:
    """Write every picture that is drawn into a folder; returns the files.

    Parameters
    ----------
    ending
        `.png`, `.svg` or `.pdf`.

    Raises
    ------
    InputError
        If the folder cannot be written.
    MissingExtra
        If matplotlib is not installed.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from error
    return [draw_picture(one, folder / f"{one.id}{ending}") for one in pictures if one.figure]


def svg(figure: Figure, said: str) -> str:
    """Static SVG of a figure for a page: lines and text take the colour of the page's text.

    Parameters
    ----------
    said
        What it shows, for those who do not see it.
    """
    drawn, text = draw(figure), StringIO()
    _escape_texts(drawn)
    _write_file(drawn, text, "svg", transparent=True)
    body = text.getvalue().partition("<svg")[2].partition(">")[2]
    body = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>", "", body, flags=re.DOTALL)
    for role, colour in _ON_ANY_PAPER.items():
        body = body.replace(ROLES[role], colour)
    wide, high = (72 * inches for inches in drawn.get_size_inches())
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'role="img" aria-label="{escaped(said)}" viewBox="0 0 {wide:g} {high:g}" '
        f'style="width:100%;stroke-linejoin:round;stroke-linecap:butt">{body}'
    )


def save(figure: Any, path: Path) -> Path:
    """Write a matplotlib figure; the same figure gives the same file.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    _escape_texts(figure)
    try:
        _write_file(figure, path, path.suffix.lower().lstrip("."), facecolor="white")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    return path


def _write_file(figure: Any, file: Path | StringIO, ending: str, **how: Any) -> None:
    """Write a figure without the date and with the same ids each time."""
    matplotlib = require("matplotlib", extra="plot", purpose="drawing")
    undated = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    fonts = {"pdf.fonttype": 42, "svg.fonttype": "none" if how.get("transparent") else "path"}
    with matplotlib.rc_context({"svg.hashsalt": "racing", **fonts}):
        figure.savefig(file, format=ending, dpi=200, metadata=undated[ending], **how)


def _escape_texts(figure: Any) -> None:
    """Escape control characters in all texts of a figure: no SVG file may have them."""
    text = require("matplotlib.text", extra="plot", purpose="drawing")
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        names = [one.get_text() for one in axis.get_ticklabels()]
        if (fit := [*map(printable, names)]) != names:  # ticks take their texts when drawn
            axis.set_ticks(axis.get_ticklocs(), fit)
    for one in figure.findobj(text.Text):
        one.set_text(printable(one.get_text()))
