"""What only a search has to tell: how far it is, what it tried, and what the confirmation says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from racing.candidate import Candidate
from racing.decider import Decider
from racing.search import Gain, IteratedRacing, Search


@dataclass(frozen=True, kw_only=True)
class SearchFacts:
    """A search, as its log tells it.

    Attributes
    ----------
    phase
        The part it is in, or ended in: `initial`, `running`, `finish`, `confirmation`, `plain`; of
        iterated racing `estimation`, `iteration`, `selection`, `confirmation`, `plain`.
    progress
        The share of the budget for searching that is spent, from 0 to 1.
    window
        How many challengers may be under way; None for iterated racing.
    iterations
        How many races are over; None for the continuous search.
    tried
        How candidates came to be → how many of them were tried.
    baseline
        What the winner is compared with: the default, or the first known configuration.
    found
        The best configuration that is not the baseline; the winner, unless the baseline is ahead by
        all instances that both have met.
    gain
        Its gain over the baseline on instances that chose nobody; None while unknown.
    unconfirmed
        Why there is no gain; empty if there is one, or the search is not there yet.
    notes
        What is unusual, such as a race in place of a search.
    """

    phase: str
    progress: float
    window: int | None
    iterations: int | None
    tried: Mapping[str, int]
    baseline: Candidate | None
    found: Candidate | None
    gain: Gain | None
    unconfirmed: str
    notes: tuple[str, ...]


def search_facts(decider: Decider) -> SearchFacts | None:
    """What a search has to tell; None for a race."""
    if not isinstance(decider, Search):
        return None
    iterated = isinstance(decider, IteratedRacing)
    return SearchFacts(
        phase=decider.phase,
        progress=decider.progress,
        window=None if iterated else decider.window,
        iterations=decider.iterations if isinstance(decider, IteratedRacing) else None,
        tried=dict(Counter(entrant.origin for entrant in decider.entrants)),
        baseline=decider.baseline,
        found=decider.found,
        gain=decider.gain,
        unconfirmed=decider.unconfirmed,
        notes=decider.notes,
    )
