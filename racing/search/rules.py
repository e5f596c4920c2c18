"""What stays the same for all decisions of a search."""

from __future__ import annotations

from dataclasses import dataclass

from racing.objective import Objective
from racing.rules.rule import Rule
from racing.search.challenger import rungs
from racing.search.model import Model
from racing.search.settings import Settings
from racing.stop import Stop

_NARROW = 16
"""Up to so many challengers under way keep all workers busy with rungs of a factor of 2."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What stays the same for all decisions of a search.

    Attributes
    ----------
    limit
        How many instances there are, or the budget allows; inf without an end.
    rule
        Judges challengers in place of the probability; see `racing.search.screening`.
    budgeted
        Whether that is the budget's limit.
    """

    settings: Settings
    model: Model
    objective: Objective
    window: int
    limit: float
    rule: Rule | None = None
    budgeted: bool = False

    @property
    def growth(self) -> int:
        """By which factor the rungs of a challenger grow.

        Each rung takes as long as the longest of its runs, and decisions are made in order: where
        many are under way, all wait for one that goes far, and less long if it has fewer rungs.
        """
        return self.settings.growth or (2 if self.window <= _NARROW else 4)

    def prepaid(self, instances: int, planned: int) -> int:
        """How many evaluations are kept for a challenger when it begins.

        Where it meets more instances than the setting has, that is the last rung within it. More
        would be kept and never used, as it is held before the rung that takes more.

        Parameters
        ----------
        instances, planned
            How many the elites have met, and are going to have met when its decision comes.
        """
        most = self.settings.prepaid
        if instances > most:
            most = max(end for end in rungs(most + 1, self.growth) if end <= most)
        return min(planned, most)

    @property
    def end_of_instances(self) -> Stop:
        """What to say when no instance is left."""
        return Stop.INSTANCE_BUDGET if self.budgeted else Stop.INSTANCES
