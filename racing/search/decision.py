"""Verdicts on those who leave for others; those on challengers under way are in `screening`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.rules.verdict import Elimination, Reason, Verdict
from racing.search.flight import Flight

Floats = NDArray[np.float64]


def unaffordable(flight: Flight, room: int) -> Verdict:
    """A challenger is dropped, since what it may still need does not fit into the budget."""
    standing, best = flight.stood[-1], flight.state.elites[0]
    return Verdict(
        instances=standing.n,
        leader=best,
        eliminated=(
            Elimination(
                candidate=flight.id,
                against=best,
                reason=Reason.SCHEDULE,
                measure="evaluations",
                value=len(flight.steps),
                threshold=room,
                statistic=standing.behind,
            ),
        ),
        about=(flight.id,),
        steps=tuple(flight.seen),
    )


def displaced(ranked: Sequence[int], scores: Floats, kept: int) -> Verdict:
    """All but the best `kept` leave, since no more are kept.

    Parameters
    ----------
    ranked
        Ids, the best first.
    scores : (T, k)
        Their scores, in that order.
    """
    means = scores.mean(axis=0)
    last = max(kept - 1, 0)
    return Verdict(
        instances=len(scores),
        leader=ranked[0],
        eliminated=tuple(
            Elimination(
                candidate=ranked[place],
                against=ranked[last],
                reason=Reason.SCHEDULE,
                measure="mean score",
                value=float(means[place]),
                threshold=float(means[last]),
                statistic=float(means[place] - means[last]),
            )
            for place in range(len(ranked) - 1, last, -1)
        ),
    )


def retired(ids: Sequence[int], scores: Floats, gone: dict[int, float], retire: float) -> Verdict:
    """Elites leave that are hardly better than the best.

    Parameters
    ----------
    ids
        The elites, the best first; `scores` are theirs, (T, m).
    gone
        Column → probability of being better than the best.
    """
    means = scores.mean(axis=0)
    return Verdict(
        instances=len(scores),
        leader=ids[0],
        eliminated=tuple(
            Elimination(
                candidate=ids[column],
                against=ids[0],
                reason=Reason.INFERIOR,
                measure="probability better",
                value=p,
                threshold=retire,
                statistic=float(means[column] - means[0]),
            )
            for column, p in sorted(gone.items(), reverse=True)
        ),
    )


def reversed_by(ahead: int, lost: Sequence[int], behind: float, steps: Sequence[int]) -> Verdict:
    """The elites leave, since one who was behind is ahead on all instances now known.

    Parameters
    ----------
    ahead
        Who wins.
    lost
        Who leaves, the worst first; the last is the one that was ahead before.
    behind
        By how much its mean score is worse.
    steps
        The instances that both have met.
    """
    return Verdict(
        instances=len(steps),
        leader=ahead,
        eliminated=tuple(
            Elimination(
                candidate=id,
                against=ahead,
                measure="mean difference",
                value=behind,
                threshold=0.0,
                statistic=behind,
            )
            for id in lost
        ),
        steps=tuple(steps),
    )
