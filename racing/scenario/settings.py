"""The small records of a scenario: settings of the race and of the execution."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from racing.base.quantities import RISK, Count, Jobs, Rate, Risk, Share
from racing.base.records import Checked
from racing.evaluate.engines import Engine
from racing.race.judging import DISTANCE
from racing.race.speculation import MOST_AHEAD


@dataclass(frozen=True, kw_only=True)
class RaceSettings(Checked):
    """When candidates are compared, and when the race may stop.

    Attributes
    ----------
    first_test
        The number of instances before the first test. By default the rule decides: 1 for `auto` and
        the schedules with a budget to divide, 5 for the others.
    each_test
        The number of instances between tests; or its growth, such as `25%` for tests after 20, 25,
        31, 38, … instances, which keeps more workers busy. By default the rule decides.
    min_survivors
        The race ends when no more than this many candidates are left.
    risk
        Where there is a default, another candidate wins only if the probability that it is truly
        worse is at most this; otherwise the default is kept.

    Examples
    --------
    >>> from racing.scenario import RaceSettings
    >>> settings = RaceSettings(first_test=10, each_test="25%")
    >>> settings.first_test, settings.each_test, settings.min_survivors
    (10, '25%', 1)
    """

    first_test: Count | None = None
    each_test: Annotated[int | str | None, DISTANCE] = field(
        default=None, metadata={"default": "as the rule says"}
    )
    min_survivors: Count = 1
    risk: Risk = RISK


@dataclass(frozen=True, kw_only=True)
class Execution(Checked):
    """Where evaluations run. This does not change the outcome of a race.

    Attributes
    ----------
    jobs
        The number of evaluations at the same time; -1 for one per processor.
    engine
        `loky` runs them in other processes, `threading` in threads, `in-process` one after the
        other in this process. `auto` uses processes for a Python function, even for one job,
        because a function may end or block its process; for a command, which is a process already,
        threads, or none for one job. `dask` runs them on a cluster of Dask (`pip install
        'racing[dask]'`), `ray` on one of Ray (`racing[ray]`). `slurm` (`racing[slurm]`) submits
        jobs to Slurm for `jobs` evaluations at a time. `asyncio` runs an `async def` function,
        `jobs` calls of it at a time, in one thread; `auto` uses it for these.
    address
        With `dask`, the address of the scheduler, such as `tcp://10.0.0.1:8786`, or its scheduler
        file (`*.json`): all threads of its workers are used, and `jobs` is ignored. With `ray`,
        Ray's address, such as `auto`: all processors of its nodes are used. By default, a cluster
        for `jobs` evaluations at a time is started on this machine.
    rate
        The most calls of an `async def` function that start per unit of time, evenly spaced:
        `50/s`, `3000/min`.
    speculate
        Evaluations that idle workers may start before they are certain to be needed, as a share of
        the budget of evaluations (without one, of the evaluations so far). Unneeded ones come on
        top of the budget. 0 for a strict count. Of a budget of money or tokens, this share (half of
        it at most) is kept for them, and for evaluations that are lost; decisions have the rest.
    hedge
        A quantile, such as 0.95: an evaluation that runs longer than this share of the others is
        begun a second time on an idle worker, and the first answer counts. Both are paid for. Not
        where the cost is a time. 1 for none.
    notify
        A command that is called, without a shell, when a run ends or fails. Its environment has
        RACING_EVENT (`finished`, `stopped` or `failed`), RACING_RUN (the log) and RACING_MESSAGE.

    Examples
    --------
    >>> from racing.scenario import Execution
    >>> execution = Execution(jobs=4, engine="threading")
    >>> execution.jobs, execution.speculate
    (4, 0.1)
    """

    jobs: Jobs = 1
    engine: Engine = "auto"
    address: str | None = None
    rate: Rate | None = None
    speculate: Share = 0.1
    hedge: Share = 1.0
    notify: str | None = None

    @property
    def ahead(self) -> float:
        """The share of a budget of money that is kept for evaluations ahead of need."""
        return min(self.speculate, MOST_AHEAD)


def jobs_of(value: Any) -> int:
    """A number of jobs that does not come from a scenario, read as that of a scenario.

    Raises
    ------
    FieldErrors
        If a scenario refuses it.
    """
    return Execution(jobs=value).jobs
