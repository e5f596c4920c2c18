"""A comparison by several metrics as plain data, for JSON: every number unrounded."""

from __future__ import annotations

from typing import Any

from racing.analysis.compare.caveats import caveat
from racing.analysis.compare.metrics.comparison import MetricComparison
from racing.answer.document import bare


def metric_data(c: MetricComparison) -> dict[str, Any]:
    """All that a comparison by several metrics holds but the scores themselves."""
    found = c.dominance
    posteriors = found.posteriors[: found.accepted].tolist()
    return {
        "metrics": [
            {
                "name": metric,
                "source": table.source,
                "direction": table.direction,
                "rope": rope,
                "left_out": list(table.left_out),
            }
            for (metric, table), rope in zip(c.tables.items(), c.ropes, strict=True)
        ],
        "instances": c.first.n,
        "choices": {"alpha": c.alpha, "seed": c.seed},
        "algorithms": [
            {
                "name": c.names[i],
                "undominated": bool(c.undominated[i]),
                "on_front": float(c.on_front[i]),
                "failed": int(c.failed[i]),
                "means": {
                    metric: [float(c.means[i, k]), float(c.low[i, k]), float(c.high[i, k])]
                    for k, metric in enumerate(c.metrics)
                },
            }
            for i in c.order
        ],
        "knee": c.names[c.knee],
        "joint": {
            "probability": found.joint,
            "draws": found.draws,
            "statements": [
                {"better": better, "worse": worse, "probability": probability}
                for (better, worse), probability in zip(c.statements, posteriors, strict=True)
            ],
        },
        "notes": [
            {"kind": note.kind, "text": bare(caveat(note)), **note.facts} for note in c.notes
        ],
    }
