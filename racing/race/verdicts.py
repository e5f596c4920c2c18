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
    about: tuple[int, ...] | None = None,
    steps: tuple[int, ...] | None = None,
) -> Verdict:
    """The verdict without the protected ids, and without the best of the rest if too few stay.

    Eliminations come back worst first, and the verdict says whom it is `about` and by which `steps`
    (see `Verdict`).

    Raises
    ------
    RaceError
        If the rule dropped a candidate that is not in the race.
    """
    if not verdict.eliminated:
        return replace(verdict, about=about, steps=steps)
    place = {
        results.id(int(survivor)): place
        for place, survivor in enumerate(standing(results, objective))
    }
    strangers = [e.candidate for e in verdict.eliminated if e.candidate not in place]
    if strangers:
        raise RaceError(f"the rule dropped {strangers}, which are not in the race")
    out = [e for e in verdict.eliminated if e.candidate not in protected]
    out.sort(key=lambda e: -place[e.candidate])
    kept = tuple(out[: max(len(place) - at_least, 0)])
    return replace(verdict, eliminated=kept, about=about, steps=steps)
