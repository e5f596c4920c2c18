"""The finish: the best elites race on without challengers."""

from __future__ import annotations

from collections.abc import Sequence

from racing.search.elites import displaced, without_inferior
from racing.search.phase import Phase, SearchContext


class Finish(Phase):
    """The best elites meet new instances until the share of the budget is used up.

    The others are dropped if the budget covers a row of the finalists.
    """

    name = "finish"

    def __init__(self, context: SearchContext, elites: Sequence[int], instances: int) -> None:
        super().__init__(context, list(elites), instances)
        most, left = self._settings.finalists, instances < self._context.limit
        if len(elites) > most and self._account.room >= most and left:
            self._decided(displaced(elites, self._block(elites, self.steps), most))
            self.elites = self.elites[:most]
        self._next()
        self.update()  # elites may have run the instances as challengers

    def _next(self) -> None:
        """Queue as many instances for the finalists as the budget covers, or end."""
        room = self._account.room // len(self.elites)
        rows = int(min(room, self._context.limit - self.instances))
        self.over = rows < 1 or len(self.elites) == 1
        if not self.over:
            # All at once: at each ranking, every worker waits for the last run.
            self._new = range(self.instances, self.instances + rows)
            self._want(self._trials.missing(self.elites, self._new))
        elif room < 1:
            self.why = self._account.refusal(len(self.elites))
        elif rows < 1:
            self.why = self._context.end_of_instances

    def _close(self) -> None:
        """Rank the elites on all that they have seen; drop those that are probably not the best."""
        if self._charged(self._new.stop):
            self.instances = self._new.stop
            self.elites, _, verdict = without_inferior(
                self.elites, self._block(self.elites, self.steps), self._settings
            )
            if verdict is not None:
                self._decided(verdict)
            self._next()
