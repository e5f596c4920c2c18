"""How many evaluations the time that is left is expected to cover."""

from __future__ import annotations

import math
from collections.abc import Iterable

from racing.budget import Budget, Spent
from racing.experiment import Outcome


class Pace:
    """Measured durations, by candidate: those who are left can be slower than those who were."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._runs: dict[int, int] = {}

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Note what these took."""
        for outcome in outcomes:
            one = outcome.candidate
            self._seconds[one] = self._seconds.get(one, 0.0) + outcome.seconds
            self._runs[one] = self._runs.get(one, 0) + 1

    def evaluations_left(self, survivors: Iterable[int], budget: Budget, spent: Spent) -> float:
        """How many evaluations of the survivors fit into the rest of the limits of time.

        Seconds on the clock are taken to be in proportion to those of the target, as they were so
        far. Returns inf without such a limit, or while nothing was measured.
        """
        left = budget.left(spent)
        everybody = self._mean(self._runs)
        if math.isinf(min(left.target_time, left.wall_time)) or everybody == 0:
            return math.inf
        each = self._mean(survivors) or everybody
        on_the_clock = each * spent.wall_time / max(spent.target_time, 1e-9)
        by_clock = left.wall_time / on_the_clock if on_the_clock > 0 else math.inf
        return min(left.target_time / each, by_clock)

    def _mean(self, candidates: Iterable[int]) -> float:
        known = [one for one in candidates if one in self._runs]
        runs = sum(self._runs[one] for one in known)
        return math.fsum(self._seconds[one] for one in known) / runs if runs else 0.0
