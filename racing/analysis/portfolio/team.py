"""The team of k candidates with the lowest mean of the best score, and what each member adds.

Where a candidate was not run, its score is the worst known there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from racing.base.words import listed, refer
from racing.core.candidate import Candidate
from racing.core.objective import Objective
from racing.search.block import penalised
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]
Team = tuple[int, ...]

EXACT = 5_000
"""Sets up to which all are looked at."""

_FIRST = ("None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")


@dataclass(frozen=True, kw_only=True)
class Member:
    """A member of a team.

    Attributes
    ----------
    candidate
        Which one.
    adds
        By how much the mean best score would be worse without it, on the instances of the
        choice; None in a team of one.
    best_on
        On how many instances it is the best member, alone or with others.
    ran_on
        On how many it was run.
    needed
        Whether it is better than all members before it on some instance.
    """

    candidate: Candidate
    adds: float | None
    best_on: int
    ran_on: int
    needed: bool


def best_of(scores: Floats, team: Sequence[int]) -> Floats:
    """(n,) the best score of a team's members on each instance; +inf for an empty team."""
    if not len(team):
        return np.full(len(scores), np.inf)
    return np.asarray(scores[:, list(team)].min(axis=1))


def value(scores: Floats, team: Sequence[int]) -> float:
    """The mean of the best scores."""
    return float(best_of(scores, team).mean())


def best_team(scores: Floats, size: int) -> Team:
    """The columns of the best team, in the order in which each adds most to those before it.

    All sets are looked at while there are no more than `EXACT`; beyond, members are added one after
    the other, and exchanged as long as that helps. The mean of the best score is supermodular in
    the team, so that the greedy team closes at least 1 − 1/e of the distance that the best team
    does (Nemhauser, Wolsey and Fisher, 1978, Mathematical Programming 14, 265–294).

    Parameters
    ----------
    scores : (n, m)
        Lower is better; finite.
    size
        How many members, from 1 to m.

    Examples
    --------
    >>> best_team(np.array([[0.0, 9.0, 4.0], [9.0, 0.0, 4.0]]), 2)
    (0, 1)
    >>> best_team(np.array([[0.0, 9.0, 4.0], [9.0, 0.0, 4.0]]), 1)
    (2,)
    """
    m = scores.shape[1]
    found = _exact(scores, size) if math.comb(m, size) <= EXACT else _exchanged(scores, size)
    return _ordered(scores, found)


def contributions(scores: Floats, team: Sequence[int]) -> Floats:
    """(k,) by how much the mean best score would be worse without each member.

    In a team of one, and without instances, that is not defined, and NaN.
    """
    if len(team) < 2 or not len(scores):
        return np.full(len(team), np.nan)
    whole = value(scores, team)
    return np.array([value(scores, [i for i in team if i != j]) - whole for j in team])


def team_members(
    candidates: Sequence[Candidate], scores: Floats, ran: NDArray[np.bool_]
) -> tuple[Member, ...]:
    """The members of a team of k, in their order.

    Parameters
    ----------
    scores : (n, k)
        Lower is better; of n instances, at least one.
    ran : (n, k)
        Where they were run.
    """
    team = range(len(candidates))
    best, adds = best_of(scores, team), contributions(scores, team)
    return tuple(
        Member(
            candidate=candidates[k],
            adds=None if np.isnan(adds[k]) else float(adds[k]),
            best_on=int((ran[:, k] & (scores[:, k] == best)).sum()),
            ran_on=int(ran[:, k].sum()),
            needed=bool((scores[:, k] < best_of(scores, team[:k])).any()),
        )
        for k in team
    )


def enough(members: Sequence[Member]) -> Iterator[str]:
    """The members that are enough, where the others are on no instance better than these."""
    needed = [refer(one.candidate) for one in members if one.needed]
    rest = [refer(one.candidate) for one in members if not one.needed]
    if rest:
        are = "is" if len(needed) == 1 else "are"
        yield (
            f"{_FIRST[len(needed)] if len(needed) < len(_FIRST) else len(needed)} {are} enough: "
            f"{listed(needed, 12)}. On no instance {listed(rest, 12)} "
            f"{'is' if len(rest) == 1 else 'are'} better than {'that' if are == 'is' else 'these'}."
        )


def _exact(scores: Floats, size: int) -> Team:
    """The best of all sets: for each set of all but the last member, all last members at once."""
    best, found = math.inf, tuple(range(size))
    for first in combinations(range(scores.shape[1] - 1), size - 1) if size > 1 else [()]:
        begin = first[-1] + 1 if first else 0
        means = _joined(best_of(scores, first), scores[:, begin:])
        last = int(np.argmin(means))
        if means[last] < best:
            best, found = float(means[last]), (*first, begin + last)
    return found


def _exchanged(scores: Floats, size: int) -> Team:
    """A greedy team, improved by the best exchange of a member as long as one helps."""
    team: list[int] = []
    for _ in range(size):
        means = _joined(best_of(scores, team), scores)
        means[team] = np.inf  # where no candidate adds anything, members would be chosen again
        team.append(int(np.argmin(means)))
    now, better = value(scores, team), True
    while better:
        better = False
        for place in range(size):
            rest = team[:place] + team[place + 1 :]
            means = _joined(best_of(scores, rest), scores)
            other = int(np.argmin(means))
            if means[other] < now - 1e-12 * abs(now):
                team[place], now, better = other, float(means[other]), True
    return tuple(team)


def _joined(base: Floats, scores: Floats) -> Floats:
    """(m,) the mean best score of a team, whose best scores are given, with each candidate."""
    return np.asarray(np.minimum(base[:, None], scores).mean(axis=0))


def _ordered(scores: Floats, team: Sequence[int]) -> Team:
    left, found = sorted(team), list[int]()
    while left:
        means = _joined(best_of(scores, found), scores[:, left])
        found.append(left.pop(int(np.argmin(means))))
    return tuple(found)


def certain_scores(costs: Floats, objective: Objective) -> Floats:
    """(n, m) scores of a matrix of costs.

    Parameters
    ----------
    costs : (n, m)
        Lower is better, +inf = failed, NaN = not run; in each row at least one has run.
    objective
        `mean`: the costs, a failure one range above the worst that is known. `rank`: the places
        among those that ran on the instance, from 0, the best, to 1; ½ for one that ran alone.

    Examples
    --------
    >>> nan = float("nan")
    >>> certain_scores(np.array([[1.0, 3.0, nan], [5.0, 2.0, 4.0]]), "mean").tolist()
    [[1.0, 3.0, 3.0], [5.0, 2.0, 4.0]]
    """
    ran = ~np.isnan(costs)
    scores = _places(costs, ran) if objective == "rank" else _penalised(costs, ran)
    worst = np.where(ran, scores, -np.inf).max(axis=1, keepdims=True)
    return np.where(ran, scores, worst)


def _penalised(costs: Floats, ran: NDArray[np.bool_]) -> Floats:
    known = np.where(ran, costs, np.inf)
    failed = np.isinf(known)
    return penalised(known, failed) if failed.any() else known


def _places(costs: Floats, ran: NDArray[np.bool_]) -> Floats:
    """Those that did not run are ranked last, so the ranks of the others are among themselves."""
    known = np.where(np.isinf(costs), np.finfo(np.float64).max, costs)
    ranks = rank_rows(np.where(ran, known, np.inf), check=False)
    others = ran.sum(axis=1, keepdims=True) - 1
    return np.where(others > 0, (ranks - 1) / np.maximum(others, 1), 0.5)
