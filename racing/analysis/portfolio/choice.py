"""Chooses a team of complementary candidates from logs; estimates its gain by cross-validation.

Also the best candidate of each family of instances, and the gain of this choice.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio.crossfit import (
    Estimate,
    Size,
    folds_of,
    gain_of,
    held_out,
    held_out_teams,
    knee,
    mean_of,
    numbered,
    reach_of,
    sizes,
)
from racing.analysis.portfolio.table import KnownCosts, read_costs
from racing.analysis.portfolio.team import Member, certain_scores, team_members
from racing.base.errors import InputError, must_be
from racing.base.quantities import score_of
from racing.base.words import listed, number
from racing.core.candidate import Candidate
from racing.scenario.families import kinds

Floats = NDArray[np.float64]

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
    logs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    size: int | None = None,
    by: str | None = None,
) -> Portfolio:
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
