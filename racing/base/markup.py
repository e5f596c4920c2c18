"""Small HTML tables for notebooks: all text is escaped, and long tables are cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from racing.base.plain import printable
from racing.base.words import number, value_text

MOST_ROWS = 20
"""Rows that a table shows."""


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    total: int | None = None,
    most: int = MOST_ROWS,
) -> str:
    """An HTML table with a caption.

    Parameters
    ----------
    caption
        What it shows.
    columns
        The heads of the columns; those that start with `>` are right-aligned.
    rows
        The cells; those that are `Html` stay as they are.
    total
        The number of all rows, if `rows` does not have all of them.
    most
        Rows that are shown.
    """
    shown = [list(row) for row in islice(rows, most + 1)]
    known = total if total is not None else len(shown)
    shown = shown[:most]
    sides = [' style="text-align:right"' if name.startswith(">") else "" for name in columns]
    heads = (type(name)(name.removeprefix(">")) for name in columns)
    head = "".join(f"<th{side}>{_cell(name)}</th>" for name, side in zip(heads, sides, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"<td{side}>{_cell(cell)}</td>" for cell, side in zip(row, sides, strict=True))
        + "</tr>"
        for row in shown
    )
    more = "" if known <= len(shown) else paragraph(_rest(known - len(shown), total))
    return (
        f"<table><caption>{_cell(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    )


def paragraph(text: str) -> str:
    """A line of text."""
    return f"<p>{_cell(text)}</p>"


def configuration(values: Iterable[tuple[str, object]]) -> str:
    """The values of a configuration on one line."""
    return ", ".join(f"{name}: {value_text(value)}" for name, value in values)


def _rest(hidden: int, total: int | None) -> str:
    return "more rows are not shown" if total is None else f"{hidden} more rows are not shown"


def _cell(value: object) -> str:
    if isinstance(value, Html):
        return value
    return escaped(number(value) if isinstance(value, float) else str(value))


def escaped(text: str) -> str:
    """Text for HTML and SVG, which allow no control characters."""
    from html import escape  # here, as its table of entities takes long to import

    return escape(printable(text))
