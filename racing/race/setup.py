"""What a race is a function of, besides its candidates and the outcomes told."""

from __future__ import annotations

import math
from dataclasses import dataclass

from racing.budget import Budget, Spent
from racing.experiment import Instance
from racing.instances import Instances
from racing.objective import Objective
from racing.quantities import Direction
from racing.race.schedule import Schedule
from racing.rules.rule import Outlook, Rule


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The settings of a race; see `Race` for what they mean."""

    instances: Instances
    rule: Rule
    budget: Budget
    seed: int
    schedule: Schedule
    min_survivors: int
    objective: Objective
    direction: Direction

    @property
    def last_step(self) -> float:
        """The step before which the instances, or the budget of instances, end."""
        ends = (self.instances.limit, self.budget.instances)
        return min((end for end in ends if end is not None), default=math.inf)

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        return self.instances.at(step, self.seed)

    def outlook(self, closed: int, spent: Spent) -> Outlook:
        """What the rule is told of the future once this many instances are complete."""
        return Outlook(
            objective=self.objective,
            instances=self.last_step - closed,
            evaluations=self.budget.left(spent).evaluations,
        )
