"""Evaluations as every contender gets them: counted, and timed."""

from __future__ import annotations

import time

from benchmarks.search_live.targets import Target
from racing.space import Configuration


class Meter:
    """Evaluates a target on its training instances.

    Attributes
    ----------
    evaluations
        How many there were.
    wall, processor
        Seconds that they took: on the clock, and of this process.
    """

    def __init__(self, target: Target, budget: int) -> None:
        self.target, self.budget = target, budget
        self.evaluations = 0
        self.wall = self.processor = 0.0

    @property
    def left(self) -> int:
        """How many evaluations are left."""
        return self.budget - self.evaluations

    def __call__(self, values: Configuration, place: int, seed: int) -> float:
        """The cost on a training instance by its place, from 0."""
        wall, processor = time.perf_counter(), time.process_time()
        cost = self.target.cost(values, self.target.train[place], seed)
        self.evaluations += 1
        self.wall += time.perf_counter() - wall
        self.processor += time.process_time() - processor
        return cost
