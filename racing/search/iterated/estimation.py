"""How long an evaluation takes, where only time is limited."""

from __future__ import annotations

import math

import numpy as np

from racing.race.limits import hopeless
from racing.search.coding import Draw
from racing.search.design import Design
from racing.search.elites import best_first
from racing.search.phase import Desk
from racing.stop import Stop

_FIRST = 2
"""Configurations to begin with."""


class Estimation:
    """Some configurations on the first instances, until a share of the time is used.

    Two to begin with, then once more as many as the share allows for. They take part in the first
    race, with the outcomes that they have.

    Parameters
    ----------
    instances
        How many each of them meets.
    share
        Of the budget.
    most
        Configurations in all, at most.
    """

    def __init__(
        self, desk: Desk, design: Design, *, instances: int, share: float, most: int
    ) -> None:
        self._desk, self._design = desk, design
        self._steps = range(int(min(instances, desk.rules.limit)))
        self._share, self._most = share, most
        self.ids: list[int] = []
        self.elites: list[int] = []
        self.instances = 0
        self.over = False
        self.why: Stop | None = None
        self._more = True
        drawn = design.given[:most]
        self._want([*drawn, *design.take(_FIRST - len(drawn))])

    @property
    def steps(self) -> list[int]:
        """The steps that its configurations have met."""
        return list(range(self.instances))

    def hear(self, candidate: int) -> None:
        """Go on when all that was wanted is there."""
        while not self.over and self._batch.complete:
            self._close()

    def _want(self, draws: list[Draw]) -> None:
        book = self._desk.book
        self._under_way = [book.enter(draw) for draw in draws]
        self._batch = book.want(self._under_way, self._steps)

    def _close(self) -> None:
        """Charge what was run, and run more once."""
        book, ledger = self._desk.book, self._desk.ledger
        outcomes = book.outcomes(self._under_way, self._steps)
        self.why = ledger.charge(outcomes, len(self._steps))
        if self.why is None:
            self.ids += self._under_way
            self._rank()
            if not any(math.isfinite(o.cost) for o in outcomes) and not self._any_success:
                self.why = hopeless(outcomes, tested=True)
        further = 0 if self.why is not None or not self._more else self._further()
        self._more = False
        draws = self._design.take(further)
        if draws:
            self._want(draws)
        else:
            self.over = True

    @property
    def _any_success(self) -> bool:
        costs = self._desk.book.costs(self.ids, self._steps)
        return bool(np.isfinite(costs).any())

    def _further(self) -> int:
        """How many more the share of the time allows for."""
        allowed = self._share * self._desk.ledger.evaluations
        fits = int(allowed) // len(self._steps)
        return max(min(fits, self._most) - len(self.ids), 0)

    def _rank(self) -> None:
        costs = self._desk.book.costs(self.ids, self._steps)
        order = best_first(costs, self._desk.rules.objective)
        self.elites = [self.ids[int(i)] for i in order]
        self.instances = len(self._steps)
