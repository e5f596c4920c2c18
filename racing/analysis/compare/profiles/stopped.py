"""What failures of a finished table are: runs stopped at a cutoff, and what they count as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from racing.analysis.compare.result_table import Floats, ResultTable
from racing.analysis.compare.unpaired.table import RunTable
from racing.base.errors import InputError
from racing.base.quantities import score_of
from racing.core.failures import OnFailure, failures_of, on_failure_of

Table = TypeVar("Table", ResultTable, RunTable)


def stopped_at(table: Table, cutoff: float) -> Table:
    """The table in which runs that failed or reached the cutoff are runs stopped at the cutoff.

    Also a penalty such as ten cutoffs (PAR10) stands for a stopped run.

    Raises
    ------
    InputError
        If the cutoff is no positive number, scores are maximized, or a time is negative.
    """
    if not (isinstance(cutoff, (int, float)) and 0.0 < cutoff < np.inf):
        raise InputError(f"cutoff: expected a positive number, got {cutoff!r}")
    if table.direction == "maximize":
        raise InputError("cutoff: is for times, of which lower ones are better; leave maximize out")
    if isinstance(table, RunTable):
        runs = tuple(tuple(_stopped(x, cutoff) for x in own) for own in table.runs)
        return replace(table, runs=runs, cutoff=float(cutoff))
    return replace(table, scores=_stopped(table.scores, cutoff), cutoff=float(cutoff))


def _stopped(times: Floats, cutoff: float) -> Floats:
    if times.min() < 0:
        raise InputError(
            f"cutoff: is for times, and one of the scores is negative: {times.min():g}"
        )
    return np.where(times >= cutoff, np.inf, times)


def counted(table: Table, on_failure: OnFailure | Mapping[str, Any] | str) -> Table:
    """The table in which each failure is the score that it counts as, as in a race.

    Raises
    ------
    InputError
        If it is no policy; or for `rate` and runs that nothing pairs.
    """
    failures = failures_of(on_failure_of(on_failure), table.direction)
    penalty = None if failures.cost is None else score_of(failures.cost, table.direction)

    def stated(scores: Floats) -> Floats:
        return scores if penalty is None else np.where(np.isinf(scores), penalty, scores)

    if isinstance(table, RunTable):
        if failures.policy == "rate":
            raise InputError("on_failure: rate needs pairs, and these runs have none")
        return replace(table, runs=tuple(tuple(map(stated, own)) for own in table.runs))
    if failures.policy != "rate":
        return replace(table, scores=stated(table.scores))
    costs = np.moveaxis(table.repeated_costs, 2, 1)  # repetition by repetition
    judged, _ = failures.judged(costs.reshape(-1, table.m))
    scores = np.moveaxis(score_of(judged, table.direction).reshape(costs.shape), 1, 2)
    return replace(table, scores=scores.reshape(table.scores.shape))


def as_runs_by_instance(table: ResultTable) -> RunTable:
    """A paired table as runs: each instance is a problem, repetitions are its runs."""
    scores = table.scores if table.scores.ndim == 3 else table.scores[:, :, None]
    return RunTable(
        names=table.names,
        problems=table.instances,
        runs=tuple(tuple(row) for row in scores),
        direction=table.direction,
        source=table.source,
        cutoff=table.cutoff,
    )
