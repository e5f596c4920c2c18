"""`--fill`: runs that can change the team, recorded beside the log, so that they can be resumed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from racing.analysis import follow_up
from racing.analysis.portfolio.choice import choose
from racing.analysis.portfolio.filling import Filling
from racing.analysis.portfolio.table import KnownCosts, fills_of, read_costs
from racing.base.errors import InputError, TargetError
from racing.core.budget import Budget
from racing.core.stop import Stop
from racing.log import SQLiteLog
from racing.log.recorder import retell
from racing.runner.build import pool_of
from racing.runner.loop import RunOptions, drive
from racing.runner.preflight import check_files, check_target
from racing.scenario import Scenario

FILLING = "filling"


def fill(
    logs: Sequence[str | os.PathLike[str]],
    evaluations: int,
    *,
    size: int | None = None,
    options: RunOptions | None = None,
) -> bool:
    """Spend evaluations where they can change the team; the costs are then known to `portfolio`.

    Parameters
    ----------
    logs
        As for `portfolio`. The evaluations are recorded beside the first one, with `.fill` before
        its ending; the same call again resumes it, and a larger number adds to what was done.
    evaluations
        How many, all calls together.
    size
        Of the team; by default as `portfolio` chooses it, and 2 at least.
    options
        Watching, interrupting, the number of jobs.

    Returns
    -------
    Whether it is over; False if it was interrupted.

    Raises
    ------
    InputError
        If the number is no whole number above 0, or the target or an instance has changed since.
    TargetError
        If an evaluation failed, and the scenario says to stop then.
    """
    if not isinstance(evaluations, int) or evaluations < 1:
        raise InputError(f"fill is {evaluations!r}; expected a whole number, 1 or more")
    path, task, known = _begun(logs, size)
    task.setdefault("budget", evaluations)
    check_files(known.scenario)
    check_target(known.scenario, known.candidates)
    with follow_up.opened(path, known.scenario, FILLING, task) as book:
        follow_up.watch(known.scenario, book, begun="the run", files=known.files)
        filling = _driven(known, task, book, options or RunOptions())
        cells = filling.budget.evaluations or 0
        if filling.stopped is Stop.EVALUATIONS and cells < evaluations:
            book.extend(Budget(evaluations=evaluations))
            filling = _driven(known, task, book, options or RunOptions())
    if filling.stopped is Stop.TARGET_FAILED:
        raise TargetError(f"{path}: {filling.stopped.meaning}; see `racing show {logs[0]}`")
    return filling.done


def _driven(
    known: KnownCosts, task: Mapping[str, Any], book: SQLiteLog, options: RunOptions
) -> Filling:
    """The filling of a log, driven to its end."""
    filling = Filling(
        known.candidates,
        _given(known),
        known.costs,
        size=task["size"],
        budget=task["budget"],
        objective=known.objective,
        direction=known.direction,
        failures=known.scenario.plan.failures,
    )
    if book.finished is not None:
        retell(filling, book)
        return filling
    stop = known.scenario.on_failure.policy == "stop"
    with pool_of(known.scenario, options) as pool:
        return drive(filling, pool, book, stop_on_failure=stop, options=options)


def _begun(
    logs: Sequence[str | os.PathLike[str]], size: int | None
) -> tuple[Path, dict[str, Any], KnownCosts]:
    """The log, its task, and the costs that were known when it began."""
    first = Path(os.path.realpath(logs[0])) if len(logs) else Path()
    there = fills_of(first)
    runs = read_costs(logs, fills=())
    cells = int((runs.costs == runs.costs).sum())
    wanted = max(2, choose(runs).size.size) if size is None else size
    for place, (path, _) in enumerate(there):
        with SQLiteLog.open(path, write=False) as book:
            task = follow_up.task_in(book, FILLING)
        if (task.get("size"), task.get("cells")) == (wanted, cells):
            earlier = list(zip((path for path, _ in there[:place]), task["earlier"], strict=True))
            return path, task, read_costs(logs, fills=earlier)
    counts = [len(_outcomes(path)) for path, _ in there]
    task = {"size": wanted, "cells": cells, "earlier": counts}
    choose(runs, size=wanted)  # refuses a size that cannot be
    return follow_up.path_of(first, "fill", len(there) + 1), task, read_costs(logs)


def _outcomes(path: Path) -> list[object]:
    with SQLiteLog.open(path, write=False) as book:
        return list(book.outcomes())


def _given(known: KnownCosts) -> list[Any]:
    """The instances, each with the argument of the target."""
    scenario: Scenario = known.scenario
    folder = Path(scenario.folder)
    given = {one.name: one.given(folder) for one in scenario.plan.problems}
    return [replace(one, problem=given.get(one.name, one.name)) for one in known.instances]
