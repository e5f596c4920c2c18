"""In which order the race of an iteration meets instances."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RaceOrder:
    """The steps of a race: some new ones, then those that the elites have seen, then further ones.

    So a configuration is judged on new instances too before the race comes to those that have
    chosen the elites (López-Ibáñez et al., 2016, section 3.3).

    Attributes
    ----------
    past
        The steps that the elites have seen, in the order in which they are met here.
    new
        How many new ones come first.
    first
        The first step that nobody has seen.
    """

    past: tuple[int, ...] = ()
    new: int = 0
    first: int = 0

    def step(self, row: int) -> int:
        """The step that is met as the `row`-th, from 0."""
        if row < self.new:
            return self.first + row
        if row < self.safe:
            return self.past[row - self.new]
        return self.first + row - len(self.past)

    def steps(self, rows: int) -> list[int]:
        """The first steps that are met."""
        return [self.step(row) for row in range(rows)]

    @property
    def safe(self) -> int:
        """After so many rows everybody has seen what the elites have seen."""
        return self.new + len(self.past)

    def limit(self, end: float) -> float:
        """How many rows there are if the stream of instances ends at a step."""
        return len(self.past) + max(end - self.first, 0)
