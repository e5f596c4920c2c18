"""The incumbent over a run: the gain of the best candidate so far, over evaluations and time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.core.view import default_of
from racing.report.history import History


@dataclass(frozen=True, slots=True)
class Incumbent:
    """The best candidate from some point of a run on.

    Attributes
    ----------
    evaluations, elapsed
        Outcomes by then, and the run's wall-clock seconds.
    candidate
        Its id.
    cost
        Its mean cost over the instances that it and the default ran without a failure, at the end
        of the run; None if there are none.
    gain
        Mean of default − its cost on the same instances: above 0 it is better.
    instances
        How many these are.
    """

    evaluations: int
    elapsed: float
    candidate: int
    cost: float | None
    gain: float | None
    instances: int


def incumbents(history: History) -> tuple[Incumbent, ...]:
    """The incumbents in order; the last one is the current one.

    Each is measured by all that the run knows in the end, so that a new incumbent that was lucky
    on few instances does not look better than it is.
    """
    found: list[Incumbent] = []
    for mark in history.marks:
        leader = mark.leader
        if leader is None or (found and found[-1].candidate == leader):
            continue
        found.append(_measured(history, leader, mark.evaluations, mark.elapsed))
    winner, last = history.facts.winner, history.marks[-1]
    if winner is not None and (not found or found[-1].candidate != winner.id):
        found.append(_measured(history, winner.id, last.evaluations, last.elapsed))
    return tuple(found)


def _measured(history: History, id: int, evaluations: int, elapsed: float) -> Incumbent:
    default, columns = default_of(history.race).id, history.matrices.column
    costs = np.empty((0, 2))
    if {id, default} <= columns.keys():
        _, costs = history.matrices.pair(id, default)
        costs = costs[np.isfinite(costs).all(axis=1)]
    return Incumbent(
        evaluations=evaluations,
        elapsed=elapsed,
        candidate=id,
        cost=float(costs[:, 0].mean()) if len(costs) else None,
        gain=float((costs[:, 1] - costs[:, 0]).mean()) if len(costs) else None,
        instances=len(costs),
    )
