"""What all figures share: matplotlib when needed, a figure in inches, files by their ending."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from racing.errors import InputError, require

ENDINGS = (".png", ".svg", ".pdf")
FONT = 9.0  # points
SMALL = 7.5
INK = "#222222"
GREY = "#6b6b6b"
FAINT = "#a6a6a6"
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
    """Text as it is: a $ starts no formula."""
    style = {"fontsize": FONT, "color": INK, "va": "center", "ha": "center", **how}
    return axes.text(x, y, text, parse_math=False, **style)


def shorten(name: str) -> str:
    """A name that fits into a figure."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


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


def save(figure: Any, path: Path) -> Path:
    """Write a figure; the same figure gives the same file.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    matplotlib = require("matplotlib", extra="plot", purpose="drawing")
    undated = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    ending = path.suffix.lower().lstrip(".")
    with matplotlib.rc_context({"pdf.fonttype": 42, "svg.hashsalt": "racing"}):
        try:
            figure.savefig(path, dpi=200, facecolor="white", metadata=undated[ending])
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    return path
