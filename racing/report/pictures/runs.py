"""Every run of a comparison of runs, beside medians and their intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from racing.analysis.compare.unpaired.comparison import ProblemComparison, RunComparison
from racing.base.quantities import cost_of, score_of
from racing.report.pictures.picture import Picture, plain, short, shown, table
from racing.stats.effects import median_difference

_RUNS = 300  # of an algorithm that a page shows


def every_run(found: RunComparison) -> Picture:
    """A dot for each run, the median and its interval, a panel for each problem."""
    panels: list[dict[str, Any]] = [
        {"name": shown(one.problem), "rows": [_row(one, i) for i in one.order]}
        for one in found.problems
    ]
    better = "left" if found.table.direction == "minimize" else "right"
    level = 1 - found.choices.alpha
    return Picture(
        id="runs",
        title="Runs",
        sentence=f"{int(found.table.sizes.sum())} runs; better ones are to the {better}.",
        reading=(
            "A dot is a run; how high it stands within its row means nothing. The tick is the "
            f"median, the bar an interval that holds the true median with probability {level:g}. "
            "Runs that failed are counted at the right."
        ),
        chart="runs",
        data={"panels": panels},
        table=table(
            ("problem", "algorithm", "runs", "failed", "median", "from", "to"),
            (
                (
                    panel["name"], row["name"], row["runs"], row["failed"],
                    *(plain(row[key]) for key in ("median", "low", "high")),
                )
                for panel in panels for row in panel["rows"]
            ),
        ),
    )  # fmt: skip


def _row(one: ProblemComparison, i: int) -> dict[str, Any]:
    """The runs of an algorithm, ascending, its median and the interval of that."""
    direction, scores = one.table.direction, one.table.runs[0][i]
    costs = cost_of(scores, direction)
    level = 1 - one.choices.alpha
    middle = median_difference(np.zeros(costs.size), costs, estimator="median", level=level)
    ends = [float(score_of(x, direction)) for x in (middle.low, middle.high)]
    finite = np.sort(scores[np.isfinite(scores)])
    kept = np.unique(np.linspace(0, max(finite.size - 1, 0), _RUNS).astype(int))
    return {
        "name": shown(one.names[i]),
        "runs": int(scores.size),
        "failed": int(np.isinf(scores).sum()),
        "scores": [short(float(x)) for x in finite[kept]] if finite.size else [],
        "median": short(float(score_of(middle.estimate, direction))),
        "low": short(min(ends)),
        "high": short(max(ends)),
    }
