"""Eliminations, with their evidence and the numbers of the candidates that stayed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.base.plain import known
from racing.core.fronts import LARGEST
from racing.core.verdict import Elimination, Gate, Verdict
from racing.report.history import History


@dataclass(frozen=True, kw_only=True)
class Placed:
    """The standing of a candidate at a test.

    Attributes
    ----------
    candidate
        Its id.
    mean_rank
        Over the instances of the look, each among those that ran it; 1 is best. None if
        it ran on none.
    wins, ties, losses
        Against the leader, on the instances that both ran.
    left
        Whether it left at this look.
    """

    candidate: int
    mean_rank: float | None
    wins: int
    ties: int
    losses: int
    left: bool


@dataclass(frozen=True, kw_only=True)
class Look:
    """One verdict, with the standing of all tested candidates, best first.

    Attributes
    ----------
    number
        Which verdict, from 1.
    instances, leader, gate
        As in `racing.core.verdict.Verdict`.
    eliminated
        The candidates dropped, with the numbers that decided.
    standing
        All candidates judged, also those that stayed.
    """

    number: int
    instances: int
    leader: int
    gate: Gate | None
    eliminated: tuple[Elimination, ...]
    standing: tuple[Placed, ...]


def looks(history: History) -> tuple[Look, ...]:
    """The verdicts that dropped a candidate, in order."""
    alive = list(dict.fromkeys(entrant.candidate.id for entrant in history.race.entrants))
    gone: set[int] = set()
    found = []
    for number, verdict in enumerate(history.race.verdicts, start=1):
        if not verdict.eliminated:
            continue
        judged = [id for id in alive if id not in gone]
        if history.searching or verdict.about is not None:
            own = {out.candidate for out in verdict.eliminated} | set(verdict.about or ())
            judged = [*dict.fromkeys((verdict.leader, *sorted(own)))]
        found.append(_look(history, number, verdict, judged))
        gone |= {out.candidate for out in verdict.eliminated}
    return tuple(found)


def _look(history: History, number: int, verdict: Verdict, judged: list[int]) -> Look:
    matrices = history.matrices
    rows = len(matrices.costs)
    steps = range(verdict.instances) if verdict.steps is None else verdict.steps
    at = [step for step in steps if step < rows]
    columns = [matrices.column[id] for id in judged if id in matrices.column]
    costs, ranks = matrices.costs[np.ix_(at, columns)], matrices.ranks[np.ix_(at, columns)]
    lead = matrices.costs[at, matrices.column[verdict.leader]][:, None]
    ran = ~np.isnan(costs)
    counts = ran.sum(axis=0)
    total = np.where(ran, ranks, 0.0).sum(axis=0)
    means = np.divide(total, counts, out=np.full(len(columns), np.nan), where=counts > 0)
    both = ran & ~np.isnan(lead)
    wins, ties = ((costs < lead) & both).sum(axis=0), ((costs == lead) & both).sum(axis=0)
    losses = both.sum(axis=0) - wins - ties
    left = {out.candidate for out in verdict.eliminated}
    return Look(
        number=number,
        instances=verdict.instances,
        leader=verdict.leader,
        gate=verdict.gate,
        eliminated=verdict.eliminated,
        standing=tuple(
            Placed(
                candidate=matrices.ids[columns[k]],
                mean_rank=known(float(means[k])),
                wins=int(wins[k]),
                ties=int(ties[k]),
                losses=int(losses[k]),
                left=matrices.ids[columns[k]] in left,
            )
            for k in np.argsort(means, kind="stable")
        ),
    )


def in_words(measure: str, value: float) -> str:
    """The deciding number in words, where a number alone is unclear; else empty."""
    return "the same on every instance" if measure == "gap" and value >= LARGEST else ""
