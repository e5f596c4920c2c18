"""All configurations side by side: parallel coordinates with the table that brushing filters."""

from __future__ import annotations

import math
from typing import Any

from racing.base.words import count
from racing.report.history import History
from racing.report.names import order_of, refer
from racing.report.parameters import effects
from racing.report.pictures.picture import (
    DataTable,
    Picture,
    nothing,
    plain,
    scale_data,
    short,
)
from racing.report.tally import Expense

LINES = 1000
"""Configurations that are drawn; beyond it the ones that left first are not."""

_AXES = 12  # parameters that fit beside each other; the table has all
_LEVELS = 12  # categories that fit on an axis

_READING = (
    "Each line is a configuration, the default is dashed. The leftmost axis is its mean place, "
    "best on top; a "
    "parameter that other values switch off is at `not active`. Drag "
    "along an axis to select a range: the other lines fade, and the table below shows only "
    "what is selected. Click beside the range to clear it. The search field does the same "
    "by text."
)


def picture(history: History) -> Picture:
    """A line for each configuration over the parameters that vary."""
    varying = effects(history)
    if not varying:
        why = "No instance is complete yet." if not history.facts.instances else (
            "The candidates that ran do not differ in a parameter."
        )  # fmt: skip
        return nothing("configurations", "Configurations", why)
    order = order_of(history)
    kept = order[:LINES]
    names = [one.name for one in varying]
    numbers = {id: number for number, id in enumerate(history.candidates, start=1)}
    spent = {one.candidate.id: one for one in history.facts.expenses}
    rows = tuple(_row(history, spent[id], names) for id in kept)
    axes = [
        {"column": 5 + k, "name": refer(one.name), **scale_data(one.scale)}
        for k, one in enumerate(varying)
        if one.scale.levels is None or len(one.scale.levels) <= _LEVELS
    ][:_AXES]
    differ = "differs" if len(names) == 1 else "differ"
    said = (
        f"{count(len(order), 'configuration')}, {count(len(names), 'parameter')} that {differ}. "
        "Mean place: 0 is best, 1 is worst."
    )
    if len(kept) < len(order):
        said += f" Drawn: the best {len(kept)}; the other {len(order) - len(kept)} left before."
    if len(axes) < len(names):
        said += f" Drawn: the {len(axes)} parameters that matter most by themselves."
    return Picture(
        id="configurations",
        title="Configurations",
        sentence=said,
        reading=_READING,
        chart="parallel",
        data={
            "axes": axes,
            "ids": kept,
            "numbers": [numbers[id] for id in kept],
            "columns": {refer(name): 5 + k for k, name in enumerate(names)},
        },
        table=DataTable(
            columns=("candidate", "fate", "mean place", "runs", "failed", *map(refer, names)),
            rows=rows,
            note="" if len(kept) == len(order) else f"The best {len(kept)} of {len(order)}.",
        ),
    )


def _row(history: History, spent: Expense, names: list[str]) -> tuple[Any, ...]:
    matrices, one = history.matrices, spent.candidate
    place = matrices.standing[matrices.column[one.id]] if one.id in matrices.column else math.nan
    values = (plain(one.values.get(name)) for name in names)
    fate = history.fate(one.id)
    return refer(one), fate, short(float(place), 3), spent.evaluations, spent.failures, *values
