"""From what a rule says to what a race does."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from racing.errors import RaceError
from racing.objective import Objective, standing
from racing.results import Results
from racing.rules.verdict import Verdict


def apply_verdict(
    verdict: Verdict,
    results: Results,
    *,
    objective: Objective,
    protected: Set[int],
    at_least: int,
) -> Verdict:
    """The verdict without the protected ids, and without the best of the rest if too few stay.

    Eliminations come back worst first.

    Raises
    ------
    RaceError
        If the rule dropped somebody who is not in the race.
    """
    place = {
        results.id(int(survivor)): place
        for place, survivor in enumerate(standing(results, objective))
    }
    strangers = [e.candidate for e in verdict.eliminated if e.candidate not in place]
    if strangers:
        raise RaceError(f"the rule dropped {strangers}, who are not in the race")
    out = [e for e in verdict.eliminated if e.candidate not in protected]
    out.sort(key=lambda e: -place[e.candidate])
    return replace(verdict, eliminated=tuple(out[: max(len(place) - at_least, 0)]))
