"""The end of a search: the elites race on, and the winner is held to the default."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.race.stop import Stop
from racing.search.book import Book
from racing.search.confirm import Gain, gain
from racing.search.decision import retired
from racing.search.elites import best_first, inferior
from racing.search.ledger import Ledger
from racing.search.rules import Rules
from racing.search.running import Decided
from racing.search.scores import block_scores
from racing.search.tasks import Batch


Floats = NDArray[np.float64]


class Finish:
    """The elites meet new instances until one is left or the share of the budget is used up."""

    def __init__(
        self,
        book: Book,
        ledger: Ledger,
        rules: Rules,
        elites: Sequence[int],
        instances: int,
        decided: Decided,
    ) -> None:
        self._book, self._ledger, self._rules, self._decided = book, ledger, rules, decided
        self.elites, self.instances = list(elites), instances
        self._steps = range(0)
        self._batch = Batch()
        self.over = False
        self.why: Stop | None = None
        self._next()

    def hear(self, candidate: int) -> None:
        """Go on when all that was wanted is there."""
        while not self.over and self._batch.complete:
            self._close()

    def _next(self) -> None:
        """Want some instances for the elites, or end."""
        room = self._ledger.room // len(self.elites)
        rows = int(min(room, self._rules.limit - self.instances))
        if rows < 1 or len(self.elites) == 1:
            self.over = True
            return
        chunk = max(rows // 4, 1)
        self._steps = range(self.instances, self.instances + chunk)
        self._batch = self._book.want(self.elites, self._steps)

    def _close(self) -> None:
        """Judge the elites on all that they have seen."""
        outcomes = self._book.outcomes(self.elites, self._steps)
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


class Confirmation:
    """The winner and the default on instances that chose nobody.

    Attributes
    ----------
    skipped
        Why there is none; empty if there is one.
    """

    def __init__(
        self,
        book: Book,
        ledger: Ledger,
        winner: int,
        default: int | None,
        *,
        seen: int,
        limit: float,
    ) -> None:
        self._book, self._ledger = book, ledger
        self._winner, self._default, self._seen = winner, default, seen
        self.fresh = range(seen, seen)
        self._batch = Batch()
        self._ids: list[tuple[int, int]] = []
        self.why: Stop | None = None
        self.skipped = self._reason(limit)
        self.over = bool(self.skipped)
        if not self.over:
            self._want(limit)

    def hear(self, candidate: int) -> None:
        """End when all pairs are there."""
        if not self.over and self._batch.complete:
            told = self._book.told
            self.why = self._ledger.charge([told[key] for key in self._ids], self.fresh.stop)
            self.over = True

    def gain(self) -> Gain | None:
        """The winner's gain over the default, from all that is there; None if nothing is."""
        if self._default is None or self._default == self._winner:
            return None
        fresh, known = self._both_on(self.fresh), self._both_on(range(self._seen))
        return gain(fresh, known) if len(fresh) else None

    def _both_on(self, steps: range) -> Floats:
        """(n, 2) costs of winner and default where both ran."""
        assert self._default is not None
        told, pair = self._book.told, (self._winner, self._default)
        both = [step for step in steps if all((id, step) in told for id in pair)]
        return np.array([[told[id, step].cost for id in pair] for step in both]).reshape(-1, 2)

    def _reason(self, limit: float) -> str:
        """Why the winner cannot be held to the default."""
        if self._default is None:
            return "the space has no default to compare with"
        if self._default == self._winner:
            return "the winner is the default"
        if limit <= self._seen:
            return "there are no instances left that chose nobody"
        if self._ledger.room < 2:
            return "the budget is used up"
        return ""

    def _want(self, limit: float) -> None:
        """Pairs on fresh instances; with a third of the evaluations the default on known ones."""
        assert self._default is not None
        told, room = self._book.told, self._ledger.room
        unseen = [step for step in range(self._seen) if (self._default, step) not in told]
        extra = unseen[: room // 3]
        pairs = int(min((room - len(extra)) // 2, limit - self._seen))
        self.fresh = range(self._seen, self._seen + pairs)
        both = [self._winner, self._default]
        self._ids = [(id, step) for step in self.fresh for id in both]
        self._ids += [(self._default, step) for step in extra]
        self._batch = self._book.want_pairs(self._ids)
