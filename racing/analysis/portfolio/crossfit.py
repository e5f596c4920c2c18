"""What a choice of candidates is worth, by cross-validation: the score of a team, and its gain."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio.table import KnownCosts
from racing.answer.gain import FEW, Gain, side
from racing.base.quantities import Direction, score_of
from racing.base.special import stdtrit
from racing.core.candidate import Candidate
from racing.stats.intervals import bounded_mean, numbered
from racing.stats.teams import Team, best_of, best_team

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

FOLDS = 10

RARE = 0.01
"""The share of all scores that are as bad as the upper end of a score allows for, or worse."""

_LEVEL = 0.95


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A mean score over unseen instances, with its interval.

    Attributes
    ----------
    mean, low, high
        The estimate, and the ends of the interval; infinite with too few problems.
    level
        Of the interval.
    """

    mean: float
    low: float
    high: float
    level: float = _LEVEL

    def scored(self, way: Direction) -> Estimate:
        """The same of scores in this direction."""
        low, high = sorted((score_of(self.low, way), score_of(self.high, way)))
        return replace(self, mean=score_of(self.mean, way), low=low, high=high)


def folds_of(problems: Sequence[Hashable]) -> Ints:
    """(n,) the fold of each instance; runs on one problem are in one fold.

    Problems are dealt out in the order in which they first come: a race has shuffled them.
    """
    return numbered(problems) % FOLDS


def held_out(scores: Floats, folds: Ints, choose: Callable[[Floats, Ints], Floats]) -> Floats:
    """(n,) the scores on each fold of the choice that is made on all other folds.

    Parameters
    ----------
    choose
        (scores of the other folds, the rows of this one) → scores on those rows.
    """
    found = np.empty(len(scores))
    for fold in np.unique(folds):
        own = folds == fold
        found[own] = choose(scores[~own], np.flatnonzero(own))
    return found


def held_out_teams(scores: Floats, folds: Ints, size: int) -> Floats:
    """(n,) the best scores of the teams of one size that the other folds choose."""
    return held_out(scores, folds, lambda rest, own: best_of(scores[own], best_team(rest, size)))


def reach_of(scores: Floats, columns: Sequence[int]) -> tuple[float, float]:
    """The best score that is known, and one that may come, though these columns seldom have it.

    The latter is the worst of these columns, or that which `RARE` of all scores reach: of running
    times that of a timeout, as some candidate has timed out, but not the score of a single one that
    is far worse than all others.
    """
    rare = float(np.quantile(scores, 1 - RARE, method="higher"))
    return float(scores.min()), max(float(scores[:, list(columns)].max()), rare)


def mean_of(told: Floats, known: Floats, problems: Ints, reach: tuple[float, float]) -> Estimate:
    """The mean of cross-fitted scores, with an interval for the choice made on all instances.

    The folds choose on fewer instances, so they are a little worse than that choice, and it looks
    better on the instances that made it. So the lower end is by the latter, the upper by the folds.

    Parameters
    ----------
    told, known : (n,)
        Scores of what the other folds choose, and of what all instances choose.
    problems : (n,)
        The number of each instance's problem; runs on one are one observation.
    reach
        See `reach_of`.
    """
    mean, (least, most) = float(told.mean()), reach
    if len(np.unique(problems % FOLDS)) < FEW:
        return Estimate(mean=mean, low=-math.inf, high=math.inf)
    most = max(most, float(told.max()))
    low, high = (
        bounded_mean(of, least=least, most=most, groups=problems.tolist(), level=_LEVEL)
        for of in (known, told)
    )
    return Estimate(mean=mean, low=min(low[0], mean), high=high[1])


