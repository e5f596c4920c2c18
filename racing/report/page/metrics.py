"""A comparison by several metrics as the data of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from racing.analysis.compare.caveats import caveat
from racing.analysis.compare.metrics.comparison import MetricComparison
from racing.analysis.compare.metrics.report import algorithms, among, measured, together
from racing.answer.document import bare
from racing.base.words import count, listed, refer, shown
from racing.report.page.data import drawn
from racing.report.pictures.front import front_of, statements_of
from racing.report.pictures.picture import Item, Picture

_SAID = 3  # statements in the head
_ROWS = 20  # of the table in the head; that of the picture has all


def metric_comparison_data(found: MetricComparison, *, name: str) -> dict[str, Any]:
    """The data of a page: the front, means, statements, and what to keep in mind."""
    best = refer(found.names[found.knee])
    return {
        "run": {
            "name": refer(name),
            "state": shown(bare(measured(found)), 400),
            "advice": "",
            "made": f"Level {found.alpha:g}; seed {found.seed}.",
        },
        "summary": {
            "headline": _headline(found),
            "sentences": [shown(text, 600) for text in _sentences(found)],
            "figures": {
                "Algorithms": str(len(found.names)),
                "Instances": str(found.first.n),
                "Best compromise": best,
                "On the front": str(len(found.front)),
            },
            "tables": [_means(found)],
        },
        **drawn([front_of(found), *statements_of(found), _caveats(found)]),
    }


def _headline(found: MetricComparison) -> str:
    names = [refer(one) for one in found.front]
    if len(names) == 1:
        others = "all that failed as seldom" if found.failed.any() else "all others"
        return f"{names[0]} is alone on the front: it dominates {others}."
    knee, of = refer(found.names[found.knee]), among(found)
    return f"{of}{listed(names)} are on the front; the best compromise is {knee}."


def _sentences(found: MetricComparison) -> Iterator[str]:
    """The first statements, and how probable all of them are."""
    said = [f"{refer(better)} dominates {refer(worse)}." for better, worse in found.statements]
    if said:
        more = len(said) - _SAID
        yield " ".join([*said[:_SAID], *[f"And {more} more."] * (more > 0)])
    yield bare(together(found))


def _means(found: MetricComparison) -> dict[str, Any]:
    rows = algorithms(found, most_rows=_ROWS)
    more = len(found.names) - len(rows.rows)
    title = f"Means, without {count(more, 'other')}" if more else "Means"
    return {
        "title": title,
        "columns": [shown(bare(column.lstrip(">"))) for column in rows.columns],
        "rows": [[shown(bare(cell)) for cell in row] for row in rows.rows],
    }


def _caveats(found: MetricComparison) -> Picture:
    return Picture(
        id="to-keep-in-mind",
        title="To keep in mind",
        sentence="",
        items=tuple(Item(text=shown(bare(caveat(note)), 900)) for note in found.notes),
    )
