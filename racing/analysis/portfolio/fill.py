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
from racing.base.errors import InputError, must_be
from racing.core.budget import Budget
from racing.core.stop import Stop
from racing.runner.loop import RunOptions
from racing.scenario import Scenario


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
        raise InputError(must_be("fill", "a whole number, 1 or more", evaluations))
    path, task, known = _begun(logs, size)
    task.setdefault("budget", evaluations)
    found = _carried_out(path, task, known, options)
    if found.stopped is Stop.EVALUATIONS and (found.budget.evaluations or 0) < evaluations:
        found = _carried_out(path, task, known, options, Budget(evaluations=evaluations))
    return found.done


def _carried_out(
    path: Path,
    task: Mapping[str, Any],
    known: KnownCosts,
    options: RunOptions | None,
    budget: Budget | None = None,
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
    return follow_up.carried_out(
        path,
        known.scenario,
        task,
        filling,
        candidates=known.candidates,
        begun="the run",
        files=known.files,
        budget=budget,
        options=options,
    )


def _begun(
    logs: Sequence[str | os.PathLike[str]], size: int | None
) -> tuple[Path, dict[str, Any], KnownCosts]:
    """The log, its task, and the costs that were known when it began."""
    runs = read_costs(logs, fills=())
    wanted = max(2, choose(runs).size.size) if size is None else size
    told = {"size": wanted, "cells": int((runs.costs == runs.costs).sum())}
    first = Path(os.path.realpath(logs[0]))
    path = follow_up.log_with(first, "fill", lambda task: told.items() <= task.items())
    there = [one for one, _ in fills_of(first)]
    if path.exists():
        task = follow_up.task_of(path)
        return path, task, read_costs(logs, fills=list(zip(there, task["earlier"], strict=False)))
    choose(runs, size=wanted)  # refuses a size that cannot be
    return path, {**told, "earlier": list(map(follow_up.outcomes_in, there))}, read_costs(logs)


def _given(known: KnownCosts) -> list[Any]:
    """The instances, each with the argument of the target."""
    scenario: Scenario = known.scenario
    folder = Path(scenario.folder)
    given = {one.name: one.given(folder) for one in scenario.plan.problems}
    return [replace(one, problem=given.get(one.name, one.name)) for one in known.instances]
