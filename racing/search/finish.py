"""The finish: the best elites race on without challengers."""

from __future__ import annotations

from collections.abc import Sequence

from racing.core.stop import Stop
from racing.search.block import Block
from racing.search.elites import displaced, without_inferior
from racing.search.phase import SearchContext
from racing.search.tasks import Batch


class Finish:
    """The best elites meet new instances until the share of the budget is used up.

    The others are dropped if the budget covers a row of the finalists.
    """

    name = "finish"

    def __init__(self, context: SearchContext, elites: Sequence[int], instances: int) -> None:
        self._trials, self._account = context.trials, context.account
        self._constants, self._decided = context.constants, context.decided
        self.elites, self.instances = list(elites), instances
        self._new = range(0)
        self._batch = Batch()
        self.over = False
        self.why: Stop | None = None
        self._cut(self._constants.settings.finalists)
        self._next()
        self._advance()

    def _cut(self, finalists: int) -> None:
        """Drop all but the best, unless the budget covers no further run."""
        if len(self.elites) <= finalists or self._account.room < finalists:
            return
        if self.instances >= self._constants.limit:
            return
        self._decided(displaced(self.elites, self._block(), finalists))
        self.elites = self.elites[:finalists]

    @property
    def steps(self) -> range:
        """The instances that all elites have met."""
        return range(self.instances)

    def update(self, candidate: int) -> None:
        """Rank the elites when all queued outcomes have arrived."""
        self._advance()

    def _advance(self) -> None:
        """Rank while no outcome is missing; elites may have run the instances as challengers."""
        while not self.over and self._batch.complete:
            self._close()

    def _next(self) -> None:
        """Queue as many instances for the finalists as the budget covers, or end."""
        room = self._account.room // len(self.elites)
        rows = int(min(room, self._constants.limit - self.instances))
        if rows < 1 or len(self.elites) == 1:
            self.over = True
            if room < 1:
                self.why = self._account.refusal(len(self.elites))
            elif rows < 1:
                self.why = self._constants.end_of_instances
            return
        # All at once: at each ranking, every worker waits for the last run.
        self._new = range(self.instances, self.instances + rows)
        self._pairs = self._trials.missing(self.elites, self._new)
        self._batch = self._trials.want_pairs(self._pairs)

    def _close(self) -> None:
        """Rank the elites on all that they have seen."""
        outcomes = [self._trials.recorded[pair] for pair in self._pairs]
        self.why = self._account.charge(outcomes, self._new.stop)
        if self.why is not None:
            self.over = True
            return
        self.instances = self._new.stop
        self.elites = self._without_inferior()
        self._next()

    def _without_inferior(self) -> list[int]:
        """The elites without those that are probably not the best."""
        settings = self._constants.settings
        ids, _ = without_inferior(self.elites, self._block(), settings, self._decided)
        return ids

    def _block(self) -> Block:
        return self._trials.block(self.elites, range(self.instances), self._constants.objective)
