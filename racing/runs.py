"""From a scenario to a winner: race, pool and log are joined here, by argument."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from pathlib import Path

from racing import __version__
from racing.candidate import Candidate
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.pool import open_pool
from racing.log import Header, Log, SQLiteLog
from racing.loop import Conduct, drive
from racing.race import Race
from racing.scenario import Scenario, read


def run(
    scenario: Scenario | str | os.PathLike[str],
    *,
    log: str | os.PathLike[str] | None = None,
    how: Conduct | None = None,
) -> Race:
    """Race from a scenario to a winner.

    Parameters
    ----------
    scenario
        A scenario, or the path of its YAML file.
    log
        Where the run is recorded; a file that exists is refused. Default: as the scenario says.
    how
        Watching, interrupting, the number of jobs.

    Returns
    -------
    The race: `winner`, `ranking()`, `verdicts`, `spent`, `stopped`. It is not `done` if it was
    interrupted; `resume` goes on.

    Raises
    ------
    ScenarioError
        If the scenario cannot be read; with every fault.
    LogError
        If the log exists, or cannot be written; whatever it had accepted before is kept.
    """
    scenario = scenario if isinstance(scenario, Scenario) else read(scenario)
    with SQLiteLog.create(Path(log or scenario.resolve_log()), _header(scenario)) as book:
        book.add(scenario.resolve_candidates())
        return _go(scenario, book, how or Conduct())


def resume(log: str | os.PathLike[str], *, how: Conduct | None = None) -> Race:
    """Go on where a run stopped or was killed, to the result of an uninterrupted one.

    Nothing that has an outcome is evaluated again. Parameters and errors as for `run`.
    """
    with SQLiteLog.open(Path(log), write=True) as book:
        return _go(Scenario.from_dict(book.header.scenario), book, how or Conduct())


def race_of(scenario: Scenario, candidates: Sequence[Candidate] | None = None) -> Race:
    """The race that a scenario describes, before its first evaluation."""
    return Race(
        scenario.resolve_candidates() if candidates is None else candidates,
        scenario.resolve_instances(),
        rule=scenario.rule,
        budget=scenario.budget,
        seed=scenario.seed,
        first_test=scenario.race.first_test,
        each_test=scenario.race.each_test,
        min_survivors=scenario.race.min_survivors,
        objective=scenario.objective,
    )


def evaluator_of(scenario: Scenario) -> Evaluator:
    """What evaluates a scenario's experiments."""
    parameters = scenario.space.items() if scenario.space else ()
    return Evaluator(
        scenario.resolve_target(),
        direction=scenario.direction,
        on_failure=scenario.on_failure,
        switches={
            name: parameter.switch
            for name, parameter in parameters
            if parameter.switch is not None
        },
    )


def _header(scenario: Scenario) -> Header:
    return Header(
        name=scenario.name,
        seed=scenario.seed,
        direction=scenario.direction,
        objective=scenario.objective,
        scenario=scenario.resolved().to_dict(),
        racing=__version__,
    )


def _go(scenario: Scenario, log: Log, how: Conduct) -> Race:
    race = race_of(scenario, log.candidates())
    log.begin_sitting(os.getpid(), socket.gethostname())
    try:
        with open_pool(
            evaluator_of(scenario),
            jobs=how.jobs or scenario.execution.jobs,
            backend=scenario.execution.backend,
        ) as pool:
            return drive(
                race,
                pool,
                log,
                ahead=scenario.execution.ahead,
                stop_on_failure=scenario.on_failure.policy == "stop",
                how=how,
            )
    except BaseException as error:
        log.end_sitting(f"{type(error).__name__}: {error}".partition("\n")[0])
        raise
