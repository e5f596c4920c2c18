"""Chooses a team of complementary candidates from logs; estimates its gain by cross-validation.

Also the best candidate of each family of instances, and the gain of this choice.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio.table import KnownCosts, read_costs
from racing.analysis.portfolio.team import (
    Member,
    Team,
    best_of,
    best_team,
    certain_scores,
    team_members,
)
from racing.base.errors import InputError, must_be
from racing.base.quantities import Direction, score_of
from racing.base.special import stdtrit
from racing.base.words import listed, number
from racing.core.candidate import Candidate
from racing.scenario.families import kinds
from racing.stats.intervals import bounded_mean

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

FOLDS = 10
LEAST = 6
"""The fewest problems for an estimate."""

RARE = 0.01
"""The share of all scores that are as bad as the upper end of a score allows for, or worse."""

_LEVEL = 0.95

MOST = 8
"""Sizes that are looked at, if no larger one is asked for."""


@dataclass(frozen=True, kw_only=True)
class FamilyChoice:
    """The candidate of a family.

    Attributes
    ----------
    family, instances
        What it is called, and how many instances there are.
    candidate
        The best one there.
    score, single_best
        Its mean score there, and that of the single best of all instances, in the direction of the
        user; both were chosen here.
    """

    family: str
    instances: int
    candidate: Candidate
    score: float
    single_best: float


@dataclass(frozen=True, kw_only=True)
class FamilyTable:
    """Family → candidate.

    Attributes
    ----------
    families
        By name.
    score
        The mean score of choosing by family, on fresh instances, in the direction of the user.
    gain
        By how much that is better than the single best.
    """

    families: tuple[FamilyChoice, ...]
    score: Estimate
    gain: Estimate


@dataclass(frozen=True, kw_only=True, eq=False)
class Portfolio:
    """A team, and the estimates of its gain.

    Attributes
    ----------
    known
        The costs that it was chosen from.
    scores : (n, m)
        The same as scores, lower is better: costs, or places for the objective `rank`. A cell that
        was not run has the worst score known on its instance.
    size
        The team, with its value on instances that had no part in its choice.
    members
        In the order in which each adds most to those before it.
    sizes
        The best team of each size, up to one that cannot be better.
    asked
        Whether the size was asked for; else it is the smallest such that no larger team is shown to
        be better.
    single
        The best single candidate.
    virtual
        The mean of the best score of all candidates, on the instances that all of this is from: no
        team can be better there.
    by_family
        A candidate for each family; None if families were not asked for.
    """

    known: KnownCosts
    scores: Floats
    size: Size
    members: tuple[Member, ...]
    sizes: tuple[Size, ...]
    asked: bool
    single: Candidate
    virtual: float
    by_family: FamilyTable | None = None

    def __repr__(self) -> str:
        gain, names = self.size.gain, [str(one.candidate) for one in self.members]
        ends = f"{number(gain.low)} to {number(gain.high)}"
        over = f", gain over {self.single} {number(gain.mean)} ({ends})" if len(names) > 1 else ""
        return f"<Portfolio: {listed(names, 12)}{over}>"

    @property
    def shown(self) -> bool:
        """Whether the team is shown to be better than the single best."""
        return self.size.gain.low > 0

    @property
    def complete(self) -> float:
        """The share of cells of the team that were run; the others count as the worst known."""
        ran = ~np.isnan(self.known.costs[:, list(self.size.team)])
        return float(ran.mean())

    @property
    def closed(self) -> float | None:
        """The gain over the distance from single best to virtual best; None without a distance."""
        distance = self.sizes[0].score.mean - self.virtual
        return self.size.gain.mean / distance if distance > 0 else None


def portfolio(
    logs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, size: int | None = None,
    by: str | None = None,
) -> Portfolio:  # fmt: skip
    """The team of candidates with the lowest mean of the best cost, from the logs of runs.

    The team is chosen from all instances. Its value is estimated by teams of that size that are
    chosen on nine tenths of them and told on the last. Where a candidate was not run, it counts as
    the worst that ran there, which can only make the estimates worse.

    Parameters
    ----------
    logs
        One, or several of the same target and instances.
    size
        How many members; by default the smallest number such that no larger team is shown to be
        better, 1 if none is shown to be better than the single best.
    by
        What says the families of instances, as for `racing.by_family`: a candidate for each.

    Raises
    ------
    InputError
        If there are fewer candidates than members, or the logs are not of one target, or families
        cannot be told.
    LogError
        If a log cannot be read.

    Examples
    --------
    >>> import racing
    >>> from racing.cli.init import write
    >>> race = racing.run(write(Path("teams"))[0], log="teams.sqlite")
    >>> team = racing.portfolio("teams.sqlite", size=2)
    >>> len(team.members), team.size.score.mean <= team.sizes[0].score.mean
    (2, True)
    """
    paths = [logs] if isinstance(logs, str | os.PathLike) else logs
    return choose(read_costs(paths), size=size, by=by)


def choose(known: KnownCosts, *, size: int | None = None, by: str | None = None) -> Portfolio:
    """The team, from costs that were read; see `portfolio`."""
    m = len(known.candidates)
    if size is not None and not (isinstance(size, int) and 1 <= size <= m):
        raise InputError(must_be("size", f"a whole number from 1 to {m}, the candidates", size))
    if len(set(known.problems)) < 2:
        raise InputError(
            f"all that two candidates or more ran on is the instance {known.problems[0]}; a team "
            "is chosen on some instances and judged on others, so give the run two or more"
        )
    scores = certain_scores(known.costs, known.objective)
    found = sizes(scores, known.problems, min(max(MOST, size or 0), m), least=size or 1)
    chosen = knee(found, known.problems) if size is None else found[size - 1]
    return Portfolio(
        known=known,
        scores=scores,
        size=chosen,
        members=team_members(
            [known.candidates[column] for column in chosen.team],
            scores[:, list(chosen.team)],
            ~np.isnan(known.costs[:, list(chosen.team)]),
        ),
        sizes=found,
        asked=size is not None,
        single=known.candidates[found[0].team[0]],
        virtual=float(scores.min(axis=1).mean()),
        by_family=None if by is None else family_table(known, scores, by),
    )


# --- by family ----------------------------------------------------------------------------------


def family_table(known: KnownCosts, scores: Floats, by: str) -> FamilyTable:
    """The best candidate of each family.

    Raises
    ------
    InputError
        If the families cannot be told, or there is only one.
    """
    labels = kinds(known.instances, by, Path(known.scenario.folder))
    folds, single = folds_of(known.problems), int(np.argmin(scores.mean(axis=0)))

    def told(rest: Floats, own: NDArray[np.intp]) -> Floats:
        others = np.delete(labels, own)
        return np.array([scores[row, _best(rest, others == labels[row])] for row in own])

    values, own = held_out(scores, folds, told), numbered(known.problems)
    best = {family: _best(scores, labels == family) for family in sorted(set(labels.tolist()))}
    chosen = scores[np.arange(len(scores)), [best[family] for family in labels.tolist()]]
    reach = reach_of(scores, list(best.values()))
    return FamilyTable(
        families=tuple(
            FamilyChoice(
                family=family,
                instances=int(here.sum()),
                candidate=known.candidates[column],
                score=score_of(float(scores[here, column].mean()), known.way),
                single_best=score_of(float(scores[here, single].mean()), known.way),
            )
            for family, column in best.items()
            for here in [labels == family]
        ),
        score=mean_of(values, chosen, own, reach).scored(known.way),
        gain=gain_of(held_out_teams(scores, folds, 1) - values, own, reach),
    )


def _best(scores: Floats, rows: NDArray[np.bool_]) -> int:
    """The best candidate on some rows; on all of them where there is none."""
    return int(np.argmin((scores[rows] if rows.any() else scores).mean(axis=0)))


# --- the gain of a team, cross-validated -----------------------------------------------------


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

    def scored(self, way: Direction) -> Estimate:
        """The same of scores in this direction."""
        low, high = sorted((score_of(self.low, way), score_of(self.high, way)))
        return replace(self, mean=score_of(self.mean, way), low=low, high=high)


def numbered(problems: Sequence[object]) -> Ints:
    """(n,) the number of each instance's problem, in the order in which they first come."""
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(one, len(numbers)) for one in problems])


