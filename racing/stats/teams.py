"""Teams of columns that complement each other: those with the lowest mean of the best score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from racing.stats._checks import Floats

Team = tuple[int, ...]

# Sets up to which all are looked at.
EXACT = 5_000


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
        How many members, at least 1; at most m.

    Examples
    --------
    >>> best_team(np.array([[0.0, 9.0, 4.0], [9.0, 0.0, 4.0]]), 2)
    (0, 1)
    >>> best_team(np.array([[0.0, 9.0, 4.0], [9.0, 0.0, 4.0]]), 1)
    (2,)
    """
    m = scores.shape[1]
    size = min(size, m)
    found = _exact(scores, size) if math.comb(m, size) <= EXACT else _exchanged(scores, size)
    return _ordered(scores, found)


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
