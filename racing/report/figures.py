"""Figures → matplotlib: files for papers, and axes of a figure of one's own.

`draw` paints a figure of any picture (`racing.report.forms`), `draw_picture` writes one as a PNG,
SVG or PDF file, the same each time. Needs matplotlib, which is imported when something is drawn:
pip install 'racing[plot]'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import singledispatch
from io import StringIO
from pathlib import Path
from textwrap import fill
from typing import Any

from racing.base.errors import InputError, require
from racing.base.markup import escaped
from racing.base.plain import printable
from racing.base.words import refer
from racing.report import forms
from racing.report.picture import Picture

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


def draw(figure: forms.Figure, ax: Any = None) -> Any:
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
    panels = [
        (plot, kx, ky)
        for plot in map(forms.Plot.settled, figure.plots)
        for kx in range(len(plot.x) if plot.spread else 1)
        for ky in range(len(plot.y) if plot.spread else 1)
    ][:_PANELS]
    columns = min(len(panels), _COLUMNS)
    width = 4.8 if len(panels) == 1 else 3.2 * columns
    if figure.wide and len(panels) == 1:
        width = max(6.5, panels[0][0].least / _INCH)
    lines = [panels[at : at + columns] for at in range(0, len(panels), columns)]
    height = sum(max(plot.height for plot, *_ in line) / _INCH for line in lines)
    size = width, height + 0.3 * (len(lines) + 1)
    drawn = _of("figure").Figure(figsize=size, layout="constrained")
    for at, panel in enumerate(panels, start=1):
        _paint(drawn.add_subplot(len(lines), columns, at), *panel)
    _legend(drawn, [mark for plot, *_ in panels for mark in plot.marks])
    if figure.note:
        note = fill(figure.note, int(_LETTERS * width))
        drawn.supxlabel(note, fontsize=SMALL, color=ROLES["soft"], parse_math=False)
    return drawn


def _of(name: str) -> Any:
    """A module of matplotlib."""
    return require(f"matplotlib.{name}", extra="plot", purpose="drawing")


def _paint(ax: Any, plot: forms.Plot, kx: int, ky: int) -> None:
    """A plot with two choices of its axes."""
    axes = {"x": plot.x[kx], "y": plot.y[ky]}
    for which, axis in axes.items():
        _axis(ax, which, axis)
        getattr(ax, f"{which}axis").set_visible(axis.kind != "hidden")
    for side, spine in ax.spines.items():
        along = axes.get({"bottom": "x", "left": "y"}.get(side, ""))
        spine.set(visible=along is not None and along.kind != "hidden", edgecolor=ROLES["soft"])
    if plot.name:
        ax.set_title(refer(plot.name, _LONGEST), fontsize=FONT, loc="left", parse_math=False)
    for rule in plot.rules:
        for place, line in ((rule.x, ax.axvline), (rule.y, ax.axhline)):
            if place is not None:
                line(place, ls="--", lw=0.8, color=ROLES["soft"], zorder=1)
    for depth, mark in enumerate(plot.marks, start=2):
        _mark(mark.picked(kx, ky), ax, depth)
    for drawn in (*ax.lines, *ax.collections):
        drawn.set_in_layout(False)  # only words need room beside an axis


def _axis(ax: Any, which: str, axis: forms.Axis) -> None:
    """Ends, ticks and the name of an axis; names of categories stand at 0, 1, …."""
    assert axis.ends is not None
    if axis.kind == "log":
        ax.set(**{f"{which}scale": "log"})
    ax.set(**{f"{which}lim": axis.ends[::-1] if axis.reverse else axis.ends})
    getattr(ax, f"set_{which}label")(axis.name, fontsize=FONT, color=ROLES["ink"], parse_math=False)
    ax.tick_params(axis=which, labelsize=SMALL, colors=ROLES["ink"])
    if axis.kind == "category":
        step = -(-len(axis.levels) // (60 if which == "y" else 40))
        names = [refer(name, 24 if which == "y" else 16) for name in axis.levels][::step]
        at, size = range(0, len(axis.levels), step), SMALL if step == 1 else 6
        getattr(ax, f"set_{which}ticks")(at, names, fontsize=size)
        for tick in getattr(ax, f"get_{which}ticklabels")():
            tick.set_parse_math(False)
            if which == "x" and sum(map(len, names)) > 24:
                tick.set(rotation=35, ha="right", rotation_mode="anchor")
    elif axis.whole:
        locator = _of("ticker").MaxNLocator(integer=True)
        getattr(ax, f"{which}axis").set_major_locator(locator)


@singledispatch
def _mark(mark: forms.Mark, ax: Any, depth: int) -> None:
    raise TypeError(f"no form of a picture: {type(mark).__name__}")


@_mark.register
def _points(mark: forms.Points, ax: Any, depth: int) -> None:
    shown = [k for k, pair in enumerate(zip(mark.x[0], mark.y[0], strict=True)) if None not in pair]
    x, y = ([column[k] for k in shown] for column in (mark.x[0], mark.y[0]))
    size, colour = 2 * mark.size * _PIXEL, ROLES[mark.colour]
    style = {"alpha": mark.opacity, "clip_on": False, "zorder": depth}
    if mark.shades:
        colours = [_mixed(_shade(mark.shades[k])) for k in shown]
        ax.scatter(x, y, s=size**2, c=colours, lw=0.4, edgecolors=ROLES["soft"], **style)
        return
    face, edge = {"hollow": ("white", 1.4), "tick": (colour, 1.8)}.get(mark.symbol, (colour, 0))
    ax.plot(x, y, ls="", marker=_MARKERS[mark.symbol], ms=size, color=colour, mfc=face, mew=edge,
            **style)  # fmt: skip


@_mark.register
def _line(mark: forms.Line, ax: Any, depth: int) -> None:
    x, y, colour = _floats(mark.x[0]), _floats(mark.y[0]), ROLES[mark.colour]
    shape = {"color": colour, "lw": 0, "step": _STEPS[mark.step].removeprefix("steps-")}
    shape = shape if mark.step else {"color": colour, "lw": 0}
    if mark.low:
        ax.fill_between(x, _floats(mark.low[0]), _floats(mark.high[0]), alpha=0.14, **shape)
    if mark.filled:
        ax.fill_between(x, y, alpha=0.12, **shape)
    ax.plot(
        x, y, color=colour, lw=mark.width * _PIXEL, ls=_DASHES[mark.dash], alpha=mark.opacity,
        drawstyle=_STEPS[mark.step], marker="o" if mark.dots else "", ms=3.5, zorder=depth,
    )  # fmt: skip


@_mark.register
def _lines(mark: forms.Lines, ax: Any, depth: int) -> None:
    for ys in mark.ys:
        ax.plot(_floats(mark.x[0]), _floats(ys), lw=mark.width * _PIXEL, ls=_DASHES[mark.dash],
                color=ROLES[mark.colour], alpha=mark.opacity, zorder=depth)  # fmt: skip


@_mark.register
def _intervals(mark: forms.Intervals, ax: Any, depth: int) -> None:
    """Lines with stops; an open end reaches the edge, and has an arrow there."""
    flat = mark.along == "x"
    edges = sorted(ax.get_xlim() if flat else ax.get_ylim())
    style = {"color": ROLES[mark.colour], "alpha": mark.opacity, "zorder": depth}
    stop, arrows = ("|", "<>") if flat else ("_", "v^")
    for at, *ends in zip(mark.at[0], mark.low[0], mark.high[0], strict=True):
        if at is None:
            continue
        places = [e if end is None else end for e, end in zip(edges, ends, strict=True)]
        points = [(place, at) if flat else (at, place) for place in places]
        ax.plot(*zip(*points, strict=True), lw=mark.width * _PIXEL, **style)
        for (x, y), end, arrow in zip(points, ends, arrows, strict=True):
            ax.plot(x, y, marker=arrow if end is None else stop, ms=5, clip_on=False, **style)


@_mark.register
def _bars(mark: forms.Bars, ax: Any, depth: int) -> None:
    ends = (mark.x0[0], mark.x1[0], mark.y0[0], mark.y1[0])
    boxes = [[(a, c), (b, c), (b, d), (a, d)] for a, b, c, d in zip(*ends, strict=True)]
    drawn = _of("collections").PolyCollection(
        boxes, facecolors=ROLES[mark.colour], edgecolors="white", lw=0.3, alpha=mark.opacity,
        zorder=depth,
    )  # fmt: skip
    ax.add_collection(drawn)


@_mark.register
def _matrix(mark: forms.Matrix, ax: Any, depth: int) -> None:
    """All cells as one picture: two hundred rows are 40,000 cells."""
    colours = {k: _rgb(_mixed(key)) for k, key in enumerate(mark.keys)}
    pixels = [[colours.get(key, (255, 255, 255)) for key in row] for row in mark.cells]
    ends = ax.get_xlim(), ax.get_ylim()
    ax.imshow(pixels, aspect="auto", interpolation="none", zorder=depth, resample=False)
    ax.set(xlim=ends[0], ylim=ends[1])
    for r, row in enumerate(mark.cells if mark.written else ()):
        for c, key in enumerate(row):
            if key is not None:
                light = sum(w * c for w, c in zip((0.299, 0.587, 0.114), colours[key], strict=True))
                ink = "white" if light < 140 else ROLES["ink"]
                _write(ax, c, r, str(mark.values[r][c]), color=ink, fontsize=SMALL - 1)


@_mark.register
def _texts(mark: forms.Texts, ax: Any, depth: int) -> None:
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
    ax.annotate(printable(text), (x, y), textcoords="offset points", annotation_clip=False,
                parse_math=False, **style)  # fmt: skip


def _legend(drawn: Any, marks: Sequence[forms.Mark]) -> None:
    """One legend below all panels."""
    handles: dict[str, dict[str, Any]] = {}
    for mark in marks:
        for key in _told(mark) if isinstance(mark, forms.Matrix) else ():
            handles.setdefault(key.label, {"color": _mixed(key), "ls": "", "marker": "s", "ms": 6,
                                           "mec": ROLES["soft"], "mew": 0.4})  # fmt: skip
        style = {"color": ROLES[mark.colour], "ls": "", "marker": "s", "ms": 4.5}
        if isinstance(mark, forms.Points):
            style["marker"] = _MARKERS[mark.symbol]
            style |= {"color": ROLES["heat0"]} if mark.shades else {}
            style |= {"mfc": "white"} if mark.symbol == "hollow" else {}
        elif isinstance(mark, forms.Line | forms.Lines):
            style |= {"ls": _DASHES[mark.dash], "lw": max(mark.width * _PIXEL, 1), "marker": ""}
        if mark.name:
            handles.setdefault(mark.name, style)
    if handles:
        found = drawn.legend(
            [_of("lines").Line2D([], [], **style) for style in handles.values()],
            [refer(name, _LONGEST) for name in handles], ncols=min(len(handles), 4),
            loc="outside lower center", fontsize=SMALL, frameon=False, labelcolor=ROLES["soft"],
            handlelength=1.4,
        )  # fmt: skip
        for text in found.get_texts():
            text.set_parse_math(False)


def _told(matrix: forms.Matrix) -> Sequence[forms.Key]:
    """The keys of a legend: all, or of a long scale the ends and the middle."""
    scale = len(matrix.keys) - matrix.apart
    if scale <= 8:
        return matrix.keys
    return [*(matrix.keys[k] for k in (0, scale // 2, scale - 1)), *matrix.keys[scale:]]


def _shade(share: float | None) -> forms.Key:
    share = 1.0 if share is None else share
    return forms.Key(label="", parts=(("heat0", 1 - share), ("heat1", share)))


def _mixed(key: forms.Key) -> str:
    """The colour of parts of roles on white."""
    parts = [(_rgb(ROLES[role]), share) for role, share in key.parts]
    rest = 255 * (1 - sum(share for _, share in parts))
    mixed = (rest + sum(share * colour[k] for colour, share in parts) for k in range(3))
    return "#{:02x}{:02x}{:02x}".format(*(min(max(round(one), 0), 255) for one in mixed))


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def _floats(column: forms.Column) -> list[float]:
    return [float("nan") if one is None else one for one in column]


def draw_picture(picture: Picture, path: str | Path) -> Path:
    """Draw a picture into a PNG, SVG or PDF file; the same figure gives the same file.

    Raises
    ------
    InputError
        If the file cannot be written or its ending names no format.
    MissingExtra
        If matplotlib is not installed.
    """
    file, endings = Path(path), ", ".join(ENDINGS)
    if file.suffix.lower() not in ENDINGS:
        raise InputError(f"{file} must end in {endings}; got {file.suffix or 'no ending'}")
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


def svg(figure: forms.Figure, said: str) -> str:
    """Static SVG of a figure for a page: lines and text take the colour of the page's text.

    Parameters
    ----------
    said
        What it shows, for those who do not see it.
    """
    drawn, text = draw(figure), StringIO()
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


def save(figure: Any, file: Path) -> Path:
    """Write a matplotlib figure; the same figure gives the same file.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    try:
        _write_file(figure, file, file.suffix.lower().lstrip("."), facecolor="white")
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror}") from error
    return file


def _write_file(figure: Any, file: Path | StringIO, ending: str, **how: Any) -> None:
    """Write a figure without the date and with the same ids each time."""
    _escape_texts(figure)
    matplotlib = require("matplotlib", extra="plot", purpose="drawing")
    undated = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    fonts = {"pdf.fonttype": 42, "svg.fonttype": "none" if how.get("transparent") else "path"}
    with matplotlib.rc_context({"svg.hashsalt": "racing", **fonts}):
        figure.savefig(file, format=ending, dpi=200, metadata=undated[ending], **how)


def _escape_texts(figure: Any) -> None:
    """Escape control characters in all texts of a figure: no SVG file may have them."""
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        names = [one.get_text() for one in axis.get_ticklabels()]
        if (fit := [*map(printable, names)]) != names:  # ticks take their texts when drawn
            axis.set_ticks(axis.get_ticklocs(), fit)
    for one in figure.findobj(_of("text").Text):
        one.set_text(printable(one.get_text()))
