"""The cross-validated gain of a team."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio.team import Team, best_of, best_team
from racing.base.special import stdtrit

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

FOLDS = 10
LEAST = 6
"""The fewest problems for an estimate."""

_LEVEL = 0.95


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A mean over unseen instances, with its interval.

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


def folds_of(problems: Sequence[object]) -> Ints:
    """(n,) the fold of each instance; runs on one problem are in one fold.

    Problems are dealt out in the order in which they first come: a race has shuffled them.
    """
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(one, len(numbers)) for one in problems]) % FOLDS


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


def mean_of(values: Floats, folds: Ints) -> Estimate:
    """The mean of cross-fitted scores, by Student's t.

    It is that of the teams that the folds choose (Bayle, Bayle, Janson and Mackey, 2020,
    Cross-validation confidence intervals for test error), which the team chosen from all instances
    is hardly better than. The folds share their choices, so K of them have K − 1 degrees of
    freedom, as in the corrected test of `gain_of`, and not one for each instance.
    """
    return _interval(values, 1 / len(values), len(np.unique(folds)))


def gain_of(values: Floats, folds: Ints) -> Estimate:
    """The mean of cross-fitted differences between two choices, such as single best − team.

    Which two are chosen differs from sample to sample, so the variance of the mean is more than
    s²/n: Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52,
    239–281: s²·(1/n)·(1 + K·n_test/n_train), which is s²·(1/n)·(1 + K/(K − 1)) for K folds.
    """
    k = len(np.unique(folds))
    return _interval(values, (1 + k / max(k - 1, 1)) / len(values), k)


def _interval(values: Floats, factor: float, folds: int) -> Estimate:
    mean = float(values.mean())
    if folds < LEAST:
        return Estimate(mean=mean, low=-math.inf, high=math.inf)
    error = math.sqrt(factor * float(values.var(ddof=1)))
    half = float(stdtrit(folds - 1, 0.5 + _LEVEL / 2)) * error
    return Estimate(mean=mean, low=mean - half, high=mean + half)


@dataclass(frozen=True, kw_only=True, eq=False)
class Size:
    """A team of so many members.

    Attributes
    ----------
    size, team
        How many, and which columns: chosen from all instances.
    known
        The mean best score on the instances of its choice.
    score
        The same on unseen instances.
    gain
        By how much it is better there than the single best; 0 for a team of one.
    told : (n,)
        The cross-fitted scores, one for each instance.
    """

    size: int
    team: Team
    known: float
    score: Estimate
    gain: Estimate
    told: Floats


def sizes(
    scores: Floats, problems: Sequence[object], most: int, *, least: int = 1
) -> tuple[Size, ...]:
    """The best team of each size from 1 to `most`, with estimates of its score and gain.

    From `least` on, they end with the first that cannot be better: on every instance the team has
    the best score of all candidates, and so have the teams that the other folds choose.
    """
    folds, virtual = folds_of(problems), scores.min(axis=1)
    single = held_out_teams(scores, folds, 1)
    found = []
    for size in range(1, most + 1):
        team = best_team(scores, size)
        told = single if size == 1 else held_out_teams(scores, folds, size)
        found.append(
            Size(
                size=size,
                team=team,
                known=float(best_of(scores, team).mean()),
                score=mean_of(told, folds),
                gain=gain_of(single - told, folds),
                told=told,
            )
        )
        perfect = np.array_equal(best_of(scores, team), virtual) and np.array_equal(told, virtual)
        if perfect and size >= least:
            break
    return tuple(found)


def knee(found: Sequence[Size], problems: Sequence[object]) -> Size:
    """The smallest team such that no larger one is shown to be better."""
    folds = folds_of(problems)
    for place, one in enumerate(found):
        larger = (gain_of(one.told - other.told, folds) for other in found[place + 1 :])
        if all(gain.low <= 0 for gain in larger):
            return one
    raise AssertionError("no team is larger than the largest")
