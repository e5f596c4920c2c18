"""A plain race in place of a search, where there is too little to spend or to choose from."""

from __future__ import annotations

import math

from racing.budget import Budget
from racing.candidate import Candidate
from racing.race.race import Race
from racing.race.stop import Stop
from racing.search.coding import Draw
from racing.search.phase import Desk
from racing.search.tasks import Batch

LEAST = 60
"""Evaluations below which a search is no better than racing random configurations."""

_EACH = 6
"""Evaluations for each random configuration of a plain race."""


def race_size(evaluations: int) -> int:
    """How many configurations to race with so few evaluations."""
    return max(evaluations // _EACH, 2)


def too_little(budget: Budget) -> bool:
    """Whether a budget is too small for a search."""
    return budget.evaluations is not None and budget.evaluations < LEAST


class Plain:
    """All candidates in one race."""

    def __init__(self, desk: Desk, draws: list[Draw]) -> None:
        self._desk = desk
        for draw in draws:
            id = len(desk.book.candidates) + 1
            desk.book.enter(Candidate(id, draw.values, name=draw.name), draw.point)
        self._race = Race(
            list(desk.book.candidates.values()),
            desk.book.instances,
            budget=desk.ledger.open_to,
            seed=desk.book.seed,
            objective=desk.rules.objective,
            first_test=min(5, max(int(min(desk.rules.limit, 5)), 1)),
        )
        self._batch = Batch()
        self._told: set[tuple[int, int]] = set()
        self._verdicts = 0
        self.elites: list[int] = []
        self.instances = 0
        self.over = False
        self.why: Stop | None = None
        self._go_on()

    def hear(self, candidate: int) -> None:
        """Tell the race, and line up what it asks for."""
        for outcome in self._desk.book.outcomes_of(candidate):
            if outcome.key not in self._told:
                self._told.add(outcome.key)
                self._race.tell(outcome)
        self._go_on()

    def _go_on(self) -> None:
        race, desk = self._race, self._desk
        for verdict in race.verdicts[self._verdicts :]:
            desk.decided(verdict)
        self._verdicts = len(race.verdicts)
        desk.ledger.spent = race.spent
        self.instances = race.instances_seen
        self.elites = [standing.candidate.id for standing in race.ranking()]
        if race.done:
            self.over = True
            self.why = None if race.stopped is Stop.SURVIVORS else race.stopped
            return
        for experiment in race.ask():
            desk.book.queue.want(experiment, self._batch, 0)


def enumerable(size: float, most: int) -> bool:
    """Whether all configurations can be raced."""
    return math.isfinite(size) and size <= most
