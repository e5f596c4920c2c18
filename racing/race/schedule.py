"""When tests are due."""

from __future__ import annotations

from dataclasses import dataclass


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
