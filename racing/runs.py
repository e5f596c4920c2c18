"""From a scenario to a winner: race or search, pool and log are joined here, by argument."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing import __version__
from racing.budget import Budget
from racing.candidate import Candidate
from racing.decider import Entrant
from racing.earlier import extended
from racing.errors import ScenarioError
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.pool import Pool, PoolLike, open_pool, use_pool
from racing.log import Header, Log, SQLiteLog
from racing.logs import logger
from racing.loop import RunOptions, drive
from racing.notify import notify
from racing.preflight import check_files, check_same, check_target, watch_target
from racing.race import Race
from racing.race.arguments import budget_of
from racing.scenario import Scenario, read
from racing.stop import Stop

if TYPE_CHECKING:  # which takes long to import, and most runs are races
    from racing.search import Search

_LOGGER = logger(__name__)


def run(
    scenario: Scenario | str | os.PathLike[str],
    *,
    log: str | os.PathLike[str] | None = None,
    options: RunOptions | None = None,
    pool: PoolLike | None = None,
    force: bool = False,
) -> Race | Search:
    """Race or search from a scenario to a winner.

    Parameters
    ----------
    scenario
        A scenario, or the path of its YAML file.
    log
        Where the run is recorded; a file that exists is refused, unless `force` replaces it.
        Default: as the scenario says.
    options
        Watching, interrupting, the number of jobs.
    pool
        What runs the evaluations, if not as the scenario says: the name of an engine; a
        `concurrent.futures.Executor`, which is left open; a function (evaluator, size) → `Pool`;
        or a `Pool`, which is closed when the run ends.
    force
        Whether the log of an earlier run, which must not be in use, is replaced.

    Returns
    -------
    The race, or the search if the scenario says so: `winner`, `ranking()`, `verdicts`, `spent`,
    `stopped`; of a search `gain` and `elites` too. It is not `done` if it was interrupted; `resume`
    goes on, as it does after `Stop.TARGET_FAILED`.

    Raises
    ------
    ScenarioError
        If the scenario cannot be read; with every error.
    TargetError
        If the target cannot be started at all. No log is made then.
    LogError
        If the log exists, or cannot be written; whatever it had accepted before is kept.
    """
    scenario = scenario if isinstance(scenario, Scenario) else read(scenario)
    options = options or RunOptions()
    candidates = scenario.plan.candidates
    check_files(scenario)
    check_target(scenario, candidates)
    opened = pool_of(scenario, options, pool)
    path = Path(log or scenario.plan.log)
    if force and path.exists():
        _remove_log(path)
    with SQLiteLog.create(path, header_for(scenario)) as book, opened:
        _LOGGER.info("%s is recorded in %s", scenario.name, path)
        if scenario.search is None:
            book.add(candidates)
        watch_target(scenario, book)
        return _drive(scenario, opened, book, options)


def resume(
    log: str | os.PathLike[str],
    *,
    scenario: Scenario | None = None,
    budget: Budget | int | Mapping[str, float] | None = None,
    accept_changed_target: bool = False,
    options: RunOptions | None = None,
    pool: PoolLike | None = None,
) -> Race | Search:
    """Go on where a run stopped or was killed, to the result of an uninterrupted one.

    Nothing that has an outcome is evaluated again.

    Parameters
    ----------
    log
        The log of the run; it holds the scenario.
    scenario
        Needed where the scenario holds what no file can: objects as instances, a rule or a function
        of your own. It must be the one that the run was started with; only `execution` may differ.
    budget
        Go on with a run that is over, with so much in addition: a number of evaluations, a mapping
        of limits, or a `Budget`. Limits that it does not name no longer hold.
    accept_changed_target
        Go on although a file of the target is not what it was. The costs so far stay, so this is
        for changes that alter none.
    options
        Watching, interrupting, the number of jobs.
    pool
        What runs the evaluations; see `run`.

    Returns
    -------
    The race or the search, as `run` does. A run that is over is told again, and evaluates nothing.

    Raises
    ------
    InputError
        If the scenario is another one, a budget is given to a run that is not over or cannot go on,
        files of instances are missing that were there, or files of the target have changed.
    TargetError
        If the target cannot be started at all.
    LogError
        If there is no such log, another process is writing it, or it cannot be written.
    """
    options = options or RunOptions()
    with SQLiteLog.open(Path(log), write=True) as book:
        if scenario is None:
            scenario = _read_back(book)
        else:
            check_same(scenario, book.header.scenario, Path(log))
        _LOGGER.info("%s goes on with the log %s", book.header.name, book.path)
        more = None if budget is None else extended(book, budget_of(budget))
        if book.finished is None or more is not None:
            check_files(scenario)
            check_target(scenario, book.candidates())
            watch_target(scenario, book, accept_change=accept_changed_target)
        with pool_of(scenario, options, pool) as opened:
            if more is not None:
                book.extend(more)
            return _drive(scenario, opened, book, options)


def race_of(scenario: Scenario, candidates: Sequence[Candidate | Entrant] | None = None) -> Race:
    """The race that a scenario describes, before its first evaluation."""
    return Race(
        scenario.plan.candidates if candidates is None else candidates,
        scenario.plan.instances,
        rule=scenario.plan.rule,
        budget=scenario.budget,
        seed=scenario.seed,
        first_test=scenario.race.first_test,
        each_test=scenario.race.each_test,
        min_survivors=scenario.race.min_survivors,
        objective=scenario.objective,
        direction=scenario.direction,
    )


def search_of(scenario: Scenario) -> Search:
    """The search that a scenario describes, before its first evaluation."""
    from racing.search import IteratedRacing, IteratedSettings, Search

    assert scenario.search is not None
    assert scenario.space is not None
    given: dict[str, Any] = {
        "budget": scenario.budget,
        "seed": scenario.seed,
        "known": scenario.plan.candidates,
        "objective": scenario.objective,
        "direction": scenario.direction,
        "rule": scenario.rule,
    }
    search, instances = scenario.search, scenario.plan.instances
    if isinstance(search, IteratedSettings):
        return IteratedRacing(scenario.space, instances, settings=search, **given)
    window, settings = search.window, search.settings
    return Search(scenario.space, instances, window=window, settings=settings, **given)


def decider_of(
    scenario: Scenario, candidates: Sequence[Candidate | Entrant] | None = None
) -> Race | Search:
    """The search or the race that a scenario describes, before its first evaluation.

    Parameters
    ----------
    candidates
        Of a race; by default those of the scenario.
    """
    return race_of(scenario, candidates) if scenario.search is None else search_of(scenario)


def evaluator_of(scenario: Scenario) -> Evaluator:
    """What evaluates a scenario's experiments."""
    return Evaluator(
        scenario.plan.target,
        direction=scenario.direction,
        on_failure=scenario.on_failure,
        switches=scenario.plan.switches,
    )


