"""The log that a run is kept in: made, or gone on with."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeAlias

from racing.budget import Budget
from racing.errors import InputError, RaceError
from racing.log import Log, MemoryLog, SQLiteLog, replay
from racing.preflight import check_same, watch_target
from racing.runs import header_for
from racing.scenario import Scenario

LogLike: TypeAlias = str | os.PathLike[str] | Log | None


@contextmanager
def opened(given: LogLike, scenario: Scenario) -> Iterator[Log]:
    """A new log in memory, the log at a path, which is made if there is none, or the one given.

    The one given is left open.
    """
    if given is None:
        yield MemoryLog(header_for(scenario))
    elif isinstance(given, str | os.PathLike):
        with _in_file(Path(given), scenario) as log:
            yield log
    elif hasattr(given, "each_outcome"):
        yield given
    else:
        raise InputError(
            f"log is {given!r:.80}; expected a path, the log of a result, or None for memory"
        )


def _in_file(path: Path, scenario: Scenario) -> SQLiteLog:
    if path.exists():
        return SQLiteLog.open(path, write=True)
    return SQLiteLog.create(path, header_for(scenario))


def begin(log: Log, scenario: Scenario, *, accept_change: bool) -> None:
    """See that a log and a scenario belong together, and make the log ready to go on.

    A run that is over goes on if the scenario has another budget, counted from the start.

    Raises
    ------
    InputError
        If the log is of another scenario, or its run cannot go on with the budget.
    """
    kept, name = log.header.scenario, str(getattr(log, "path", "the log"))
    before = _budget(log, kept)
    original = Budget(**_limits(kept.get("budget")))
    same = scenario if scenario.budget == original else replace(scenario, budget=original)
    check_same(same, kept, name)
    if scenario.budget != before:
        _extend(log, scenario.budget, name)
    if log.finished is None:
        if scenario.search is None and not log.entrants():
            log.add(scenario.plan.candidates)
        watch_target(scenario, log, accept_change=accept_change)


def _budget(log: Log, kept: Mapping[str, Any]) -> Budget:
    """The limits that hold now, counted from the start."""
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
        raise InputError(f"the run in {name} cannot go on: {error}") from error
    log.extend(budget)
