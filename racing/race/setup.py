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
from racing.rules.rule import FIRST_LOOK, Outlook, Rule

FARTHEST = 1000
"""Instances to come whose groups are told, where they never end."""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The settings of a race; see `Race` for what they mean."""

    instances: Instances
    rule: Rule
    budget: Budget
    seed: int
    schedule: Schedule
    patience: int = FIRST_LOOK  # instances on which nothing but time-outs may come
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

    def group_at(self, step: int) -> int | None:
        """The group of the instance at a step; None if all are independent."""
        return self.instances.group_at(step, self.seed)

    def coming(self, closed: int) -> tuple[int, ...]:
        """The groups of the instances from this step on, as far as a rule looks ahead."""
        if not len(self.instances.groups):
            return ()
        end = int(min(self.last_step, closed + FARTHEST))
        groups = (self.group_at(step) for step in range(closed, end))
        return tuple(group for group in groups if group is not None)

    def outlook(self, closed: int, spent: Spent, *, by_time: float = math.inf) -> Outlook:
        """What the rule is told of the future once this many instances are complete."""
        return Outlook(
            objective=self.objective,
            instances=self.last_step - closed,
            evaluations=self.budget.left(spent).evaluations,
            by_time=by_time,
            timed=self.budget.timed,
            correlation=self.instances.correlation if len(self.instances.groups) else 0.0,
            coming=self.coming(closed),
        )
