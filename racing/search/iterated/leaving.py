"""Verdicts on configurations that leave without a test."""

from __future__ import annotations

import math
from collections.abc import Sequence

from racing.rules.verdict import Elimination, Reason, Verdict


def unjudged(ids: Sequence[int], leader: int, rows: int, needed: int) -> Verdict:
    """All of these leave, since the race ended before they had met the elites' instances.

    Parameters
    ----------
    leader
        The best elite.
    rows, needed
        How many instances they have met, and how many they had to.
    """
    return Verdict(
        instances=rows,
        leader=leader,
        eliminated=tuple(
            Elimination(
                candidate=id,
                against=leader,
                reason=Reason.SCHEDULE,
                measure="instances",
                value=float(rows),
                threshold=float(needed),
                statistic=math.nan,
            )
            for id in ids
        ),
        about=tuple(ids),
    )
