"""Small HTML tables for notebooks: all text is escaped, and long tables are cut."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice

from racing.base.plain import printable

MOST_ROWS = 20
"""Rows that a table shows."""


def table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    total: int | None = None,
) -> str:
    """An HTML table with a caption.

    Parameters
    ----------
    caption
        What it shows.
    columns
        The heads of the columns.
    rows
        The cells; at most `MOST_ROWS` rows are shown.
    total
        The number of all rows, if `rows` does not have all of them.
    """
    shown = [list(row) for row in islice(rows, MOST_ROWS + 1)]
    known = total if total is not None else len(shown)
    shown = shown[:MOST_ROWS]
    head = "".join(f"<th>{_cell(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in shown
    )
    more = "" if known <= len(shown) else paragraph(_rest(known - len(shown), total))
    return (
        f"<table><caption>{_cell(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    )


def paragraph(text: str) -> str:
    """A line of text."""
    return f"<p>{_cell(text)}</p>"


def figure(value: float | None) -> str:
    """A number as text: four digits, and a dash for None or NaN."""
    return "–" if value is None or math.isnan(value) else f"{value + 0.0:.4g}"  # no -0


def configuration(values: Iterable[tuple[str, object]]) -> str:
    """The values of a configuration on one line."""
    return ", ".join(f"{name}: {_plain(value)}" for name, value in values)


def _rest(hidden: int, total: int | None) -> str:
    return "more rows are not shown" if total is None else f"{hidden} more rows are not shown"


def _plain(value: object) -> str:
    return figure(value) if isinstance(value, float) else str(value)


def _cell(value: object) -> str:
    return escaped(_plain(value))


def escaped(text: str) -> str:
    """Text for HTML and SVG, which allow no control characters."""
    from html import escape  # here, as its table of entities takes long to import

    return escape(printable(text))
