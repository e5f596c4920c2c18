"""Runs and resumes scenarios: read, check, open pool and log, drive, report.

`run` and `resume` call, in this order:

    scenario.read       YAML → scenario                                      racing/scenario/load.py
    check_…             target and files exist; the log is of this run       runner/preflight.py
    earlier_outcomes    the outcomes of earlier runs                         runner/reuse.py
    pool_of             the pool                                             runner/build.py
    with_window         the window of a search, for the pool's workers       runner/build.py
    SQLiteLog           the log                                              racing/log/sqlite.py
    decider_of          the race or search                                   runner/build.py
    drive               the loop that connects these                         runner/loop.py
    notify_…            the user's command at the end                        runner/notify.py

They return the race or search; all output is read from it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from racing.base.errors import ScenarioError
from racing.base.logs import logger
from racing.core.budget import Budget
from racing.evaluate.pool import PoolLike
from racing.evaluate.work import Pool
from racing.log import Extension, Log, LogOf, SQLiteLog, path_in, replay
from racing.log.opening import to_open
from racing.race import Race
from racing.race.arguments import budget_of
from racing.runner.build import as_begun, decider_of, header_for, pool_of, with_window
from racing.runner.known_seeds import with_known_seeds
from racing.runner.loop import RunOptions, drive
from racing.runner.notify import notify_end, notify_failure
from racing.runner.preflight import (
    check_files,
    check_same,
    check_target,
    unsteady_noted,
    watch_target,
)  # fmt: skip
from racing.runner.reuse import Earlier, check_not_own, earlier_outcomes
from racing.runner.warm_start import extension_of, named
from racing.scenario import Problem, Scenario, read

if TYPE_CHECKING:  # slow to import, and most runs are races
    from racing.search import SearchBase

_LOGGER = logger(__name__)


def run(
    scenario: Scenario | str | os.PathLike[str],
    *,
    log: str | os.PathLike[str] | None = None,
    options: RunOptions | None = None,
    pool: PoolLike | None = None,
    force: bool = False,
) -> Race | SearchBase:
    """Run the race or search of a scenario.

    Parameters
    ----------
    scenario
        A scenario, or the path of its YAML file.
    log
        The path of the log; an existing file is refused, unless `force` replaces it. Default: the
        scenario's.
    options
        Watching, interrupting, the number of jobs.
    pool
        The pool for evaluations, instead of the scenario's: the name of an engine; a
        `concurrent.futures.Executor`, which is left open; a function (evaluator, size) → `Pool`;
        or a `Pool`, which is closed when the run ends.
    force
        Whether to replace the log of an earlier run, which must not be in use.

    Returns
    -------
    The race, or the search if the scenario says so: `winner`, `ranking()`, `verdicts`, `spent`,
    `stopped`; of a search `gain` and `elites` too. It is not `done` if it was interrupted; `resume`
    continues it, also after `Stop.TARGET_FAILED`.

    Raises
    ------
    ScenarioError
        If the scenario cannot be read; with every error.
    TargetError
        If the target cannot be started at all. No log is made then.
    LogError
        If the log exists, or cannot be written; earlier records are kept.

    Examples
    --------
    >>> import racing
    >>> from racing.cli.init import write
    >>> race = racing.run(write(Path("tuning"))[0], log="race.sqlite")
    >>> race.winner.values["move"]
    'insert'
    """
    scenario = scenario if isinstance(scenario, Scenario) else read(scenario)
    path = to_open(log or scenario.plan.log)
    check_not_own(scenario, path)
    scenario = with_known_seeds(scenario)
    options = options or RunOptions()
    check_files(scenario)
    check_target(scenario, scenario.plan.candidates)
    earlier = earlier_outcomes(scenario)
    workers = pool_of(scenario, options, pool)
    scenario = with_window(scenario, workers, options, pool)
    if force and path.exists():
        _remove_log(Path(os.path.realpath(path)))
    with SQLiteLog.create(path, header_for(scenario)) as book, workers:
        _LOGGER.info("%s is recorded in %s", scenario.name, path)
        if scenario.search is None:
            book.add(scenario.plan.candidates)
        watch_target(scenario, book)
        return _drive(scenario, workers, book, earlier, options)


def resume(
    log: LogOf,
    *,
    scenario: Scenario | None = None,
    budget: Budget | int | Mapping[str, float] | None = None,
    instances: Sequence[str | Problem] | str = (),
    accept_changed_target: bool = False,
    options: RunOptions | None = None,
    pool: PoolLike | None = None,
) -> Race | SearchBase:
    """Resume a run that stopped or was killed, to the result of an uninterrupted one.

    No finished experiment is evaluated again.

    Parameters
    ----------
    log
        The log of the run, its path, or its result; it holds the scenario.
    scenario
        Required if only Python can build the scenario: objects as instances, a rule or a function
        of your own. It must be the scenario of the run; only `execution` may differ.
    budget
        Extend a finished run by so much: a number of evaluations, a mapping of limits, or a
        `Budget`. Limits that it does not name no longer hold.
    instances
        Add instances, as a scenario names them: a list, or a pattern of files or a folder, relative
        to the folder of the scenario. They come next, before the rest of those that the run has. A
        search that is not over begins anew from its elites.
    accept_changed_target
        Resume although a file or a function of the target has changed. The costs so far stay, so
        use it only for changes without effect on costs.
    options
        Watching, interrupting, the number of jobs.
    pool
        The pool for evaluations; see `run`.

    Returns
    -------
    The race or the search, as `run` does. A finished run is only replayed.

    Raises
    ------
    InputError
        If the scenario differs, a budget is given to a run that is not over or cannot continue,
        files of instances are missing, instances are there already or change nothing, or files of
        the target have changed.
    TargetError
        If the target cannot be started at all.
    LogError
        If the log does not exist, is in use by another process, or cannot be written.

    Examples
    --------
    >>> import racing
    >>> from racing.cli.init import write
    >>> race = racing.run(write(Path("tuning"))[0], log="race.sqlite")
    >>> racing.resume("race.sqlite").winner == race.winner
    True
    """
    options = options or RunOptions()
    with SQLiteLog.open(path_in(log), write=True) as book:
        scenario = _scenario_of(book, scenario)
        _LOGGER.info("%s continues with the log %s", book.header.name, book.path)
        more = _more(book, scenario, None if budget is None else budget_of(budget), instances)
        earlier = Earlier()
        if book.finished is None or more is not None:
            check_files(scenario, book, more)
            check_target(scenario, book.candidates())
            watch_target(scenario, book, accept_change=accept_changed_target)
            earlier = earlier_outcomes(scenario, run=book)
        with pool_of(scenario, options, pool) as workers:
            if more is not None:
                book.extend(more.budget, more.instances, ending=more.finish)
            return _drive(scenario, workers, book, earlier, options)


def _more(
    log: SQLiteLog,
    scenario: Scenario,
    budget: Budget | None,
    instances: Sequence[str | Problem] | str,
) -> Extension | None:
    """What a run is extended by; None for nothing."""
    if not instances:
        return None if budget is None else extension_of(log, budget)
    added = named(scenario, replay(log).instances.names, instances)
    return extension_of(log, budget, added)


def _drive(
    scenario: Scenario, pool: Pool, log: SQLiteLog, earlier: Earlier, options: RunOptions
) -> Race | SearchBase:
    """Drive the race or search of a scenario to its end or an interruption, and notify the user."""
    command, place = scenario.execution.notify, log.path.absolute()
    try:
        decider = decider_of(scenario, log)
        options.begin(scenario, decider)
        driven(scenario, decider, pool, log, earlier, options)
    except BaseException as error:
        notify_failure(command, error, run=place)
        raise
    notify_end(command, decider, run=place)
    return decider


def driven(
    scenario: Scenario,
    decider: Race | SearchBase,
    pool: Pool,
    log: Log,
    earlier: Earlier,
    options: RunOptions,
) -> None:
    """Drive a race or search as its scenario says; see `drive`."""
    with unsteady_noted(scenario, log):
        drive(
            decider,
            pool,
            log,
            speculate=scenario.execution.speculate,
            hedge=scenario.execution.hedge,
            stop_on_failure=scenario.on_failure.policy == "stop",
            known=earlier.find,
            options=options,
        )


def _remove_log(path: Path) -> None:
    """Delete a log; refuse other files, and a log in use."""
    SQLiteLog.open(path, write=True).close()
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _scenario_of(log: SQLiteLog, given: Scenario | None) -> Scenario:
    """The scenario of a log: read back, or the given one, which must be equal."""
    if given is not None:
        given = as_begun(given, log.header.scenario)
        check_same(given, log.header.scenario, log.path)
        return given
    try:
        return Scenario.from_dict(log.header.scenario)
    except ScenarioError as error:
        raise ScenarioError(
            (
                f"{log.path}: its scenario cannot be read back; "
                "if racing.minimize made it, call it again with the same arguments and this log; "
                "with a scenario of Python code, racing.resume(log, scenario=...)",
                *error.errors[:3],
            )
        ) from error
