"""The timeline of each worker, from the log: its evaluations as bars, and its use."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from racing.report.activity import natural
from racing.report.history import History

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Timeline:
    """Evaluations by worker and time; arrays of shape (n,), without pauses between sessions.

    Attributes
    ----------
    workers
        Names, in the order of their numbers.
    worker, candidate, step
        Which worker ran which evaluation.
    start, seconds
        From the start of the first evaluation.
    failed
        Whether it failed.
    unknown
        Evaluations that the log has no worker or start for; they are in no bar.
    """

    workers: tuple[str, ...]
    worker: NDArray[np.intp]
    candidate: NDArray[np.intp]
    step: NDArray[np.intp]
    start: Floats
    seconds: Floats
    failed: NDArray[np.bool_]
    unknown: int

    @property
    def span(self) -> float:
        """Seconds from the first start to the last end."""
        return float((self.start + self.seconds).max()) if len(self.start) else 0.0

    def busy(self) -> Floats:
        """(workers,) seconds of work of each."""
        many = len(self.workers)
        return np.bincount(self.worker, self.seconds, many).astype(np.float64)

    def utilisation(self, bins: int) -> Floats:
        """(bins,) the mean share of the workers that were busy, over equal parts of the span."""
        if not self.workers or self.span == 0:
            return np.zeros(bins)
        edges = np.linspace(0, self.span, bins + 1)
        done: Floats = np.diff(self._work_until(edges))
        return done / (self.span / bins * len(self.workers))

    def _work_until(self, times: Floats) -> Floats:
        """Seconds of work done until each of these times: Σ clip(t − start, 0, seconds)."""

        def past(points: Floats) -> Floats:
            ordered = np.sort(points)
            sums = np.concatenate([[0.0], np.cumsum(ordered)])
            count = np.searchsorted(ordered, times)
            return np.asarray(count * times - sums[count])

        return past(self.start) - past(self.start + self.seconds)


def timeline(history: History) -> Timeline:
    """The timeline of a run: outcomes, and the attempts that failed before them."""
    outcomes = history.outcomes
    starts = [_epoch(session.started) for session in history.sessions]
    extra = [attempt.outcome for attempt in history.attempts if attempt.outcome.started > 0]
    seen = {*outcomes.workers, *(attempt.worker for attempt in extra)} - {""}
    names = sorted(seen, key=natural)
    place = {name: number for number, name in enumerate(names)}
    row = np.array([place.get(name, -1) for name in outcomes.workers], dtype=np.intp)
    worker = row[outcomes.worker] if len(outcomes) else np.empty(0, np.intp)
    known = (outcomes.started > 0) & (worker >= 0)
    columns = [
        (worker[known], [place.get(attempt.worker, -1) for attempt in extra]),
        (outcomes.candidate[known], [attempt.candidate for attempt in extra]),
        (outcomes.step[known], [attempt.step for attempt in extra]),
        (outcomes.started[known], [attempt.started for attempt in extra]),
        (outcomes.seconds[known], [attempt.seconds for attempt in extra]),
        (outcomes.failed[known], [True for _ in extra]),
    ]
    worker, candidate, step, start, seconds, failed = (
        np.concatenate([own, np.array(more, dtype=own.dtype)]) for own, more in columns
    )
    return Timeline(
        workers=tuple(names),
        worker=worker,
        candidate=candidate,
        step=step,
        start=_without_pauses(start, seconds, starts),
        seconds=seconds,
        failed=failed,
        unknown=int(len(outcomes) - known.sum()),
    )


def _without_pauses(start: Floats, seconds: Floats, sessions: list[float]) -> Floats:
    """Starts from the first one, with each later session moved to the end of the one before."""
    if len(start) == 0:
        return start
    moved, end = start.copy(), start + seconds
    for begin in sessions[1:]:
        before, after = start < begin, start >= begin
        if before.any() and after.any():
            moved[after] -= max(float(start[after].min() - end[before].max()), 0.0)
    return np.asarray(moved - moved.min())


def _epoch(iso: str) -> float:
    try:
        return datetime.fromisoformat(iso).timestamp()
    except ValueError:
        return 0.0