def gain_of(values: Floats, problems: Ints, reach: tuple[float, float] | None = None) -> Gain:
    """The gain of a choice by cross-fitted differences from another, such as single best − team.

    Which two are chosen differs from sample to sample, so the variance of the mean is more than
    that of a mean of n differences: Nadeau and Bengio (2003), Inference for the generalization
    error, Machine Learning 52, 239–281: s²·(1/n)·(1 + K·n_test/n_train), which is
    s²·(1/n)·(1 + K/(K − 1)) for K folds. Runs on one problem are one observation.

    With `reach`, the upper end allows for what is rare: the first has the worst score where the
    second has the best. The lower end needs no such care: see docs/evidence/portfolio.md.
    """
    mean, k = float(values.mean()), len(np.unique(problems % FOLDS))
    n, wins, losses = len(values), int((values > 0).sum()), int((values < 0).sum())
    known = Gain(
        estimate=mean, level=_LEVEL, of="folds", instances=n, pairs=n,
        problems=len(np.unique(problems)), wins=wins, ties=n - wins - losses, losses=losses,
    )  # fmt: skip
    if k < FEW:
        return known
    apart: Floats = np.bincount(problems, values - mean).astype(np.float64)
    spread = float(np.square(apart).sum()) * len(apart) / (len(apart) - 1)
    error = math.sqrt((1 + k / (k - 1)) * spread) / n
    half = float(stdtrit(k - 1, 0.5 + _LEVEL / 2)) * error
    low, high = mean - half, mean + half
    if reach is not None:
        span = max(reach[1] - reach[0], float(np.abs(values).max()))
        ends = bounded_mean(values, least=-span, most=span, groups=problems.tolist(), level=_LEVEL)
        high = max(high, ends[1])
    return replace(known, low=low, high=high, by_cost=side(low, high, few=False))


@dataclass(frozen=True, kw_only=True, eq=False)
class Size:
    """The best team of a size.

    Attributes
    ----------
    size, members
        How many, and which ones: chosen from all instances.
    known
        The mean best score on the instances of its choice.
    score
        The same on fresh instances.
    gain
        By how much it is better there than the single best; 0 for a team of one.
    worst
        The worst score that the interval of `score` allows for.
    team
        The columns of the members.
    told : (n,)
        The cross-fitted scores, one for each instance; lower is better.
    """

    size: int
    members: tuple[Candidate, ...] = ()
    known: float
    score: Estimate
    gain: Gain
    worst: float
    team: Team = field(repr=False)
    told: Floats = field(repr=False)

    def told_of(self, known: KnownCosts, single: Candidate) -> Size:
        """The same in the user's direction, with its members and the names of the gain."""
        unit = "" if known.objective == "rank" else known.unit
        return replace(
            self, members=tuple(known.candidates[column] for column in self.team),
            known=score_of(self.known, known.way), score=self.score.scored(known.way),
            gain=replace(self.gain, name="the team", over=str(single), unit=unit),
            worst=score_of(self.worst, known.way),
        )  # fmt: skip


def sizes(
    scores: Floats, problems: Sequence[object], most: int, *, least: int = 1
) -> tuple[Size, ...]:
    """The best team of each size from 1 to `most`, with estimates of its score and gain.

    From `least` on, they end with the first that cannot be better: on every instance the team has
    the best score of all candidates, and so have the teams that the other folds choose.
    """
    own, virtual = numbered(problems), scores.min(axis=1)
    folds = folds_of(problems)
    single = held_out_teams(scores, folds, 1)
    found = []
    for size in range(1, most + 1):
        team = best_team(scores, size)
        told = single if size == 1 else held_out_teams(scores, folds, size)
        known, reach = best_of(scores, team), reach_of(scores, team)
        found.append(
            Size(
                size=size,
                team=team,
                known=float(known.mean()),
                score=mean_of(told, known, own, reach),
                gain=gain_of(single - told, own, reach if size > 1 else None),
                told=told,
                worst=reach[1],
            )
        )
        perfect = np.array_equal(known, virtual) and np.array_equal(told, virtual)
        if perfect and size >= least:
            break
    return tuple(found)


def knee(found: Sequence[Size], problems: Sequence[object]) -> Size:
    """The smallest team such that no larger one is shown to be better."""
    own = numbered(problems)
    for place, one in enumerate(found):
        larger = (gain_of(one.told - other.told, own) for other in found[place + 1 :])
        if all(gain.low <= 0 for gain in larger):
            return one
    raise AssertionError("no team is larger than the largest")
