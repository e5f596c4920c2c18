"""What a race may spend, and what it has spent."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from racing.quantities import Count, Seconds
from racing.records import Checked


@dataclass(frozen=True, kw_only=True)
class Budget(Checked):
    """The most that a race may spend; whichever limit is met first ends it.

    Attributes
    ----------
    evaluations
        Runs of the target that count: one per candidate and instance. Retries of a failed run are
        not counted here; their time is.
    wall_time
        Seconds on the clock, over all sessions of a run.
    target_time
        Seconds that evaluations took, added up over all workers.
    instances
        Instances (with their seeds) that the race may reach.

    A race never begins an instance that the rest of the budget is not expected to cover for every
    survivor, since half a row of results decides nothing.
    """

    evaluations: Count | None = None
    wall_time: Seconds | None = None
    target_time: Seconds | None = None
    instances: Count | None = None

    @property
    def unlimited(self) -> bool:
        """Whether no limit is set at all."""
        return all(getattr(self, field.name) is None for field in fields(self))

    @property
    def timed(self) -> bool:
        """Whether a limit of time is set."""
        return self.wall_time is not None or self.target_time is not None

    def left(self, spent: Spent) -> Left:
        """What remains; inf where there is no limit."""
        return Left(
            **{
                field.name: math.inf
                if (limit := getattr(self, field.name)) is None
                else max(limit - getattr(spent, field.name), 0)
                for field in fields(self)
            }
        )


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What has been spent on instances that are complete: units as in `Budget`."""

    evaluations: int = 0
    wall_time: float = 0.0
    target_time: float = 0.0
    instances: int = 0


@dataclass(frozen=True, kw_only=True)
class Left:
    """What remains of a budget: units as in `Budget`, inf where there is no limit."""

    evaluations: float = math.inf
    wall_time: float = math.inf
    target_time: float = math.inf
    instances: float = math.inf
