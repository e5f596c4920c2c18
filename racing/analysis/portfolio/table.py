"""The costs of candidates on instances, from one or several logs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from racing.analysis import follow_up
from racing.base.errors import InputError
from racing.base.quantities import Direction
from racing.core.candidate import Candidate
from racing.core.experiment import Instance
from racing.core.goal import Goal
from racing.core.objective import Objective
from racing.core.view import default_of, drawn_at_random
from racing.log import SQLiteLog, TargetFile, replay
from racing.scenario import Scenario

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownCosts:
    """The costs in logs.

    Attributes
    ----------
    candidates
        A column each, with ids from 1; equal configurations are one.
    instances
        A row each, on which two candidates or more ran; one comes again with another seed.
    costs : (n, m)
        Lower is better, +inf = failed, NaN = not run.
    default
        The column of the default; None where there is none, or it was drawn at random.
    objective, direction
        Of the runs.
    scenario
        That of the first log.
    censored
        How many outcomes that were stopped at a bound are left out: they have no cost.
    metric
        What the costs are of, where the objective of the runs needs more than that; else empty.
    files
        Of the target, as the logs noted them.
    """

    candidates: tuple[Candidate, ...]
    instances: tuple[Instance, ...]
    costs: Floats
    default: int | None
    objective: Objective
    direction: Direction
    scenario: Scenario
    censored: int
    metric: str = ""
    files: tuple[TargetFile, ...] = ()

    @property
    def problems(self) -> list[str]:
        """(n,) the problem of each instance; instances that differ only in the seed share one."""
        return [one.name for one in self.instances]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Log:
    """The costs in one log: a matrix with a row for each step and a column for each candidate."""

    path: Path
    scenario: Scenario
    candidates: tuple[Candidate, ...]
    instances: tuple[Instance, ...]
    costs: Floats
    censored: int
    default: Candidate | None
    metric: str = ""
    files: tuple[TargetFile, ...] = ()


def read_costs(
    logs: Sequence[str | os.PathLike[str]], *, fills: Sequence[Fill] | None = None
) -> KnownCosts:
    """The costs in logs of one target on the same instances, as far as they counted there.

    Parameters
    ----------
    fills
        The logs of `--fill` that are read too; by default all that lie beside the first log.

    Raises
    ------
    InputError
        If the logs are of other targets, objectives or directions, share no instance, or no two
        candidates ran on the same one.
    LogError
        If a log cannot be read.
    """
    if not logs:
        raise InputError("name the log of a run")
    told = [_read(Path(log)) for log in dict.fromkeys(map(os.path.realpath, logs))]
    for other in told[1:]:
        _check_alike(told[0], other)
    chosen = fills_of(told[0].path) if fills is None else fills
    filled = [_read_fill(told[0].scenario, *fill) for fill in chosen]
    return _joined(told, filled)


Fill = tuple[Path, int | None]
"""The log of a `--fill`, and how many of its outcomes are read; None for all."""


def fills_of(log: Path) -> list[Fill]:
    """The logs of `--fill` beside a log, in the order in which they were begun."""
    return [(path, None) for path in follow_up.logs_of(log, "fill")]


def _read_fill(scenario: Scenario, path: Path, most: int | None) -> _Log:
    """A filling: every outcome counts."""
    with SQLiteLog.open(path, write=False) as book:
        candidates, instances = tuple(book.candidates()), tuple(book.instances())
        outcomes = book.outcomes()[:most]
    row = {one.step: place for place, one in enumerate(instances)}
    column = {one.id: place for place, one in enumerate(candidates)}
    costs = np.full((len(instances), len(candidates)), np.nan)
    for outcome in outcomes:
        costs[row[outcome.step], column[outcome.candidate]] = outcome.cost
    return _Log(
        path=path,
        scenario=scenario,
        candidates=candidates,
        instances=instances,
        costs=costs,
        censored=0,
        default=None,
    )


def _read(path: Path) -> _Log:
    with SQLiteLog.open(path, write=False) as book:
        race, scenario = replay(book), Scenario.from_dict(book.header.scenario)
        files = tuple(book.target_files())
        censored = [outcome.key for outcome in book.each_outcome() if outcome.censored]
    costs = race.results.judged.costs.copy()
    column = {id: place for place, id in enumerate(race.results.candidates)}
    for id, step in censored:
        if step < len(costs):
            costs[step, column[id]] = np.nan
    known = {one.id: one for one in race.candidates}
    base, goal = default_of(race), race.results.goal
    return _Log(
        path=path,
        scenario=scenario,
        candidates=tuple(known[id] for id in race.results.candidates),
        instances=tuple(race.instance(step) for step in range(len(costs))),
        costs=costs,
        censored=len(censored),
        default=None if drawn_at_random(race, base) else base,
        metric=goal.of_one if isinstance(goal, Goal) else "",
        files=files,
    )


def _check_alike(first: _Log, other: _Log) -> None:
    for what in ("target", "objective", "direction"):
        if getattr(first.scenario, what) != getattr(other.scenario, what):
            raise InputError(
                f"{other.path}: its {what} is another than that of {first.path}; a team is chosen "
                "from costs that can be compared"
            )
    if not {_key(one) for one in first.instances} & {_key(one) for one in other.instances}:
        raise InputError(
            f"{other.path}: it shares no instance with {first.path}; a team is chosen from costs "
            "on the same instances with the same seeds"
        )


def _key(instance: Instance) -> tuple[str, int]:
    return instance.name, instance.seed


def _joined(told: Sequence[_Log], filled: Sequence[_Log]) -> KnownCosts:
    """One matrix: candidates with the same values are one, as are instances with name and seed."""
    candidates: dict[Values, Candidate] = {}
    instances: dict[tuple[str, int], Instance] = {}
    for log in (*told, *filled):
        for candidate in log.candidates:
            candidates.setdefault(_values(candidate), candidate)
        for instance in log.instances:
            instances.setdefault(_key(instance), instance)
    column = {key: place for place, key in enumerate(candidates)}
    row = {key: place for place, key in enumerate(instances)}
    costs = np.full((len(row), len(column)), np.nan)
    for log in reversed([*told, *filled]):  # where two logs know a cost, the first counts
        cells = np.ix_([row[_key(one)] for one in log.instances],
                       [column[_values(one)] for one in log.candidates])  # fmt: skip
        costs[cells] = np.where(np.isnan(log.costs), costs[cells], log.costs)
    shared = np.flatnonzero((~np.isnan(costs)).sum(axis=1) > 1)
    if not len(shared):
        raise InputError(
            f"{told[0].path}: no two candidates ran on the same instance, so there is nothing to "
            "choose a team from"
        )
    if not np.isfinite(costs[shared]).any():
        raise InputError(
            f"{told[0].path}: every evaluation failed where two candidates or more ran on the same "
            "instance, so there is nothing to choose a team from"
        )
    listed = list(instances.values())
    first = told[0]
    return KnownCosts(
        candidates=_numbered(list(candidates.values()), len(told) > 1),
        instances=tuple(listed[place] for place in shared),
        costs=costs[shared],
        default=None if first.default is None else column[_values(first.default)],
        objective=first.scenario.score,
        direction=first.scenario.direction,
        scenario=first.scenario,
        censored=sum(log.censored for log in told),
        metric=first.metric,
        files=tuple(file for log in told for file in log.files),
    )


Values = frozenset[tuple[str, object]]


def _values(candidate: Candidate) -> Values:
    return frozenset(candidate.values.items())


def _numbered(candidates: Sequence[Candidate], several: bool) -> tuple[Candidate, ...]:
    """Candidates of several logs get numbers of their own: each log has its #1."""
    if not several:
        return tuple(candidates)
    return tuple(Candidate(id, one.values, one.name) for id, one in enumerate(candidates, start=1))
