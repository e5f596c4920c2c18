"""The options of the race of an iteration, and the order of its instances."""

from __future__ import annotations

from dataclasses import dataclass

from racing.rules.rule import Rule
from racing.search.iterated.capping import Capping


@dataclass(frozen=True)
class RaceOrder:
    """The steps of a race: some new ones, then those that the elites have seen, then further ones.

    So a configuration is tested on new instances before those by which the elites were chosen
    (López-Ibáñez et al., 2016, section 3.3).

    Attributes
    ----------
    past
        The steps that the elites have seen, in the order in which they are met here.
    new
        The number of new ones at the start.
    first
        The first step that no configuration has seen.
    """

    past: tuple[int, ...] = ()
    new: int = 0
    first: int = 0

    def step(self, row: int) -> int:
        """The step of the `row`-th instance, from 0."""
        if row < self.new:
            return self.first + row
        if row < self.safe:
            return self.past[row - self.new]
        return self.first + row - len(self.past)

    def steps(self, rows: int) -> list[int]:
        """The steps of the first `rows` instances."""
        return [self.step(row) for row in range(rows)]

    @property
    def safe(self) -> int:
        """The number of rows after which all configurations have met the elites' instances."""
        return self.new + len(self.past)

    def limit(self, end: float) -> float:
        """The number of rows if the stream of instances ends at a step."""
        return len(self.past) + max(end - self.first, 0)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The options of one race.

    Attributes
    ----------
    number
        The number of the race, from 1; a key of the rule's draws.
    evaluations
        B_j: the most that it may use.
    order
        Of the instances.
    rule
        Drops configurations.
    first_test, each_test
        When there is a test.
    survivors
        The race ends when no more than these are left, and returns at most these.
    idle
        The race ends after so many tests in a row that drop none; 0 for no limit.
    capping
        Bounds runs, and drops dominated ones; None if costs are not running times.
    """

    number: int
    evaluations: int
    order: RaceOrder
    rule: Rule
    first_test: int
    each_test: int
    survivors: int
    idle: int = 0
    capping: Capping | None = None

    def due(self, rows: int) -> bool:
        """Whether a test comes after so many instances."""
        return rows >= self.first_test and rows % self.each_test == 0