def folds_of(problems: Sequence[object]) -> Ints:
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
    if len(np.unique(problems % FOLDS)) < LEAST:
        return Estimate(mean=mean, low=-math.inf, high=math.inf)
    most = max(most, float(told.max()))
    low, high = (
        bounded_mean(of, least=least, most=most, groups=problems.tolist(), level=_LEVEL)
        for of in (known, told)
    )
    return Estimate(mean=mean, low=min(low[0], mean), high=high[1])


def gain_of(values: Floats, problems: Ints, reach: tuple[float, float] | None = None) -> Estimate:
    """The mean of cross-fitted differences between two choices, such as single best − team.

    Which two are chosen differs from sample to sample, so the variance of the mean is more than
    that of a mean of n differences: Nadeau and Bengio (2003), Inference for the generalization
    error, Machine Learning 52, 239–281: s²·(1/n)·(1 + K·n_test/n_train), which is
    s²·(1/n)·(1 + K/(K − 1)) for K folds. Runs on one problem are one observation.

    With `reach`, the upper end allows for what is rare: the first has the worst score where the
    second has the best. The lower end needs no such care: see docs/evidence/portfolio.md.
    """
    mean, k = float(values.mean()), len(np.unique(problems % FOLDS))
    if k < LEAST:
        return Estimate(mean=mean, low=-math.inf, high=math.inf)
    apart: Floats = np.bincount(problems, values - mean).astype(np.float64)
    spread = float(np.square(apart).sum()) * len(apart) / (len(apart) - 1)
    error = math.sqrt((1 + k / (k - 1)) * spread) / len(values)
    half = float(stdtrit(k - 1, 0.5 + _LEVEL / 2)) * error
    high = mean + half
    if reach is not None:
        span = max(reach[1] - reach[0], float(np.abs(values).max()))
        ends = bounded_mean(values, least=-span, most=span, groups=problems.tolist(), level=_LEVEL)
        high = max(high, ends[1])
    return Estimate(mean=mean, low=mean - half, high=high)


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
        The same on fresh instances.
    gain
        By how much it is better there than the single best; 0 for a team of one.
    told : (n,)
        The cross-fitted scores, one for each instance.
    worst
        The worst score that the upper end of `score` allows for.
    """

    size: int
    team: Team
    known: float
    score: Estimate
    gain: Estimate
    told: Floats
    worst: float


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
