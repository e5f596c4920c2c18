"""The heat map: how well each candidate did on each instance."""

from __future__ import annotations

from typing import Any

import numpy as np

from racing.base.quantities import Direction, score_of
from racing.base.words import count
from racing.report.history import History
from racing.report.matrices import Floats
from racing.report.names import order_of, refer
from racing.report.pictures.picture import DataTable, Picture, in_unit, nothing, short, table

CELLS = 30_000
"""Cells of the heat map; beyond it the candidates that left first are not drawn."""

COLUMNS = 400
"""Instances of the heat map; beyond it evenly spaced ones are drawn."""


def picture(history: History) -> Picture:
    """Rows are candidates, the best on top; columns are instances in the order met."""
    found = history.matrices
    rows = [step for step in range(len(found.costs)) if found.ran[step].any()]
    if not rows:
        return nothing("ranks", "Ranks by instance", "No instance is complete yet.")
    steps = rows
    if len(rows) > COLUMNS:
        steps = [rows[int(k)] for k in np.linspace(0, len(rows) - 1, COLUMNS)]
    order = [id for id in order_of(history) if id in found.column]
    kept = order[: max(CELLS // len(steps), 20)]
    columns = [found.column[id] for id in kept]
    places, costs = found.among_all[np.ix_(steps, columns)], found.costs[np.ix_(steps, columns)]
    direction = history.facts.header.direction
    return Picture(
        id="ranks",
        title="Ranks by instance",
        sentence=_sentence(len(order), len(kept), len(rows), len(steps)),
        reading=(
            "A dark cell is a good place on that instance, a pale one a bad place, among all "
            "candidates: those that had left count as worse. Rows end where a candidate left. "
            "A column in which the colours turn is an instance that favours others; a row that is "
            "dark throughout is a robust candidate. Orange marks a failure."
        ),
        chart="heat",
        data={
            "ids": kept,
            "steps": [int(step) for step in steps],
            "instances": [refer(history.race.instance(step).name) for step in steps],
            "unit": history.facts.unit,
            "rows": [_row(places[:, k], costs[:, k], direction) for k in range(len(kept))],
        },
        table=_table(history, order),
    )


def _row(places: Floats, costs: Floats, direction: Direction) -> dict[str, Any]:
    """A candidate's cells: where it ran (None: from the first instance on), places and scores."""
    ran = np.flatnonzero(~np.isnan(costs)).tolist()
    return {
        "at": None if ran == list(range(len(ran))) else ran,
        "places": [round(100 * float(places[k])) for k in ran],
        "scores": [short(score_of(float(costs[k]), direction), 4) for k in ran],
    }


def _sentence(many: int, kept: int, instances: int, steps: int) -> str:
    said = f"{count(many, 'candidate')} on {count(instances, 'instance')}."
    if kept < many:
        said += f" Drawn: the best {kept}; the other {many - kept} left before them."
    if steps < instances:
        said += f" Drawn: {steps} instances, evenly spaced."
    return said


def _table(history: History, order: list[int]) -> DataTable:
    found, direction = history.matrices, history.facts.header.direction
    finite = np.where(np.isfinite(found.costs), found.costs, np.nan)
    counts = (~np.isnan(finite)).sum(axis=0)
    sums = np.nansum(finite, axis=0)
    best = (found.ranks == 1).sum(axis=0)
    ran = found.ran.sum(axis=0)
    return table(
        (
            "candidate",
            "fate",
            "instances",
            "mean place (0 best, 1 worst)",
            "best on",
            in_unit("mean score", history.facts.unit),
        ),
        (
            (
                refer(history.candidates[id]),
                history.fate(id),
                int(ran[k]),
                short(float(found.standing[k]), 3),
                int(best[k]),
                short(score_of(float(sums[k] / counts[k]), direction)) if counts[k] else None,
            )
            for id in order
            for k in (found.column[id],)
        ),
    )
