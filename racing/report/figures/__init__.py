"""Pictures → PNG, SVG and PDF files for papers, drawn by matplotlib from the same data.

Needs matplotlib: pip install 'racing[plot]'.
"""

from __future__ import annotations

from pathlib import Path

from racing.errors import InputError
from racing.plot.canvas import save
from racing.report.figures.draw import figure_of
from racing.report.history import History
from racing.report.pictures import pictures

__all__ = ["write_figures"]


def write_figures(history: History, folder: Path, ending: str) -> list[Path]:
    """Write every picture that has something to show; returns the files.

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
    found = ((one, figure_of(one, history)) for one in pictures(history) if one.chart)
    return [save(figure, folder / f"{one.id}{ending}") for one, figure in found if figure]
