"""What failures of a finished table are: runs stopped at a cutoff, and what they count as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from racing.analysis.compare.result_table import ResultTable
from racing.base.errors import InputError, must_be
from racing.base.quantities import score_of
from racing.core.failures import OnFailure, failures_of, on_failure_of


def stopped_at(table: ResultTable, cutoff: float) -> ResultTable:
    """The table in which runs that failed or reached the cutoff are runs stopped at the cutoff.

    Also a penalty such as ten cutoffs (PAR10) stands for a stopped run.

    Raises
    ------
    InputError
        If the cutoff is no positive number, scores are maximized, or a time is negative.
    """
    if not (isinstance(cutoff, (int, float)) and 0.0 < cutoff < np.inf):
        raise InputError(must_be("cutoff", "a number above 0", cutoff))
    if table.direction == "maximize":
        raise InputError("cutoff: is for times, of which lower ones are better; leave maximize out")
    if (least := np.nanmin(table.scores)) < 0:
        raise InputError(f"cutoff: is for times, and one of the scores is negative: {least:g}")
    stopped = np.where(table.scores >= cutoff, np.inf, table.scores)
    return replace(table, scores=stopped, cutoff=float(cutoff))


def counted(
    table: ResultTable, on_failure: OnFailure | Mapping[str, Any] | str | None
) -> ResultTable:
    """The table in which each failure is the score that it counts as, as in a race.

    Raises
    ------
    InputError
        If it is no policy; or for `rate` and runs that nothing pairs.
    """
    if on_failure is None:
        return table
    failures = failures_of(on_failure_of(on_failure), table.direction)
    if failures.cost is not None:
        penalty = score_of(failures.cost, table.direction)
        return replace(table, scores=np.where(np.isinf(table.scores), penalty, table.scores))
    if failures.policy != "rate":
        return table
    if not table.paired:
        raise InputError("on_failure: rate is for paired runs, and these are not paired")
    costs = np.moveaxis(table.repeated_costs, 2, 1)  # repetition by repetition
    judged, _ = failures.judged(costs.reshape(-1, table.m))
    scores = np.moveaxis(score_of(judged, table.direction).reshape(costs.shape), 1, 2)
    return replace(table, scores=scores.reshape(table.scores.shape))
