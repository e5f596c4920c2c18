"""Which rows are due: a row is one instance with the candidates that must be run on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Schedule:
    """When the rule is asked: after `first_test` instances, then after every `each_test`."""

    first_test: int = 5
    each_test: int = 1

    def due(self, instances: int) -> bool:
        """Whether a test follows the instance that makes this many."""
        over = instances - self.first_test
        return over >= 0 and over % self.each_test == 0

    def rows_until_test(self, instances: int) -> int:
        """How many further rows end in the next test, when this many are complete."""
        if instances < self.first_test:
            return self.first_test - instances
        return self.each_test - (instances - self.first_test) % self.each_test


@dataclass(frozen=True)
class Row:
    """One instance (by step) and the columns to be run on it."""

    step: int
    columns: tuple[int, ...]


@dataclass
class CatchUp:
    """Late-comers on their way through the instances that the race has already seen.

    `steps` is their own order of those instances; `seen` counts how many they have done.
    """

    newcomers: list[int] = field(default_factory=list)
    steps: Sequence[int] = ()
    seen: int = 0

    @property
    def active(self) -> bool:
        """Whether anybody still has instances to catch up on."""
        return bool(self.newcomers) and self.seen < len(self.steps)

    @property
    def rows_seen(self) -> list[int]:
        """The instances that late-comers share with everybody else."""
        return list(self.steps[: self.seen])
