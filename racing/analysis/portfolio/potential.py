"""Chooses the cells to run: those where a candidate with few outcomes may improve the team."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio.scores import certain_scores
from racing.analysis.portfolio.team import Team, best_of, best_team
from racing.core.objective import Objective

Floats = NDArray[np.float64]

OPTIMISM = 2.0
"""Standard errors that are added to what a candidate has shown so far."""

_ROWS = 4
_BATCH = 8


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
