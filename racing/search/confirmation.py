"""The winner and the default (or another baseline) on instances that chose nobody."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.candidate import Candidate
from racing.search.gain import Gain, gain
from racing.search.phase import Desk
from racing.search.settings import LEAST_CONFIRMED
from racing.search.tasks import Batch
from racing.stop import Stop

Floats = NDArray[np.float64]


class Confirmation:
    """The winner and the baseline on instances that chose nobody.

    Attributes
    ----------
    skipped
        Why there is none; empty if there is one.
    """

    def __init__(
        self, desk: Desk, elites: Sequence[int], instances: int, baseline: Candidate | None
    ) -> None:
        self._book, self._ledger, self._limit = desk.book, desk.ledger, desk.rules.limit
        self.elites, self.instances = elites, instances
        self._winner, self._baseline = elites[0], baseline.id if baseline else None
        self.fresh = range(instances, instances)
        self._batch = Batch()
        self._pairs: list[tuple[int, int]] = []
        self.why: Stop | None = None
        self.skipped = self._reason()
        self.over = bool(self.skipped)
        if not self.over:
            self._want()

    def hear(self, candidate: int) -> None:
        """End when all pairs are there."""
        if not self.over and self._batch.complete:
            told = self._book.told
            self.why = self._ledger.charge([told[key] for key in self._pairs], self.fresh.stop)
            self.over = True

    def gain(self) -> Gain | None:
        """The winner's gain over the baseline, from all that is there; None if nothing is."""
        if self._baseline is None or self._baseline == self._winner:
            return None
        fresh, known = self._both_on(self.fresh), self._both_on(range(self.instances))
        return gain(fresh, known) if len(fresh) else None

    def _both_on(self, steps: range) -> Floats:
        """(n, 2) costs of winner and default where both ran."""
        assert self._baseline is not None
        told, pair = self._book.told, (self._winner, self._baseline)
        both = [step for step in steps if all((id, step) in told for id in pair)]
        return np.array([[told[id, step].cost for id in pair] for step in both]).reshape(-1, 2)

    def _reason(self) -> str:
        """Why the winner cannot be compared."""
        if self._baseline is None:
            return "there is no default or known configuration to compare with"
        if self._baseline == self._winner:
            return "the winner is what it would be compared with"
        if self._limit <= self.instances:
            return "there are no instances left that chose nobody"
        if self._ledger.room < LEAST_CONFIRMED:
            return f"the budget has not {LEAST_CONFIRMED} evaluations left for it"
        return ""

    def _want(self) -> None:
        """Pairs on fresh instances; with a third of the evaluations the baseline on known ones."""
        assert self._baseline is not None
        told, room = self._book.told, self._ledger.room
        unseen = [step for step in range(self.instances) if (self._baseline, step) not in told]
        extra = unseen[: room // 3]
        pairs = int(min((room - len(extra)) // 2, self._limit - self.instances))
        self.fresh = range(self.instances, self.instances + pairs)
        self._pairs = self._book.untold([self._winner, self._baseline], self.fresh)
        self._pairs += [(self._baseline, step) for step in extra]
        self._batch = self._book.want_pairs(self._pairs)