def pool_of(scenario: Scenario, options: RunOptions, pool: PoolLike | None = None) -> Pool:
    """What runs a scenario's experiments: as the scenario says, or a pool of the user's own."""
    jobs = scenario.execution.jobs if options.jobs is None else options.jobs
    evaluator = evaluator_of(scenario)
    if pool is not None:
        return use_pool(pool, evaluator, jobs=jobs, address=scenario.execution.address)
    address = scenario.execution.address
    return open_pool(evaluator, jobs=jobs, engine=_engine(scenario), address=address)


def _engine(scenario: Scenario) -> str:
    """As the scenario says; but a program that may have to be killed is not waited for."""
    engine = scenario.execution.engine
    killed = scenario.budget.wall_time is not None and isinstance(scenario.target, Command)
    return "threading" if killed and engine == "auto" else engine


def _remove_log(path: Path) -> None:
    """Delete a log; what is no log, or is being written, is refused."""
    SQLiteLog.open(path, write=True).close()
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def decider_in(scenario: Scenario, log: Log) -> Race | Search:
    """The race or the search that a log is about, before it is told what the log holds."""
    given = [one for one in log.entrants() if one.origin == "given"]
    return decider_of(scenario, given or None)  # killed before they were logged: the scenario's


def drive_in(
    decider: Race | Search, scenario: Scenario, pool: Pool, log: Log, options: RunOptions
) -> Race | Search:
    """Drive the race or the search of a scenario to its end, or to an interruption."""
    return drive(
        decider,
        pool,
        log,
        speculate=scenario.execution.speculate,
        stop_on_failure=scenario.on_failure.policy == "stop",
        options=options,
    )


@contextmanager
def _notified(command: str | None, log: SQLiteLog) -> Iterator[list[Race | Search]]:
    """Tell the user's command how what runs inside ended; it is put into the list that is given."""
    ended: list[Race | Search] = []
    place = log.path.absolute()
    try:
        yield ended
    except BaseException as error:
        if command:
            notify(command, "failed", run=place, message=f"{type(error).__name__}: {error}")
        raise
    if command:
        (decider,) = ended
        over = decider.stopped is not None and decider.stopped is not Stop.TARGET_FAILED
        why = decider.stopped.meaning if decider.stopped else "interrupted"
        winner = f"; winner: {decider.winner}" if over and decider.winner else ""
        notify(command, "finished" if over else "stopped", run=place, message=why + winner)


def _drive(scenario: Scenario, pool: Pool, log: SQLiteLog, options: RunOptions) -> Race | Search:
    with _notified(scenario.execution.notify, log) as ended:
        ended.append(drive_in(decider_in(scenario, log), scenario, pool, log, options))
    return ended[0]


def header_for(scenario: Scenario) -> Header:
    """The header of a new log of a scenario."""
    return Header(
        name=scenario.name,
        seed=scenario.seed,
        direction=scenario.direction,
        objective=scenario.objective,
        scenario=scenario.to_dict(resolved=True),
        racing=__version__,
    )


def _read_back(log: SQLiteLog) -> Scenario:
    try:
        return Scenario.from_dict(log.header.scenario)
    except ScenarioError as error:
        raise ScenarioError(
            (
                f"{log.path}: its scenario cannot be read back; "
                "if Python code made it, use racing.resume(log, scenario=...)",
                *error.errors[:3],
            )
        ) from error
