"""The small records of a scenario: how the race goes, and where it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from racing.quantities import Count, Jobs, Natural
from racing.scenario.records import verify


@dataclass(frozen=True, kw_only=True)
class RaceSettings:
    """When candidates are compared, and when the race may stop.

    Attributes
    ----------
    first_test
        After how many instances candidates are compared for the first time.
    each_test
        After how many further instances they are compared again.
    min_survivors
        The race ends when no more than this many candidates are left.
    """

    first_test: Count = 5
    each_test: Count = 1
    min_survivors: Count = 1

    def __post_init__(self) -> None:
        verify(self)


@dataclass(frozen=True, kw_only=True)
class Execution:
    """Where evaluations run. None of this changes the outcome of a race.

    Attributes
    ----------
    jobs
        How many evaluations run at the same time; -1 for as many as there are processors.
    backend
        `loky` runs them in other processes, `threading` in threads, `in-process` one after the
        other in this process (`sequential` is its former name). `auto` takes processes for a
        Python function, also for one job, so that a function that ends or blocks its process does
        no harm; for a command, which is a process already, threads, or none for one job.
    ahead
        How many instances beyond the next test idle workers may begin. What they evaluate for a
        candidate that the test then drops is wasted.
    """

    jobs: Jobs = 1
    backend: Literal["auto", "loky", "threading", "in-process", "sequential"] = "auto"
    ahead: Natural = 0

    def __post_init__(self) -> None:
        verify(self)
