"""Pictures as data, before they are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from racing.report.names import shown as shown
from racing.report.scales import Scale

MOST_ROWS = 500
"""Rows of a table in a page; `racing export` has all."""


@dataclass(frozen=True, kw_only=True)
class DataTable:
    """The numbers behind a picture.

    Attributes
    ----------
    columns
        Names of columns.
    rows
        Numbers, text, or None for nothing.
    note
        What was left out; empty if nothing was.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture as data: what it shows, in words, as a table, and as numbers to draw.

    Attributes
    ----------
    id
        A short word; the name of its file, and its place in the page.
    title, sentence
        What it is, and what it shows in this run.
    reading
        How to read it.
    chart
        What kind of chart draws `data`; empty where there is nothing to draw.
    data
        What the chart draws, fit for JSON.
    table
        The same as a table.
    """

    id: str
    title: str
    sentence: str
    reading: str = ""
    chart: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    table: DataTable | None = None


def table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, most: int = MOST_ROWS
) -> DataTable:
    """A table fit for a page: plain cells, not too many rows, and a note about the others."""
    kept, total = [], 0
    for total, row in enumerate(rows, start=1):
        if total <= most:
            kept.append(tuple(map(plain, row)))
    note = f"The first {most} of {total} rows; `racing export` writes all." if total > most else ""
    return DataTable(columns=tuple(columns), rows=tuple(kept), note=note)


def plain(value: Any) -> Any:
    """A cell that JSON can hold: numbers to six digits, text without control characters."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return short(value)
    if value is None or isinstance(value, int):
        return value
    return shown(str(value), 400)


def short(value: float | None, digits: int = 6) -> float | str | None:
    """A number to six digits; an infinity is text, NaN is None."""
    if value is None:
        return None
    if math.isfinite(value):
        return float(f"{value:.{digits}g}") + 0.0
    return None if math.isnan(value) else ("inf" if value > 0 else "-inf")


def in_unit(name: str, unit: str) -> str:
    """The name of an axis or a column with its unit."""
    return f"{name} ({shown(unit, 30)})" if unit else name


def scale_data(scale: Scale) -> dict[str, Any]:
    """A scale as charts read it."""
    return {
        "ends": scale.ends,
        "levels": None if scale.levels is None else [plain(level) for level in scale.levels],
        "log": scale.log,
    }


def nothing(id: str, title: str, why: str) -> Picture:
    """A picture without data, with the reason."""
    return Picture(id=id, title=title, sentence=why)
