"""The costs of candidates on instances, from one or several logs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from racing.analysis import follow_up
from racing.analysis.follow_up import RunLog, matrix, read_run
from racing.base.errors import InputError
from racing.base.quantities import Direction
from racing.core.candidate import Candidate
from racing.core.experiment import Instance
from racing.core.failures import Failures
from racing.core.objective import Objective
from racing.log import Log, LogOf, SQLiteLog, TargetFile, logs_in
from racing.log.headers import units_in

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
    first
        The first log.
    censored
        How many outcomes that were stopped at a bound are left out: they have no cost.
    metric
        What the costs are of, where the objective of the runs needs more than that; else empty.
    files
        Of the target, as the logs noted them.
    unit
        What costs are counted in.
    """

    candidates: tuple[Candidate, ...]
    instances: tuple[Instance, ...]
    costs: Floats
    default: int | None
    objective: Objective
    direction: Direction
    first: RunLog
    censored: int
    metric: str = ""
    files: tuple[TargetFile, ...] = ()
    unit: str = ""

    @property
    def way(self) -> Direction:
        """The direction of scores; places are low where they are good, whatever that of costs."""
        return "minimize" if self.objective == "rank" else self.direction

    @property
    def problems(self) -> list[str]:
        """(n,) the problem of each instance; instances that differ only in the seed share one."""
        return [one.name for one in self.instances]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Known:
    """The costs in one log: a matrix with a row for each instance, a column for each candidate."""

    candidates: Sequence[Candidate]
    instances: Sequence[Instance]
    costs: Floats


def read_costs(logs: LogOf | Iterable[LogOf], *, fills: Sequence[Fill] | None = None) -> KnownCosts:
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
    runs = [read_run(log) for log in dict.fromkeys(map(_real, logs_in(logs)))]
    if not runs:
        raise InputError("name the log of a run")
    for other in runs[1:]:
        _check_alike(runs[0], other)
    chosen = fills_of(runs[0].path) if fills is None else fills
    failures = runs[0].view.failures
    return _joined(runs, [*map(_counted, runs), *(_filled(*fill, failures) for fill in chosen)])


def _real(log: Path | Log) -> Path | Log:
    """A log by its path without links, so that each is read once."""
    return log if isinstance(log, Log) else Path(os.path.realpath(log))


Fill = tuple[Path, int | None]
"""The log of a `--fill`, and how many of its outcomes are read; None for all."""


def fills_of(log: Path) -> list[Fill]:
    """The logs of `--fill` beside a log, in the order in which they were begun."""
    return [(path, None) for path in follow_up.logs_of(log, "fill")]


def _filled(path: Path, most: int | None, failures: Failures) -> _Known:
    """A filling: every outcome counts."""
    with SQLiteLog.open(path, write=False) as book:
        candidates, instances = book.candidates(), book.instances()
        outcomes = book.outcomes()[:most]
    rows = [one.step for one in instances]
    costs = matrix(outcomes, candidates, max(rows, default=-1) + 1, failures)[rows]
    return _Known(candidates=candidates, instances=instances, costs=costs)


def _counted(run: RunLog) -> _Known:
    """A run: what counted in it."""
    results, known = run.view.results, {one.id: one for one in run.candidates}
    costs = results.judged.costs.copy()
    for one in run.outcomes:
        if one.censored and one.step < len(costs):
            costs[one.step, results.candidates.index(one.candidate)] = np.nan
    return _Known(
        candidates=[known[id] for id in results.candidates],
        instances=[run.view.instance(step) for step in range(len(costs))],
        costs=costs,
    )


def _check_alike(first: RunLog, other: RunLog) -> None:
    for what in ("target", "objective", "direction"):
        own, its = ((one.header.scenario.get(what), getattr(one.header, what, None))
                    for one in (first, other))  # fmt: skip
        if own != its:
            raise InputError(
                f"{other.path}: its {what} is another than that of {first.path}; a team is chosen "
                "from costs that can be compared"
            )
    met, there = (
        {_key(run.view.instance(step)) for step in range(len(run.view.results.costs))}
        for run in (first, other)
    )
    if not met & there:
        raise InputError(
            f"{other.path}: it shares no instance with {first.path}; a team is chosen from costs "
            "on the same instances with the same seeds"
        )


def _key(instance: Instance) -> tuple[str, int]:
    return instance.name, instance.seed


def _joined(runs: Sequence[RunLog], known: Sequence[_Known]) -> KnownCosts:
    """One matrix: candidates with the same values are one, as are instances with name and seed."""
    candidates: dict[Values, Candidate] = {}
    instances: dict[tuple[str, int], Instance] = {}
    for one in known:
        for candidate in one.candidates:
            candidates.setdefault(_values(candidate), candidate)
        for instance in one.instances:
            instances.setdefault(_key(instance), instance)
    column = {key: place for place, key in enumerate(candidates)}
    row = {key: place for place, key in enumerate(instances)}
    costs = np.full((len(row), len(column)), np.nan)
    for one in reversed(known):  # where two logs know a cost, the first counts
        cells = np.ix_([row[_key(each)] for each in one.instances],
                       [column[_values(each)] for each in one.candidates])  # fmt: skip
        costs[cells] = np.where(np.isnan(one.costs), costs[cells], one.costs)
    shared, first = np.flatnonzero((~np.isnan(costs)).sum(axis=1) > 1), runs[0]
    _check_known(first.path, costs[shared])
    listed, (default, drawn) = list(instances.values()), first.other(None)
    return KnownCosts(
        candidates=_numbered(list(candidates.values()), len(runs) > 1),
        instances=tuple(listed[place] for place in shared),
        costs=costs[shared],
        default=None if drawn else column[_values(default)],
        objective=first.header.objective,
        direction=first.header.direction,
        first=first,
        censored=sum(one.censored for run in runs for one in run.outcomes),
        metric=first.metric,
        files=tuple(file for run in runs for file in run.files),
        unit=units_in(first.header.scenario).get("", ""),
    )


def _check_known(path: Path, shared: Floats) -> None:
    """Refuse costs, (n, m), of instances on which two candidates ran, that say nothing."""
    why = ""
    if not len(shared):
        why = "no two candidates ran on the same instance"
    elif not np.isfinite(shared).any():
        why = "every evaluation failed where two candidates or more ran on the same instance"
    if why:
        raise InputError(f"{path}: {why}, so there is nothing to choose a team from")


Values = frozenset[tuple[str, object]]


def _values(candidate: Candidate) -> Values:
    return frozenset(candidate.values.items())


def _numbered(candidates: Sequence[Candidate], several: bool) -> tuple[Candidate, ...]:
    """Candidates of several logs get numbers of their own: each log has its #1."""
    if not several:
        return tuple(candidates)
    return tuple(Candidate(id, one.values, one.name) for id, one in enumerate(candidates, start=1))
