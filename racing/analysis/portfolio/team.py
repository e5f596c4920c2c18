"""The members of a team: what each adds, and which are enough; the scores by which it is chosen.

Where a candidate was not run, its score is the worst known there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.base.words import listed, refer
from racing.core.candidate import Candidate
from racing.core.objective import Objective
from racing.search.block import penalised
from racing.stats.ranks import rank_rows
from racing.stats.teams import best_of, value

Floats = NDArray[np.float64]

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
