"""What a race of iterated racing goes by."""

from __future__ import annotations

from dataclasses import dataclass

from racing.rules.rule import Rule
from racing.search.iterated.capping import Capping
from racing.search.iterated.order import RaceOrder


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a race of iterated racing goes by.

    Attributes
    ----------
    number
        Which race it is, from 1; keys the draws of the rule.
    evaluations
        B_j: how many it may spend.
    order
        Of the instances.
    rule
        Drops configurations.
    first_test, each_test
        When there is a test.
    survivors
        The race ends when no more are left, and leaves no more.
    idle
        It ends after so many tests in a row that drop nobody; 0 for no limit.
    capping
        Bounds runs, and drops who is dominated; None where costs are no running times.
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
        """Whether there is a test after so many instances."""
        return rows >= self.first_test and rows % self.each_test == 0
