"""What each worker did when, from the log: its evaluations as bars, and how busy it was."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from racing.report.history import History

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Lanes:
    """Evaluations by worker and time; arrays of shape (n,), without pauses between sessions.

    Attributes
    ----------
    workers
        Names, in the order of their numbers.
    worker, candidate, step
        Who ran what.
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


def lanes(history: History) -> Lanes:
    """The lanes of a run; outcomes and the attempts that failed before them."""
    heard = history.outcomes
    starts = [_epoch(session.started) for session in history.sessions]
    extra = [attempt.outcome for attempt in history.attempts if attempt.outcome.started > 0]
    told = {*heard.workers, *(outcome.worker for outcome in extra)} - {""}
    names = sorted(told, key=_natural)
    place = {name: number for number, name in enumerate(names)}
    lane = np.array([place.get(name, -1) for name in heard.workers], dtype=np.intp)
    worker = lane[heard.worker] if len(heard) else np.empty(0, np.intp)
    known = (heard.started > 0) & (worker >= 0)
    columns = [
        (worker[known], [place.get(outcome.worker, -1) for outcome in extra]),
        (heard.candidate[known], [outcome.candidate for outcome in extra]),
        (heard.step[known], [outcome.step for outcome in extra]),
        (heard.started[known], [outcome.started for outcome in extra]),
        (heard.seconds[known], [outcome.seconds for outcome in extra]),
        (heard.failed[known], [True for _ in extra]),
    ]
    who, candidate, step, start, seconds, failed = (
        np.concatenate([told, np.array(more, dtype=told.dtype)]) for told, more in columns
    )
    return Lanes(
        workers=tuple(names),
        worker=who,
        candidate=candidate,
        step=step,
        start=_without_pauses(start, seconds, starts),
        seconds=seconds,
        failed=failed,
        unknown=int(len(heard) - known.sum()),
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


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that puts `loky-10` after `loky-9`."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def _epoch(iso: str) -> float:
    try:
        return datetime.fromisoformat(iso).timestamp()
    except ValueError:
        return 0.0
