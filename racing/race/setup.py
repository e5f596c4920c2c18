"""The settings of a race."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from racing.base.quantities import Direction
from racing.core.budget import Budget, Spent
from racing.core.experiment import Instance
from racing.core.failures import WORST, Failures
from racing.core.goal import Goal
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.race.judging import Schedule
from racing.rules.rule import FIRST_LOOK, Outlook, Rule

FARTHEST = 1000
"""The number of further instances with known groups, for an endless stream."""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The settings of a race; `Race` explains them."""

    instances: Instances
    rule: Rule
    budget: Budget
    seed: int
    schedule: Schedule
    patience: int = FIRST_LOOK  # instances on which all runs may time out
    one_test: bool = False  # whether it is asked for after the last instance: all runs may fail
    min_survivors: int
    risk: float
    objective: Objective
    direction: Direction
    ahead: float = 0.0  # share of the money that is kept for evaluations ahead of need
    goal: Goal | None = None
    failures: Failures = WORST

    @property
    def last_step(self) -> float:
        """The step before which the instances, or the budget of instances, end."""
        ends = (self.instances.limit, self.budget.instances)
        return min((end for end in ends if end is not None), default=math.inf)

    def limits(self, lost: Mapping[str, float]) -> Budget:
        """The budget for decisions: without the money kept to go ahead, or lost."""
        budget = self.budget
        kept = {unit: self.ahead * getattr(budget, unit) for unit in budget.paid}
        return budget.without({unit: max(kept[unit], lost.get(unit, 0.0)) for unit in kept})

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        return self.instances.at(step, self.seed)

    def group_at(self, step: int) -> int | None:
        """The group of the instance at a step; None if all are independent."""
        return self.instances.group_at(step, self.seed)

    def coming(self, closed: int) -> tuple[int, ...]:
        """The groups of the instances from this step on, as far as rules need them."""
        if not len(self.instances.groups):
            return ()
        end = int(min(self.last_step, closed + FARTHEST))
        groups = (self.group_at(step) for step in range(closed, end))
        return tuple(group for group in groups if group is not None)

    def outlook(self, closed: int, spent: Spent, *, by_time: float = math.inf) -> Outlook:
        """The future of the race, for the rule, when this many instances are complete."""
        return Outlook(
            objective=self.objective,
            instances=self.last_step - closed,
            evaluations=self.budget.left(spent).evaluations,
            by_time=by_time,
            timed=self.budget.timed or bool(self.budget.paid),
            correlation=self.instances.correlation if len(self.instances.groups) else 0.0,
            coming=self.coming(closed),
            recurring=self.instances.recurring,
            goal="single" if self.goal is None else self.goal.kind,
        )
