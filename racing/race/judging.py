"""When a race applies its rule, and how it applies the verdict."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Any

from racing.base.errors import RaceError
from racing.base.records.leaves import Leaf, Refused
from racing.base.units import PERCENT_PATTERN, percent
from racing.core.objective import Objective, standing
from racing.core.results import Results
from racing.core.verdict import Verdict


def _distance(value: Any) -> int | str:
    if isinstance(value, str) and percent(value) is not None:
        return value
    number = value.__index__() if hasattr(value, "__index__") else 0
    if isinstance(value, bool) or number < 1:
        raise Refused
    return int(number)


DISTANCE = Leaf(
    "a whole number, 1 or more, or a growth from 1% to 999%, such as 25%",
    _distance,
    {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": PERCENT_PATTERN}]},
)
"""The distance between two tests, in instances."""


@dataclass(frozen=True)
class Schedule:
    """When the rule tests: after `first_test` instances, then after every `each_test`.

    `each_test` is a number of instances, or a growth such as "25%": the test after n instances is
    then followed by one after n · 1.25, rounded down, and at least one more.
    """

    first_test: int = 5
    each_test: int | str = 1

    def due(self, instances: int) -> bool:
        """Whether a test comes after this many instances."""
        return instances >= self.first_test and self._last(instances) == instances

    def rows_until_test(self, instances: int, least: int = 0) -> int:
        """The number of further rows up to the next test, when this many are complete.

        Tests after fewer than `least` instances do not count.
        """
        if least - 1 > instances:
            return least - 1 - instances + self.rows_until_test(least - 1)
        if instances < self.first_test:
            return self.first_test - instances
        return self._next(self._last(instances)) - instances

    def since(self, instances: int) -> int:
        """The number of these instances since the test before."""
        return instances if instances <= self.first_test else instances - self._last(instances - 1)

    def _last(self, instances: int) -> int:
        """The number of instances at the last test, `first_test` or more."""
        if isinstance(self.each_test, int):
            return instances - (instances - self.first_test) % self.each_test
        look = self.first_test
        while (after := self._next(look)) <= instances:
            look = after
        return look

    def _next(self, look: int) -> int:
        """The number of instances at the test after the one at this number."""
        if isinstance(self.each_test, int):
            return look + self.each_test
        growth = percent(self.each_test) or 0
        return max(look * (100 + growth) // 100, look + 1)


def apply_verdict(
    verdict: Verdict,
    results: Results,
    *,
    objective: Objective,
    protected: Set[int],
    at_least: int,
    about: tuple[int, ...] | None = None,
    steps: tuple[int, ...] | None = None,
) -> Verdict:
    """The verdict without protected ids, and without the best of the rest if too few stay.

    Eliminations are sorted, the worst first, and the verdict gets its `about` and `steps` (see
    `Verdict`).

    Raises
    ------
    RaceError
        If the rule dropped a candidate that is not in the race.
    """
    if not verdict.eliminated:
        return replace(verdict, about=about, steps=steps)
    place = {
        results.id(int(survivor)): place
        for place, survivor in enumerate(standing(results, objective))
    }
    strangers = [e.candidate for e in verdict.eliminated if e.candidate not in place]
    if strangers:
        raise RaceError(f"the rule dropped {strangers}, which are not in the race")
    out = [e for e in verdict.eliminated if e.candidate not in protected]
    out.sort(key=lambda e: -place[e.candidate])
    kept = tuple(out[: max(len(place) - at_least, 0)])
    return replace(verdict, eliminated=kept, about=about, steps=steps)
