"""The current activity of a run by its log: pace, workers and latest failures."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from racing.core.experiment import Outcome

WINDOW = 300.0
"""Seconds of the run, the latest ones, by which the rate is measured."""

KEPT = 3
"""Latest failures that are kept."""


@dataclass(frozen=True, kw_only=True)
class WorkerFacts:
    """One worker.

    Attributes
    ----------
    name
        As in the outcomes.
    evaluations
        How many it finished.
    busy
        The share of the time since its first evaluation in which it evaluated, up to its last;
        None if that took no time.
    last
        The last outcome that it made.
    """

    name: str
    evaluations: int
    busy: float | None
    last: Outcome


@dataclass(frozen=True, kw_only=True)
class Activity:
    """The pace of a run, its workers and its latest failures.

    Attributes
    ----------
    rate
        Evaluations per second over the latest `WINDOW` seconds of the run; None without any.
    workers
        By name.
    failures
        The latest ones, the last one first.
    """

    rate: float | None
    workers: tuple[WorkerFacts, ...]
    failures: tuple[Outcome, ...]


def activity(outcomes: Iterable[Outcome]) -> Activity:
    """The activity behind outcomes in the order in which they were recorded."""
    latest: deque[float] = deque()
    failures: deque[Outcome] = deque(maxlen=KEPT)
    workers: dict[str, _Tally] = {}
    for outcome in outcomes:
        latest.append(outcome.elapsed)
        while latest[0] < outcome.elapsed - WINDOW:
            latest.popleft()
        if outcome.failed:
            failures.appendleft(outcome)
        if outcome.worker:
            workers.setdefault(outcome.worker, _Tally(outcome)).add(outcome)
    first = latest[0] if latest else 0.0
    took = latest[-1] - first if latest else 0.0
    return Activity(
        rate=(len(latest) - 1) / took if took > 0 else None,
        workers=tuple(workers[name].facts() for name in sorted(workers, key=natural)),
        failures=tuple(failures),
    )


def natural(name: str) -> list[tuple[int, str]]:
    """A key of workers' names that puts `loky-10` after `loky-9`."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


class _Tally:
    """One worker, updated outcome by outcome."""

    def __init__(self, first: Outcome) -> None:
        self.first, self.last = first, first
        self.evaluations, self.seconds = 0, 0.0

    def add(self, outcome: Outcome) -> None:
        self.last = outcome
        self.evaluations += 1
        self.seconds += outcome.seconds

    def facts(self) -> WorkerFacts:
        begun, ended = self.first.elapsed - self.first.seconds, self.last.elapsed
        span = max(ended - begun, self.seconds)
        return WorkerFacts(
            name=self.last.worker,
            evaluations=self.evaluations,
            busy=self.seconds / span if span > 0 else None,
            last=self.last,
        )
