"""Builds the race or search, the pool and the log header of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from racing.base.version import __version__
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.pool import PoolLike, open_pool, size_of
from racing.evaluate.work import Pool
from racing.log import Header, Log
from racing.log.replay import Recorded, kept_ahead
from racing.race import Race
from racing.runner.known_seeds import with_kept_seeds
from racing.runner.loop import RunOptions
from racing.scenario import Scenario, SearchSettings
from racing.scenario.settings import jobs_of

if TYPE_CHECKING:  # slow to import, and most runs are races
    from racing.search import SearchBase


def decider_of(scenario: Scenario, log: Log | None = None) -> Race | SearchBase:
    """The race or search of a scenario, before its first evaluation.

    Parameters
    ----------
    log
        Its candidates are raced; those of the scenario, if it has none yet.
    """
    if scenario.search is not None:
        return _search(scenario)
    entrants = [] if log is None else log.entrants()
    given = [one for one in entrants if one.origin == "given"]
    rule = scenario.plan.rule
    if rule is not None and log is not None and log.outdated:  # what it decided then stays
        rule = Recorded(log.verdicts(), rule)
    ahead = scenario.execution.ahead if log is None else kept_ahead(log.header)
    return Race(
        given or scenario.plan.candidates,
        scenario.plan.instances,
        rule=rule,
        budget=scenario.budget,
        seed=scenario.seed,
        first_test=scenario.race.first_test,
        each_test=scenario.race.each_test,
        min_survivors=scenario.race.min_survivors,
        risk=scenario.race.risk,
        objective=scenario.objective,
        direction=scenario.direction,
        metrics=scenario.metrics,
        on_failure=scenario.on_failure,
        ahead=ahead,
    )


def _search(scenario: Scenario) -> SearchBase:
    from racing.search import IteratedRacing, IteratedSettings, PortfolioSearch, Search

    assert scenario.search is not None
    assert scenario.space is not None
    given: dict[str, Any] = {
        "budget": scenario.budget,
        "seed": scenario.seed,
        "known": scenario.plan.candidates,
        "objective": scenario.objective,
        "direction": scenario.direction,
        "metrics": scenario.metrics,
        "rule": scenario.rule,
        "on_failure": scenario.on_failure,
    }
    search, instances = scenario.search, scenario.plan.instances
    if isinstance(search, IteratedSettings):
        return IteratedRacing(scenario.space, instances, settings=search, **given)
    window = search.window_of(size_of(scenario.execution.jobs), scenario.budget.evaluations)
    given |= {"window": window, "settings": search.settings}
    if search.portfolio is not None:
        return PortfolioSearch(scenario.space, instances, portfolio=search.portfolio, **given)
    return Search(scenario.space, instances, **given)


def evaluator_of(scenario: Scenario) -> Evaluator:
    """The evaluator of a scenario's experiments."""
    return Evaluator(
        scenario.plan.target,
        direction=scenario.direction,
        on_failure=scenario.on_failure,
        switches=scenario.plan.switches,
        goal=scenario.plan.goal,
    )


def pool_of(scenario: Scenario, options: RunOptions, pool: PoolLike | None = None) -> Pool:
    """The pool for a scenario's experiments: the scenario's, or the user's own."""
    jobs, evaluator = _jobs(scenario, options), evaluator_of(scenario)
    address, rate = scenario.execution.address, scenario.execution.rate
    engine = _engine(scenario) if pool is None else pool
    return open_pool(evaluator, jobs=jobs, engine=engine, address=address, rate=rate)


def _engine(scenario: Scenario) -> str:
    """The scenario's engine; a program that may be killed needs one that does not block."""
    engine = scenario.execution.engine
    killed = scenario.budget.wall_time is not None and isinstance(scenario.target, Command)
    return "threading" if killed and engine == "auto" else engine


def _jobs(scenario: Scenario, options: RunOptions) -> int:
    return scenario.execution.jobs if options.jobs is None else jobs_of(options.jobs)


def with_window(
    scenario: Scenario, workers: Pool, options: RunOptions, pool: PoolLike | None = None
) -> Scenario:
    """The scenario of a run that begins with these workers, and keeps the window of its search.

    Of workers that arrive later, such as jobs of Slurm, those that were ordered count.
    """
    own = not (pool is None or isinstance(pool, str | Executor))
    given = own or scenario.execution.address is not None
    size = workers.size if given else size_of(_jobs(scenario, options))
    search, most = scenario.search, scenario.budget.evaluations
    if not isinstance(search, SearchSettings) or search.window is not None:
        return scenario
    return replace(scenario, search=replace(search, window=search.window_of(size, most)))


def as_begun(scenario: Scenario, kept: Mapping[str, Any]) -> Scenario:
    """The scenario with what its run fixed as it began: the window, and seeds of instances.

    A log of before does not check seeds.

    Parameters
    ----------
    kept
        The scenario in the log, as plain data.
    """
    search, of_run = scenario.search, kept.get("search") or {}
    if isinstance(search, SearchSettings):
        window = of_run.get("window") if search.window is None else search.window
        checks = search.check_seed and "check_seed" in of_run
        scenario = replace(scenario, search=replace(search, window=window, check_seed=checks))
    return with_kept_seeds(scenario, kept)


def header_for(scenario: Scenario) -> Header:
    """The header of a new log of a scenario."""
    return Header(
        name=scenario.name,
        seed=scenario.seed,
        direction=scenario.direction,
        objective=scenario.score,
        scenario=scenario.to_dict(resolved=True),
        racing=__version__,
    )
