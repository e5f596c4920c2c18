"""Schedules: rules that drop a set number of candidates at set times, whatever the evidence."""

from __future__ import annotations

import math

import numpy as np

from racing.errors import InputError
from racing.objective import merits, standing
from racing.results import Results
from racing.rules.rule import Outlook
from racing.rules.verdict import Elimination, Reason, Verdict


def whole(results: Results, outlook: Outlook, rule: str) -> tuple[float, float]:
    """(evaluations, instances) that the whole race may use: what it has used, and what is left.

    Raises
    ------
    InputError
        If neither has an end: then there is nothing to divide.
    """
    if math.isinf(outlook.instances) and math.isinf(outlook.evaluations):
        raise InputError(
            f"{rule} divides what may be spent, and this race has no limit of evaluations or "
            "instances; set budget.evaluations or budget.instances"
        )
    used = int(np.count_nonzero(~np.isnan(results.costs)))
    return used + outlook.evaluations, len(results.costs) + outlook.instances


def keep_best(results: Results, outlook: Outlook, number: int) -> Verdict:
    """Drop all but this many of the best, and never the leader; the statistic is the mean rank."""
    mean_ranks = merits(results.block, "rank")[:, 0]
    order = standing(results.block, outlook.objective)
    return Verdict(
        instances=len(results.block),
        leader=results.id(int(order[0])),
        eliminated=tuple(
            Elimination(
                candidate=results.id(int(i)),
                against=results.id(int(order[max(number, 1) - 1])),
                reason=Reason.SCHEDULE,
                measure="place",
                value=float(place),
                threshold=float(max(number, 1)),
                statistic=float(mean_ranks[i]),
            )
            for place, i in enumerate(order, start=1)
            if place > max(number, 1)
        ),
    )
