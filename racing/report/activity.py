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


@dataclass
class _Work:
    """What a worker did: since when, how many evaluations, their seconds, and the last one."""

    begun: float
    last: Outcome
    evaluations: int = 0
    seconds: float = 0.0

    def facts(self) -> WorkerFacts:
        span = max(self.last.elapsed - self.begun, self.seconds)
        busy = self.seconds / span if span > 0 else None
        name, evaluations = self.last.worker, self.evaluations
        return WorkerFacts(name=name, evaluations=evaluations, busy=busy, last=self.last)


def activity(outcomes: Iterable[Outcome]) -> Activity:
    """The activity behind outcomes in the order in which they were recorded."""
    latest: deque[float] = deque()
    failures: deque[Outcome] = deque(maxlen=KEPT)
    workers: dict[str, _Work] = {}
    for outcome in outcomes:
        latest.append(outcome.elapsed)
        while latest[0] < outcome.elapsed - WINDOW:
            latest.popleft()
        if outcome.failed:
            failures.appendleft(outcome)
        if outcome.worker:
            begun = outcome.elapsed - outcome.seconds
            one = workers.setdefault(outcome.worker, _Work(begun, outcome))
            one.last, one.evaluations = outcome, one.evaluations + 1
            one.seconds += outcome.seconds
    took = latest[-1] - latest[0] if latest else 0.0
    return Activity(
        rate=(len(latest) - 1) / took if took > 0 else None,
        workers=tuple(workers[name].facts() for name in sorted(workers, key=natural)),
        failures=tuple(failures),
    )


def natural(name: str) -> list[tuple[int, str]]:
    """A key of workers' names that puts `loky-10` after `loky-9`."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]
