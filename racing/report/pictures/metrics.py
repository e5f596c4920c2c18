"""Finished algorithms by several metrics: their front, and who dominates whom."""

from __future__ import annotations

from typing import Any

import numpy as np

from racing.analysis.compare.metrics.comparison import MetricComparison
from racing.analysis.compare.metrics.report import place, together
from racing.answer.document import bare
from racing.base.words import number
from racing.core.fronts import chance_words
from racing.report.names import refer
from racing.report.pictures.picture import Picture, plain, short, table

_POINTS = 800


def front_of(found: MetricComparison) -> Picture:
    """A point for each algorithm at its means; steps and intervals of the front."""
    level = number(100 * (1 - found.alpha))
    failed = ("failed",) * bool(found.failed.any())
    metrics = (name for metric in found.metrics for name in (refer(metric), "from", "to"))
    return Picture(
        id="front",
        title="Front",
        sentence=f"{len(found.front)} of {len(found.names)} algorithms on the front.",
        reading=_reading(found, level),
        chart="front",
        data={
            "metrics": [
                {"name": refer(metric), "direction": one.direction}
                for metric, one in found.tables.items()
            ],
            "points": _points(found),
            "knee": found.knee,
        },
        table=table(
            ("algorithm", "front", "P(on the front)", *failed, *metrics),
            (
                (
                    refer(found.names[i]), place(found, i), chance_words(float(found.on_front[i])),
                    *(int(found.failed[i]) for _ in failed), *_ends(found, i),
                )
                for i in found.order
            ),
        ),
    )  # fmt: skip


def statements_of(found: MetricComparison) -> list[Picture]:
    """The statements that are all true together, as a table; none where nothing is said."""
    if not found.statements:
        return []
    posteriors = found.dominance.posteriors[: found.dominance.accepted].tolist()
    return [
        Picture(
            id="statements",
            title="What can be believed together?",
            sentence=bare(together(found)),
            table=table(
                ("algorithm", "dominates", "probability"),
                (
                    (refer(better), refer(worse), plain(p))
                    for (better, worse), p in zip(found.statements, posteriors, strict=True)
                ),
            ),
        )
    ]


def _reading(found: MetricComparison, level: str) -> str:
    steps = " The steps are the front: beyond them nothing was found." * (len(found.metrics) == 2)
    failures = " Orange triangles failed more often than others." * bool(found.failed.any())
    return (
        f"A point for each algorithm, at its mean in two metrics.{steps} Members of the front are "
        f"green, with {level} % intervals of each mean; the largest point is the best compromise. "
        f"Grey ones are dominated.{failures}"
    )


def _points(found: MetricComparison) -> list[tuple[int, list[Any], list[Any] | None, int | None]]:
    """Column, means, half-widths on the front, and failures if others failed less often.

    What never ran has no point.
    """
    least = int(found.failed.min())
    half = (found.high - found.low) / 2
    return [
        (
            i,
            [short(float(mean)) for mean in found.means[i]],
            [short(float(one)) for one in half[i]] if found.undominated[i] else None,
            int(found.failed[i]) if found.failed[i] > least else None,
        )
        for i in found.order[:_POINTS]
        if np.isfinite(found.means[i]).all()
    ]


def _ends(found: MetricComparison, i: int) -> list[Any]:
    """Mean, low and high of each metric, one after the other."""
    ends = np.stack([found.means[i], found.low[i], found.high[i]], axis=1)
    return [plain(float(one)) for one in ends.ravel()]
