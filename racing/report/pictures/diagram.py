"""The critical-difference diagram of the finalists."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from racing.analysis.compare.verdicts import Verdicts
from racing.analysis.compare.words import findings, p_value
from racing.report.figures.diagram import diagram
from racing.report.finalists import finalists
from racing.report.history import History
from racing.report.pictures.picture import Picture, nothing, short, shown, table

_ID, _TITLE = "finalists", "Finalists"


def picture(history: History) -> Picture:
    """Mean ranks of the finalists, with bars over those that were not shown to differ."""
    found = finalists(history)
    if found is None:
        return nothing(_ID, _TITLE, "Fewer than two finalists share five instances.")
    return of_comparison(
        found,
        title=_TITLE,
        warning=" The finalists were chosen by these results, so differences look clearer than "
        "they are.",
    )


def of_comparison(found: Verdicts, *, title: str, warning: str = "") -> Picture:
    """The diagram of any comparison."""
    shape = diagram(found)
    family = found.family
    return Picture(
        id=_ID,
        title=title,
        sentence=" ".join(shown(text, 600) for text in findings(found)),
        reading=(
            "The axis has mean ranks; the best is to the right. A bar joins those that were not "
            f"shown to differ. {shape.caption}{warning}"
        ),
        chart="diagram",
        data={
            "low": shape.low,
            "high": shape.high,
            "labels": [{**asdict(one), "name": shown(one.name)} for one in shape.labels],
            "bars": [_bar(bar.ranks, bar.row, bar.whole) for bar in shape.bars],
            "cd": shape.critical_difference,
        },
        table=table(
            ("first", "second", "mean rank", "mean rank of second", "adjusted p"),
            (
                (
                    found.names[i],
                    found.names[j],
                    short(float(found.mean_ranks[i]), 4),
                    short(float(found.mean_ranks[j]), 4),
                    p_value(float(p)),
                )
                for i, j, p in zip(family.first, family.second, family.adjusted, strict=True)
            ),
        ),
    )


def _bar(ranks: tuple[float, ...], row: int, whole: bool) -> dict[str, Any]:
    return {"ranks": [r for r in ranks if math.isfinite(r)], "row": row, "whole": whole}
