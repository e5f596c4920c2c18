"""The pictures of a team as PNG and SVG files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from racing.analysis.portfolio import Portfolio
from racing.base.errors import InputError
from racing.report.figures.canvas import axes_of, label, save
from racing.report.figures.intervals import intervals
from racing.report.names import refer
from racing.report.portfolio_pictures import relative, team_pictures


def write_team_figures(found: Portfolio, folder: Path, ending: str) -> list[Path]:
    """Write every picture of a team that has something to show; returns the files.

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
    return [
        save(
            _where(found) if one.chart == "heat" else intervals(one.data),
            folder / f"{one.id}{ending}",
        )
        for one in team_pictures(found)
        if one.chart
    ]


def _where(found: Portfolio) -> Any:
    """Members × instances; the instances are sorted by their best member."""
    team, ran = list(found.size.team), ~np.isnan(found.known.costs)
    places = np.where(ran, relative(found.scores), np.nan)[:, team]
    order = np.argsort(np.nan_to_num(places, nan=2.0).argmin(axis=1), kind="stable")
    figure, axes = axes_of(min(2 + 0.05 * len(places), 9.0), 0.9 + 0.26 * len(team))
    axes.imshow(places[order].T, cmap="Blues_r", vmin=0, vmax=1.15, aspect="auto",
                interpolation="none")  # fmt: skip
    names = [refer(one.candidate)[:24] for one in found.members]
    axes.set_yticks(range(len(team)), names, fontsize=7)
    for tick in axes.get_yticklabels():
        tick.set_parse_math(False)
    axes.set_xticks([])
    label(axes, "instances, by their best member")
    return figure
