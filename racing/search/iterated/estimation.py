"""Measures how long an evaluation takes, if only time is limited."""

from __future__ import annotations

from racing.core.stop import Stop
from racing.race.limits import hopeless
from racing.search.coding import Draw
from racing.search.elites import ranked
from racing.search.phase import SearchContext

_FIRST = 2
"""Configurations to begin with."""


class Estimation:
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
        self._context = context
        self._steps = range(int(min(instances, context.constants.limit)))
        self._share, self._most = share, most
        self.ids: list[int] = []
        self.elites: list[int] = []
        self.instances = 0
        self.over = False
        self.why: Stop | None = None
        self._more = True
        drawn = context.design.given[:most]
        self._want([*drawn, *context.design.take(_FIRST - len(drawn))])

    @property
    def steps(self) -> list[int]:
        """The steps that its configurations have met."""
        return list(range(self.instances))

    def update(self, candidate: int) -> None:
        """Charge the queued outcomes when all have arrived."""
        while not self.over and self._batch.complete:
            self._close()

    def _want(self, draws: list[Draw]) -> None:
        trials = self._context.trials
        self._under_way = [trials.enter(draw) for draw in draws]
        self._batch = trials.want(self._under_way, self._steps)

    def _close(self) -> None:
        """Charge the outcomes, and run more once."""
        trials, account = self._context.trials, self._context.account
        outcomes = trials.outcomes(self._under_way, self._steps)
        self.why = account.charge(outcomes, len(self._steps))
        if self.why is None:
            self.ids += self._under_way
            self._rank()
            if not any(o.succeeded for o in outcomes) and not self._any_success:
                self.why = hopeless(outcomes, tested=True)
        further = 0 if self.why is not None or not self._more else self._further()
        self._more = False
        draws = self._context.design.take(further)
        if draws:
            self._want(draws)
        else:
            self.over = True

    @property
    def _any_success(self) -> bool:
        outcomes = self._context.trials.outcomes(self.ids, self._steps)
        return any(outcome.succeeded for outcome in outcomes)

    def _further(self) -> int:
        """The number of further configurations that the share of the time allows."""
        allowed = self._share * self._context.account.evaluations
        fits = int(allowed) // len(self._steps)
        return max(min(fits, self._most) - len(self.ids), 0)

    def _rank(self) -> None:
        context, objective = self._context, self._context.constants.objective
        self.elites, _ = ranked(self.ids, context.trials.block(self.ids, self._steps, objective))
        self.instances = len(self._steps)
