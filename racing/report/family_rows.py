"""The winner against the default on the instances of one family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.core.candidate import Candidate
from racing.core.experiment import Instance
from racing.core.gain import gain
from racing.report.paired import Evidence, paired

Floats = NDArray[np.float64]
Measure = Literal["median", "share", "mean"]


@dataclass(frozen=True, kw_only=True)
class FamilyGain:
    """The winner against the default on the instances of one family.

    Attributes
    ----------
    family
        What it is called.
    instances
        On how many of its instances both ran.
    gain, low, high
        By how much the winner is better, and the ends of the interval; None where there are none.
    evidence
        What the interval shows; `few` where no interval of that level has two ends.
    wins, ties, losses
        On how many instances the winner is better, equal, worse.
    winner_failures, against_failures
        How often each failed.
    ahead
        The candidate that is best here, of those that ran on as many of these instances as the
        winner; it was chosen on them. None on held-out instances, which only two meet.
    """

    family: str
    instances: int
    gain: float | None
    low: float | None
    high: float | None
    evidence: Evidence
    wins: int
    ties: int
    losses: int
    winner_failures: int
    against_failures: int
    ahead: Candidate | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs:
    """The costs of the winner and the default on the instances that both ran, (n, 2)."""

    winner: Candidate
    against: Candidate
    instances: Sequence[Instance]
    costs: Floats
    measure: Measure = "median"
    fresh: bool = False


def row_of(
    family: str, pairs: Pairs, own: NDArray[np.bool_], level: float, ahead: Candidate | None
) -> FamilyGain:
    """A family's row.

    Parameters
    ----------
    own : (n,)
        Which of the pairs are of the family.
    level
        Of the interval.
    ahead
        The best candidate there.
    """
    costs = pairs.costs[own]
    problems = [pairs.instances[k].number for k in np.flatnonzero(own).tolist()]
    told = _mean(costs, problems, level) if pairs.measure == "mean" else _paired(costs, level)
    winner_failures, against_failures = np.isinf(costs).sum(axis=0).tolist()
    wins, losses = int((costs[:, 0] < costs[:, 1]).sum()), int((costs[:, 0] > costs[:, 1]).sum())
    return FamilyGain(
        family=family,
        instances=len(costs),
        gain=told[0],
        low=told[1],
        high=told[2],
        evidence=told[3],
        wins=wins,
        ties=len(costs) - wins - losses,
        losses=losses,
        winner_failures=winner_failures,
        against_failures=against_failures,
        ahead=ahead,
    )


_Estimate = tuple[float | None, float | None, float | None, Evidence]


def _paired(costs: Floats, level: float) -> _Estimate:
    """The difference where neither failed; what is shown counts failures as worst."""
    pair = paired(costs, level=level)
    low, high = pair.interval or (None, None)
    return None if pair.gain is None else pair.gain.estimate, low, high, pair.evidence


def _mean(costs: Floats, problems: Sequence[int], level: float) -> _Estimate:
    """The mean difference, as the confirmation of a search has it."""
    found = gain(costs, np.empty((0, 2)), problems=problems, confidence=level)
    if found.problems < 2:
        return found.mean, None, None, "few"
    shown: Evidence = "better" if found.low > 0 else "worse" if found.high < 0 else "open"
    return found.mean, found.low, found.high, shown
