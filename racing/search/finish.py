"""The finalists, the best of the elites, race on without challengers."""

from __future__ import annotations

from collections.abc import Sequence

from racing.search.decision import displaced, retired
from racing.search.elites import best_first, inferior
from racing.search.phase import Desk
from racing.search.scores import block_scores
from racing.search.tasks import Batch
from racing.stop import Stop


class Finish:
    """The best elites meet new instances until the share of the budget is used up.

    The others leave if there is room for a row of the finalists.
    """

    def __init__(self, desk: Desk, elites: Sequence[int], instances: int) -> None:
        self._book, self._ledger, self._rules = desk.book, desk.ledger, desk.rules
        self._decided = desk.decided
        self.elites, self.instances = list(elites), instances
        self._steps = range(0)
        self._batch = Batch()
        self.over = False
        self.why: Stop | None = None
        self._cut(self._rules.settings.finalists)
        self._next()
        self._go_on()

    def _cut(self, finalists: int) -> None:
        """Let all but the best leave, unless nothing can be run any more."""
        if len(self.elites) <= finalists or self._ledger.room < finalists:
            return
        if self.instances >= self._rules.limit:
            return
        costs = self._book.costs(self.elites, range(self.instances))
        scores = block_scores(costs, self._rules.objective)
        self._decided(displaced(self.elites, scores, finalists))
        self.elites = self.elites[:finalists]

    def hear(self, candidate: int) -> None:
        """Go on when all that was wanted is there."""
        self._go_on()

    def _go_on(self) -> None:
        """Judge while nothing is missing; all may have run when the elites were challengers."""
        while not self.over and self._batch.complete:
            self._close()

    def _next(self) -> None:
        """Want instances for the finalists, as many as there is room for, or end."""
        room = self._ledger.room // len(self.elites)
        rows = int(min(room, self._rules.limit - self.instances))
        if rows < 1 or len(self.elites) == 1:
            self.over = True
            if room < 1:
                self.why = self._ledger.refusal(len(self.elites))
            elif rows < 1:
                self.why = self._rules.end_of_instances
            return
        # All at once: whenever they are judged, every worker waits for the last.
        self._steps = range(self.instances, self.instances + rows)
        self._pairs = self._book.untold(self.elites, self._steps)
        self._batch = self._book.want_pairs(self._pairs)

    def _close(self) -> None:
        """Judge the elites on all that they have seen."""
        outcomes = [self._book.told[pair] for pair in self._pairs]
        self.why = self._ledger.charge(outcomes, self._steps.stop)
        if self.why is not None:
            self.over = True
            return
        self.instances = self._steps.stop
        costs = self._book.costs(self.elites, range(self.instances))
        order = best_first(costs, self._rules.objective)
        ids, costs = [self.elites[int(i)] for i in order], costs[:, order]
        settings, objective = self._rules.settings, self._rules.objective
        gone = inferior(costs, objective, retire=settings.retire, prior=settings.prior)
        if gone:
            self._decided(retired(ids, block_scores(costs, objective), gone, settings.retire))
        self.elites = [id for column, id in enumerate(ids) if column not in gone]
        self._next()
