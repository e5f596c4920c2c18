"""By how much the winner beats the default, pair by pair, on the instances that both have seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from racing.candidate import Candidate
from racing.decider import Decider
from racing.search import Search
from racing.sketches import default_of

if TYPE_CHECKING:
    from racing.stats.effects import MedianDifference, Superiority
    from racing.stats.wilcoxon import SignedRanks


@dataclass(frozen=True, kw_only=True)
class WinnerGain:
    """The winner against another candidate, paired by instance.

    The instances are those that chose the winner. So the gain is overstated, the more so the more
    candidates there were and the fewer instances; `racing test` measures it on new ones.

    Attributes
    ----------
    winner, against
        The two.
    instances
        How many instances both have seen.
    difference
        Median (Hodges-Lehmann) of other − winner in cost, with its interval: above 0 the winner is
        better.
    superiority
        The chance that the winner is better on an instance, with its interval.
    test
        Wilcoxon signed-rank test, two-sided; it takes no account of the choice of the winner.
    """

    winner: Candidate
    against: Candidate
    instances: int
    difference: MedianDifference
    superiority: Superiority
    test: SignedRanks


def gain(race: Decider) -> WinnerGain | None:
    """The gain of a race's winner over its default, else over its first candidate.

    None if there is no winner, if it is that candidate itself, or if they share no instance; and
    for a search, which measures its gain on instances that chose nobody.
    """
    if isinstance(race, Search):
        return None
    winner, against = race.winner, default_of(race)
    if winner is None or winner == against:
        return None
    results = race.results
    columns = [results.candidates.index(one.id) for one in (winner, against)]
    costs = results.costs[:, columns]
    costs = costs[~np.isnan(costs).any(axis=1)]
    if not len(costs):
        return None
    from racing.stats.effects import median_difference, vargha_delaney
    from racing.stats.wilcoxon import wilcoxon

    return WinnerGain(
        winner=winner,
        against=against,
        instances=len(costs),
        difference=median_difference(costs[:, 0], costs[:, 1]),
        superiority=vargha_delaney(costs[:, 0], costs[:, 1], paired=True),
        test=wilcoxon(costs[:, 0], costs[:, 1]),
    )
