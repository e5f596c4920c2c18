"""The timeline of each worker."""

from __future__ import annotations

import numpy as np

from racing.base.words import count, percent
from racing.report.history import History
from racing.report.pictures.picture import Picture, nothing, short, shown, table
from racing.report.worker_timeline import timeline

BARS = 3000
"""Evaluations that are drawn one by one; beyond it only how busy the workers were."""

_BINS = 120
_ROWS = 64

_READING = (
    "Each bar is an evaluation, from its start to its end. White gaps are idle time: "
    "workers wait when a row must be complete before the next test. Pauses between "
    "sessions are left out. Orange bars failed."
)


def picture(history: History) -> Picture:
    """Bars by worker and time, and the share of the workers that was busy."""
    found = timeline(history)
    if not len(found.start):
        return nothing("workers", "Workers", "The log does not say which worker ran what.")
    busy, span = found.busy(), max(found.span, 1e-9)
    share = busy.sum() / (span * len(found.workers))
    said = f"{count(len(found.workers), 'worker')}, busy {percent(share)} of the time."
    single = len(found.start) <= BARS and len(found.workers) <= _ROWS
    if not single:
        said += " Bars of single evaluations are left out, as there are too many."
    if found.unknown:
        said += f" {count(found.unknown, 'evaluation')} without a known start are left out."
    bars = zip(
        found.worker.tolist(), found.start.tolist(), found.seconds.tolist(),
        found.candidate.tolist(), found.step.tolist(), found.failed.tolist(), strict=True,
    )  # fmt: skip
    tasks = np.bincount(found.worker, minlength=len(found.workers))
    return Picture(
        id="workers",
        title="Workers",
        sentence=said,
        reading=_READING,
        chart="timeline",
        data={
            "workers": [shown(name, 30) for name in found.workers],
            "span": short(span),
            "bars": [
                (w, round(start, 2), round(seconds, 2), id, step, int(failed))
                for w, start, seconds, id, step, failed in bars
            ]
            if single
            else [],
            "busy": [round(float(x), 3) for x in found.utilisation(_BINS)],
        },
        table=table(
            ("worker", "evaluations", "busy seconds", "busy share"),
            (
                (shown(name), int(tasks[k]), short(float(busy[k]), 4), percent(busy[k] / span))
                for k, name in enumerate(found.workers)
            ),
        ),
    )
