"""The winner's gain over the default: on the instances of the choice, and on held-out ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from racing.core.candidate import Candidate
from racing.core.constraints import Decided, Kept, by_constraints, kept
from racing.core.goal import Goal
from racing.core.results import Results
from racing.core.view import View, best_of, default_of
from racing.report.paired import Evidence, Paired, paired

if TYPE_CHECKING:
    from racing.analysis.held_out_front import HeldOutFront
    from racing.analysis.holdout import Holdout
    from racing.analysis.portfolio.unseen import UnseenTeam
    from racing.log import Log


@dataclass(frozen=True, kw_only=True)
class WinnerGain:
    """The winner against another candidate, paired by instance.

    Where `held_out` is False, the winner was also chosen on these instances. So the gain is
    overstated, the more so the more candidates there were and the fewer instances.

    Attributes
    ----------
    winner, against
        The two.
    pair
        How they compare.
    held_out
        Whether the run did not meet these instances.
    unit
        What costs are counted in; empty where that is not known.
    metric
        What the costs are of, where an objective over several metrics asks for more; else empty.
    limits, other_limits
        What the instances say of each constraint, of the winner and of the other; () without
        constraints.
    """

    winner: Candidate
    against: Candidate
    pair: Paired
    held_out: bool = False
    unit: str = ""
    metric: str = ""
    limits: tuple[Kept, ...] = ()
    other_limits: tuple[Kept, ...] = ()

    @property
    def decided_by(self) -> Decided:
        """The verdict of the constraints; `equal` if the cost decides."""
        return by_constraints(self.limits, self.other_limits) if self.limits else "equal"

    @property
    def evidence(self) -> Evidence:
        """The verdict of the objective: failures first, then constraints, then the cost."""
        found, more = self.decided_by, self.pair.own_failures - self.pair.other_failures
        if found == "equal":
            return self.pair.evidence
        if (found == "better" and more <= 0) or (found == "worse" and more >= 0):
            return found
        return "few" if self.pair.evidence == "few" else "open"


def gain(race: View, unit: str = "") -> WinnerGain | None:
    """The gain of the best of a race over its default, else over its first candidate.

    None if there is no best one, if it is that candidate itself, or if they share no instance; and
    for a search, which measures its gain on fresh instances.
    """
    if race.as_search is not None:
        return None
    winner, against = best_of(race), default_of(race)
    if winner is None or winner == against:
        return None
    results = race.results
    columns = [results.candidates.index(one.id) for one in (winner, against)]
    costs = results.costs[:, columns]
    both = ~np.isnan(costs).any(axis=1)
    if not both.any():
        return None
    groups = () if results.groups is None else results.groups[both].tolist()
    limits, other_limits = _limits(results, columns)
    return WinnerGain(
        winner=winner,
        against=against,
        pair=paired(costs[both], groups=groups),
        unit=unit,
        metric=results.goal.of_one if isinstance(results.goal, Goal) else "",
        limits=limits,
        other_limits=other_limits,
    )


def _limits(results: Results, columns: list[int]) -> tuple[tuple[Kept, ...], ...]:
    """The constraints of two candidates, on the instances that they share."""
    if not isinstance(results.goal, Goal):
        return (), ()
    two = replace(results, survivors=np.array(columns))
    return tuple(tuple(kept(results.goal, two, place)) for place in range(2))


def held_out(race: View, log: Log) -> Holdout | None:
    """The test of the winner on held-out instances that is recorded beside its log, if any."""
    path = getattr(log, "path", None)
    if path is None or race.stopped is None or race.winner is None:
        return None
    if not path.with_suffix(".test.sqlite").exists():  # or what tests runs is imported
        return None
    from racing.analysis.holdout import recorded

    return recorded(path, race)


def held_out_front(race: View, log: Log) -> HeldOutFront | None:
    """The test of the front on held-out instances that is recorded beside its log, if any."""
    path = getattr(log, "path", None)
    if path is None or race.stopped is None or not path.with_suffix(".front.sqlite").exists():
        return None
    from racing.analysis.held_out_front import recorded_front

    return recorded_front(path, race)


def held_out_team(race: View, log: Log) -> UnseenTeam | None:
    """The test of the team of a search that is recorded beside its log, if any."""
    path = getattr(log, "path", None)
    if path is None or race.stopped is None or not path.with_suffix(".team.sqlite").exists():
        return None
    from racing.analysis.portfolio.unseen import recorded_team

    return recorded_team(path, race)


def gain_held_out(found: Holdout, unit: str = "") -> WinnerGain:
    """The gain on held-out instances."""
    return WinnerGain(
        winner=found.winner,
        against=found.against,
        pair=paired(found.costs, groups=found.groups),
        held_out=True,
        unit=unit,
        metric=found.metric,
        limits=found.limits,
        other_limits=found.other_limits,
    )
