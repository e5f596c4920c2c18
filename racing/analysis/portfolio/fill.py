"""`--fill`: runs that can change the team, recorded beside the log, so that they can be resumed.

Run are the cells of the matrix of costs where a candidate with few outcomes may improve the team.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from racing.analysis import follow_up
from racing.analysis.batches import BatchDecider, Batches
from racing.analysis.portfolio.choice import choose
from racing.analysis.portfolio.table import KnownCosts, fills_of, read_costs
from racing.analysis.portfolio.team import certain_scores
from racing.base.errors import InputError, must_be
from racing.base.quantities import Direction
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.core.failures import WORST, Failures
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.core.stop import Stop
from racing.log import LogOf
from racing.runner.loop import RunOptions
from racing.stats.teams import Team, best_of, best_team

Floats = NDArray[np.float64]

OPTIMISM = 2.0
"""Standard errors that are added to what a candidate has shown so far."""

_ROWS = 4
_BATCH = 8


def fill(
    logs: LogOf | Sequence[LogOf], evaluations: int, *, size: int | None = None,
    options: RunOptions | None = None,
) -> bool:  # fmt: skip
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
    path: Path, task: Mapping[str, Any], known: KnownCosts, options: RunOptions | None,
    budget: Budget | None = None,
) -> Filling:  # fmt: skip
    """The filling of a log, driven to its end."""
    filling = Filling(
        known.candidates, _given(known), known.costs, size=task["size"], budget=task["budget"],
        objective=known.objective, direction=known.direction, failures=known.first.view.failures,
    )  # fmt: skip
    return follow_up.carried_out(
        path, known.first.scenario, task, filling, candidates=known.candidates, begun="the run",
        files=known.files, budget=budget, options=options,
    )  # fmt: skip


def _begun(
    logs: LogOf | Sequence[LogOf], size: int | None
) -> tuple[Path, dict[str, Any], KnownCosts]:
    """The log, its task, and the costs that were known when it began."""
    runs = read_costs(logs, fills=())
    wanted = max(2, choose(runs).size.size) if size is None else size
    told = {"size": wanted, "cells": int((runs.costs == runs.costs).sum())}
    first = runs.first.beside
    path = follow_up.log_with(first, "fill", lambda task: told.items() <= task.items())
    there = [one for one, _ in fills_of(first)]
    if path.exists():
        task = follow_up.task_of(path)
        return path, task, read_costs(logs, fills=list(zip(there, task["earlier"], strict=False)))
    choose(runs, size=wanted)  # refuses a size that cannot be
    return path, {**told, "earlier": list(map(follow_up.outcomes_in, there))}, read_costs(logs)


def _given(known: KnownCosts) -> list[Any]:
    """The instances, each with the argument of the target."""
    scenario = known.first.scenario
    folder = Path(scenario.folder)
    given = {one.name: one.given(folder) for one in scenario.plan.problems}
    return [replace(one, problem=given.get(one.name, one.name)) for one in known.instances]


class Filling(BatchDecider):
    """Runs what may change a team, a few cells at a time: a `Decider`.

    Parameters
    ----------
    candidates, instances
        The columns and the rows.
    costs : (n, m)
        What is known; NaN = not run.
    size
        Of the team.
    budget
        How many cells may be run.
    failures
        What a failure counts as.
    """

    word: ClassVar[str] = "filling"

    def __init__(
        self, candidates: Sequence[Candidate], instances: Sequence[Instance], costs: Floats, *,
        size: int, budget: int, objective: Objective, direction: Direction = "minimize",
        failures: Failures = WORST,
    ) -> None:  # fmt: skip
        super().__init__(budget, direction, failures)
        self.costs, self._size, self._objective = costs.copy(), size, objective
        self._rows = [
            Instance(row, one.name, one.seed, one.problem, one.number, one.family)
            for row, one in enumerate(instances)
        ]
        for one in candidates:
            self._enter(one)
        self._go_on()

    @property
    def instances(self) -> Instances:
        """The instances, by name."""
        return Instances([one.name for one in self._rows])

    @property
    def instances_seen(self) -> int:
        """How many instances there are."""
        return len(self._rows)

    def instance(self, step: int) -> Instance:
        """The instance of a row."""
        return self._rows[step]

    def _batches(self) -> Batches:
        """The next cells, while some can change the team and the budget lasts."""
        while most := (self.budget.evaluations or 0) - self.spent.evaluations:
            cells = next_cells(self.costs, self._size, self._objective, most)
            if not cells:
                return Stop.INSTANCES
            batch = [Experiment(self.candidates[j], self._rows[i]) for i, j in cells]
            yield batch
            for cell, experiment in zip(cells, batch, strict=True):
                self.costs[cell] = self._told[experiment.key].cost
        return Stop.EVALUATIONS


# --- which cells --------------------------------------------------------------------------------


def next_cells(costs: Floats, size: int, objective: Objective, most: int) -> list[tuple[int, int]]:
    """Cells (row, column) to be run next: those of the two candidates with the largest potential.

    Parameters
    ----------
    costs : (n, m)
        Lower is better, +inf = failed, NaN = not run.
    size
        Of the team.
    most
        How many cells at most.

    Returns
    -------
    Up to eight; [] if no run can change the choice.
    """
    potential = potentials(costs, size, objective)
    hopeful = [int(j) for j in np.argsort(-potential, kind="stable") if potential[j] > 0]
    found: list[tuple[int, int]] = []
    for column in hopeful[: _BATCH // _ROWS]:
        missing = np.flatnonzero(np.isnan(costs[:, column]))[:_ROWS]
        found += [(int(row), column) for row in missing]
    return found[:most]


def potentials(costs: Floats, size: int, objective: Objective) -> Floats:
    """(m,) by how much each candidate may improve the team if it is run wherever it is missing.

    That is an upper confidence bound of its gain where it ran, in the best place that it can take
    in the team, times the share of instances that it lacks; −inf for one that lacks none, and
    +inf for one that never ran.
    """
    scores, ran = certain_scores(costs, objective), ~np.isnan(costs)
    team = best_team(scores, size)
    rests = [best_of(scores, [i for i in team if i != member]) for member in team]
    found = np.full(costs.shape[1], -np.inf)
    for column in np.flatnonzero(~ran.all(axis=0)):
        rows = ran[:, column]
        gains = _gains(scores[rows], team, [rest[rows] for rest in rests], int(column))
        found[column] = (1 - rows.mean()) * max(map(_bound, gains))
    return found


def _gains(scores: Floats, team: Team, rests: list[Floats], column: int) -> list[Floats]:
    """The gain on each instance, for each place in the team that the candidate can take."""
    if column in team:
        rest, own = rests[team.index(column)], scores[:, column]
        worst = scores.max(axis=1)
        return [np.minimum(rest, worst) - np.minimum(rest, own)]
    now = best_of(scores, team)
    return [now - np.minimum(rest, scores[:, column]) for rest in rests]


def _bound(gains: Floats) -> float:
    """The mean plus `OPTIMISM` standard errors, with a little more for few instances."""
    n = len(gains)
    if n == 0:
        return math.inf
    return float(gains.mean() + OPTIMISM * gains.std() * (1 + 1 / n) / math.sqrt(n))
