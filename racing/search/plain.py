"""A plain race in place of a search, where there is too little to spend or to choose from."""

from __future__ import annotations

from racing.budget import Budget
from racing.race.race import Race
from racing.search.coding import Draw
from racing.search.phase import Desk
from racing.search.tasks import Batch
from racing.stop import Stop

LEAST = 60
"""Evaluations below which a search is no better than racing random configurations."""

_EACH = 6
"""Evaluations for each random configuration of a plain race."""


def race_size(budget: Budget) -> int:
    """How many configurations to race with so few evaluations."""
    return max((budget.evaluations or 0) // _EACH, 2)


def race_instead(budget: Budget, configurations: float, initial: int) -> str:
    """Why to race in place of a search, with {n} for the number of candidates; empty if not to.

    Parameters
    ----------
    configurations
        How many the space has.
    initial
        With how many a search would begin.
    """
    if configurations <= initial:
        return "the space has no more than {n} configurations: all of them are raced"
    if budget.evaluations is not None and budget.evaluations < LEAST:
        return (
            f"{budget.evaluations} evaluations are too few for a search, which needs {LEAST}: "
            "{n} configurations are raced"
        )
    return ""


class Plain:
    """All candidates in one race."""

    def __init__(self, desk: Desk, draws: list[Draw]) -> None:
        self._desk = desk
        for draw in draws:
            desk.book.enter(draw)
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
            self.why = race.stopped
            return
        for experiment in race.ask():
            desk.book.queue.want(experiment, self._batch, 0)
