"""The small records of a scenario: how the race goes, and where it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from racing.quantities import Count, Jobs, Share
from racing.records import Checked


@dataclass(frozen=True, kw_only=True)
class RaceSettings(Checked):
    """When candidates are compared, and when the race may stop.

    Attributes
    ----------
    first_test
        After how many instances candidates are compared for the first time. Without it the rule
        decides: `auto` and the schedules after 1, if there is a budget to divide, the others after
        5.
    each_test
        After how many further instances they are compared again.
    min_survivors
        The race ends when no more than this many candidates are left.
    """

    first_test: Count | None = None
    each_test: Count = 1
    min_survivors: Count = 1


@dataclass(frozen=True, kw_only=True)
class Execution(Checked):
    """Where evaluations run. None of this changes the outcome of a race.

    Attributes
    ----------
    jobs
        How many evaluations run at the same time; -1 for as many as there are processors.
    engine
        `loky` runs them in other processes, `threading` in threads, `in-process` one after the
        other in this process (`sequential` is its former name). `auto` takes processes for a
        Python function, also for one job, so that a function that ends or blocks its process does
        no harm; for a command, which is a process already, threads, or none for one job.
        `dask` runs them on a cluster of Dask (`pip install 'racing[dask]'`), `ray` on one of Ray
        (`racing[ray]`).
    address
        With `dask`, where the scheduler is, such as `tcp://10.0.0.1:8786`, or its scheduler file,
        whose name ends in `.json`: all threads of its workers are used, and `jobs` is not. With
        `ray`, what Ray itself calls the address, such as `auto`: all processors of its nodes are
        used. Without it, a cluster for `jobs` evaluations at a time is started on this machine.
    speculate
        What idle workers may evaluate before it is certain to be needed, as a share of the budget
        of evaluations (without one, of the evaluations so far). It comes on top of the budget if it
        turns out not to be needed. 0 for a strict count.
    notify
        A command that is called, without a shell, when a run ends or fails; it finds in its
        environment RACING_EVENT (`finished`, `stopped` or `failed`), RACING_RUN (the log) and
        RACING_MESSAGE.
    """

    jobs: Jobs = 1
    engine: Literal["auto", "loky", "dask", "ray", "threading", "in-process", "sequential"] = "auto"
    address: str | None = None
    speculate: Share = 0.1
    notify: str | None = None
