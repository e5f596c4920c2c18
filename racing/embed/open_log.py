"""Opens the log of a run: a new or an earlier one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeAlias

from racing.base.errors import InputError, RaceError, must_be
from racing.core.budget import Budget
from racing.log import Log, MemoryLog, SQLiteLog, replay
from racing.runner.build import as_begun, header_for
from racing.runner.known_seeds import with_known_seeds
from racing.runner.preflight import check_same, watch_target
from racing.runner.reuse import Earlier, check_not_own, earlier_outcomes
from racing.scenario import Scenario

LogLike: TypeAlias = str | os.PathLike[str] | Log | None


@contextmanager
def opened(given: LogLike, scenario: Scenario) -> Iterator[Log]:
    """A new log in memory, the log at a path (created if missing), or the given log.

    A given log is left open.
    """
    if given is None:
        yield MemoryLog(header_for(with_known_seeds(scenario)))
    elif isinstance(given, str | os.PathLike):
        with _in_file(Path(given), scenario) as log:
            yield log
    elif hasattr(given, "each_outcome"):
        yield given
    else:
        allowed = "a path, the log of a result, or None for memory"
        raise InputError(must_be("log", allowed, given))


def _in_file(path: Path, scenario: Scenario) -> SQLiteLog:
    check_not_own(scenario, path)
    if path.exists():
        return SQLiteLog.open(path, write=True)
    earlier_outcomes(scenario)  # no log is made if they cannot be used
    return SQLiteLog.create(path, header_for(with_known_seeds(scenario)))


def begin(log: Log, scenario: Scenario, *, accept_change: bool) -> tuple[Scenario, Earlier]:
    """Check that a log and a scenario belong together, and extend the log if needed.

    A finished run continues if the scenario has another budget, counted from the start.

    Returns
    -------
    Scenario
        The given one with the seeds and the window of the log, and the budget that the run began
        with: the log's extensions follow it.
    Earlier
        The outcomes that it may take of earlier logs.

    Raises
    ------
    InputError
        If the log is of another scenario, or its run cannot continue with the budget.
    """
    kept, name = log.header.scenario, str(getattr(log, "path", "the log"))
    scenario = as_begun(scenario, kept)
    before = _budget(log, kept)
    original = Budget(**_limits(kept.get("budget")))
    same = scenario if scenario.budget == original else replace(scenario, budget=original)
    check_same(same, kept, name)
    if scenario.budget != before:
        _extend(log, scenario.budget, name)
    if log.finished is not None:
        return same, Earlier()
    if scenario.search is None and not log.entrants():
        log.add(scenario.plan.candidates)
    watch_target(scenario, log, accept_change=accept_change)
    return same, earlier_outcomes(scenario, run=log)


def _budget(log: Log, kept: Mapping[str, Any]) -> Budget:
    """The current limits, counted from the start."""
    extensions = log.extensions()
    return extensions[-1].budget if extensions else Budget(**_limits(kept.get("budget")))


def _limits(budget: Any) -> dict[str, Any]:
    return {name: limit for name, limit in (budget or {}).items() if limit is not None}


def _extend(log: Log, budget: Budget, name: str) -> None:
    if log.finished is None:
        raise InputError(
            f"the run in {name} is not over and has another budget; let it end with its own, then "
            "give the larger one, or name another log"
        )
    decider = replay(log)
    for limit, most in _limits(asdict(budget)).items():
        if most < (spent := getattr(decider.spent, limit)):
            raise InputError(
                f"budget.{limit} is {most}, but the run in {name} has spent {spent}; give more, or "
                "name another log"
            )
    try:
        decider.extend(budget)
    except RaceError as error:
        raise InputError(f"the run in {name} cannot continue: {error}") from error
    log.extend(budget)
