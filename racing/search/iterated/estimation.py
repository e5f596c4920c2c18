"""Measures how long an evaluation takes, if only time is limited."""

from __future__ import annotations

from collections.abc import Sequence

from racing.race.limits import hopeless
from racing.search.coding import Draw
from racing.search.elites import ranked
from racing.search.phase import Phase, SearchContext

_FIRST = 2
"""Configurations to begin with."""


class Estimation(Phase):
    """Runs some configurations on the first instances, until a share of the time is used.

    Two at first, then once as many more as the share allows. They take part in the first race, with
    their outcomes.

    Parameters
    ----------
    instances
        The number that each of them meets.
    share
        Of the budget.
    most
        The most configurations in all.
    """

    name = "estimation"

    def __init__(self, context: SearchContext, *, instances: int, share: float, most: int) -> None:
        super().__init__(context)
        self._due = range(int(min(instances, self._constants.limit)))
        self._share, self._most, self._more = share, most, True
        self.ids: list[int] = []
        drawn = context.design.given[:most]
        self._enter([*drawn, *context.design.take(_FIRST - len(drawn))])

    def _enter(self, draws: Sequence[Draw]) -> None:
        self._under_way = [self._trials.enter(draw) for draw in draws]
        self._want((id, row) for row in self._due for id in self._under_way)

    def _close(self) -> None:
        """Charge the outcomes, rank all so far, and run more once."""
        further = 0
        if self._charged(len(self._due)):
            self.ids += self._under_way
            self.elites, _ = ranked(self.ids, self._block(self.ids, self._due))
            self.instances = len(self._due)
            if not any(one.succeeded for one in self._trials.outcomes(self.ids, self._due)):
                self.why = hopeless(self._outcomes, tested=True)
            if self.why is None and self._more:
                fits = int(self._share * self._account.evaluations) // len(self._due)
                further = max(min(fits, self._most) - len(self.ids), 0)
        self._more = False
        if draws := self._context.design.take(further):
            self._enter(draws)
        else:
            self.over = True
