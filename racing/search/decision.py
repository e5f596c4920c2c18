"""Verdicts on those who leave for others; those on challengers under way are in `screening`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.rules.verdict import Elimination, Reason, Verdict

Floats = NDArray[np.float64]


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
