"""Which of the recorded outcomes count: some came too late, or ahead of a race that then ended."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from racing.budget import Budget, Spent
from racing.experiment import Outcome
from racing.log.log import Log
from racing.race import Stop, limits
from racing.results import Results
from racing.rules.verdict import Verdict


def counted(log: Log, outcomes: Iterable[Outcome], verdicts: Sequence[Verdict]) -> Results:
    """The costs that the race in a log has gone by, as the race itself has them."""
    left = {e.candidate: verdict.instances for verdict in verdicts for e in verdict.eliminated}
    told = [o for o in outcomes if o.step < left.get(o.candidate, math.inf)]
    rows = _rows_in_time(told, Budget(**log.header.scenario.get("budget", {})))  # type: ignore[arg-type]
    if verdicts and log.finished and log.finished.stopped == Stop.SURVIVORS:
        rows = max(verdict.instances for verdict in verdicts)  # it ended with a verdict
    ids = tuple(candidate.id for candidate in log.candidates())
    column = {id: place for place, id in enumerate(ids)}
    costs = np.full((rows, len(ids)), np.nan)
    for outcome in told:
        if outcome.step < rows:
            costs[outcome.step, column[outcome.candidate]] = outcome.cost
    survivors = np.array([column[id] for id in ids if id not in left], dtype=np.intp)
    return Results(costs, ~np.isnan(costs), ids, survivors)


def _rows_in_time(told: Sequence[Outcome], budget: Budget) -> int:
    """How many instances were begun before one broke a time limit: that one does not count."""
    rows: dict[int, list[Outcome]] = defaultdict(list)
    for outcome in told:
        rows[outcome.step].append(outcome)
    spent = Spent()
    for step in sorted(rows):
        if limits.overspent(rows[step], spent, budget):
            return step
        spent = limits.add(spent, rows[step], step)
    return max(rows, default=-1) + 1
