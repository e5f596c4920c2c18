"""The constants of a search, shared by all its phases."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from racing.core.budget import Budget
from racing.core.objective import Objective
from racing.core.stop import Stop
from racing.rules.rule import Rule
from racing.search.division import Division
from racing.search.sampler import LocalSampler, Sampler
from racing.search.settings import Settings

_NARROW = 16
"""Up to this window, rungs that grow by a factor of 2 keep all workers busy."""


def rungs(instances: int, growth: int = 2) -> list[int]:
    """The numbers of instances after which a challenger is tested: 1, g, g², …, `instances`."""
    found, end = [], 1
    while end < instances:
        found.append(end)
        end *= growth
    return [*found, instances]


@dataclass(frozen=True, kw_only=True)
class SearchConstants:
    """The constants of a search: they are the same for all its decisions.

    Attributes
    ----------
    sampler
        Draws the challengers.
    window
        The most challengers that run at once.
    limit
        The most instances to learn from, by their number or the budget; inf without an end.
    aside
        The number of instances that are set aside for the confirmation; 0 if none are.
    instances
        The limit of the budget; inf for none.
    rule
        Tests challengers instead of the probability; see `racing.search.screening`.
    """

    settings: Settings
    objective: Objective
    limit: float = math.inf
    aside: float = 0.0
    instances: float = math.inf
    sampler: Sampler = field(default_factory=LocalSampler)
    window: int = 1
    rule: Rule | None = None

    def ending(self, division: Division, budget: Budget) -> SearchConstants:
        """The constants with the limits of these instances and of this budget."""
        training, aside = division.limits
        most = math.inf if budget.instances is None else budget.instances
        return replace(self, limit=min(training, most), aside=aside, instances=most)

    def unseen(self, met: int) -> float:
        """The number of instances for the confirmation, after so many to learn from."""
        return min(self.aside or self.limit - met, self.instances - met)

    @property
    def growth(self) -> int:
        """The factor by which the rungs of a challenger grow.

        Each rung takes as long as its longest run, and decisions are made in order. In a wide
        window, all wait for a challenger that passes many rungs, so there are fewer of them.
        """
        return self.settings.growth or (2 if self.window <= _NARROW else 4)

    def prepaid(self, instances: int, planned: int) -> int:
        """The number of evaluations reserved for a challenger when it starts.

        If it meets more instances than the setting, this is the last rung within the setting: the
        challenger is held before the next rung, so more would be reserved in vain.

        Parameters
        ----------
        instances, planned
            The numbers that the elites have met, and will have met at its decision.
        """
        most = self.settings.prepaid
        if instances > most:
            most = max(end for end in rungs(most + 1, self.growth) if end <= most)
        return min(planned, most)

    @property
    def end_of_instances(self) -> Stop:
        """The reason for the end when no instance is left."""
        return Stop.INSTANCE_BUDGET if self.limit == self.instances else Stop.INSTANCES
