"""The best configuration found and the default on instances that chose nobody: who wins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.candidate import Candidate
from racing.search.decision import reversed_by
from racing.search.elites import best_first
from racing.search.gain import Gain, gain
from racing.search.phase import Desk
from racing.search.scores import block_scores
from racing.search.settings import LEAST_CONFIRMED
from racing.search.tasks import Batch
from racing.stop import Stop

Floats = NDArray[np.float64]


class Confirmation:
    """The best configuration found meets the baseline, the default as a rule, on fresh instances.

    The baseline may be one of the elites; the best of the others is then what was found. Both are
    settled before the first fresh instance, so the gain measured there is not biased by a choice.
    Then the better of the two wins, by all instances that both have met: the fresh ones and those
    before. If that is not the elite that was ahead, it alone is left.

    Parameters
    ----------
    elites
        Ids, the best first.
    instances
        The first step that chose nobody.
    met
        The steps that all elites have met; by default all before that.

    Attributes
    ----------
    elites
        Ids, the winner first.
    racing, raced, met
        The elites as they were when this part began, the first fresh step, and the steps that they
        had met: an extension goes on from these.
    instances
        How many instances were met, up to the last that all of `elites` have met; of a winner that
        was behind, how many it shares with the other.
    steps
        Which ones.
    found
        Id of what was held to the baseline; None if there is nothing to compare.
    skipped
        Why there is no confirmation; empty if there is one.
    """

    def __init__(
        self,
        desk: Desk,
        elites: Sequence[int],
        instances: int,
        baseline: Candidate | None,
        *,
        met: Sequence[int] | None = None,
    ) -> None:
        self._book, self._ledger, self._rules = desk.book, desk.ledger, desk.rules
        self._decided = desk.decided
        self.elites: Sequence[int] = elites
        self.racing, self.raced = tuple(elites), instances
        self.met = tuple(range(instances) if met is None else met)
        self.instances, self.steps = instances, self.met
        self._baseline = baseline.id if baseline else None
        self.found = next((id for id in elites if id != self._baseline), None)
        self.fresh = range(instances, instances)
        self._batch = Batch()
        self._pairs: list[tuple[int, int]] = []
        self.why: Stop | None = None
        self.skipped = self._reason()
        self.over = bool(self.skipped)
        if not self.over:
            self._want()
            self._go_on()

    def hear(self, candidate: int) -> None:
        """Choose the winner and end when all pairs are there."""
        self._go_on()

    def _go_on(self) -> None:
        if not self.over and self._batch.complete:
            told = self._book.told
            self.why = self._ledger.charge([told[key] for key in self._pairs], self.fresh.stop)
            if self.why is None:
                self._choose()
            self.over = True

    def gain(self) -> Gain | None:
        """What was found against the baseline, from all that is there; None if nothing is."""
        if self.skipped or self.found is None:
            return None
        fresh, known = self._shared(self.fresh), self._shared(range(self.raced))
        if not fresh:
            return None
        problems = [self._book.instance(step).number for step in fresh]
        return gain(self._costs(fresh), self._costs(known), problems=problems)

    def _choose(self) -> None:
        """The better of the two wins, by all that both have met."""
        assert self.found is not None
        assert self._baseline is not None
        steps = self._shared(range(self.fresh.stop))
        costs, objective = self._costs(steps), self._rules.objective
        ahead = (self.found, self._baseline)[int(best_first(costs, objective)[0])]
        if ahead == self.elites[0]:
            return
        behind = float(np.diff(block_scores(costs, objective).mean(axis=0))[0])
        lost = [id for id in reversed(self.elites) if id != ahead]
        self._decided(reversed_by(ahead, lost, abs(behind), steps))
        self.elites, self.instances, self.steps = (ahead,), len(steps), tuple(steps)

    def _shared(self, steps: range) -> list[int]:
        """Those of these steps that both have met."""
        told, pair = self._book.told, (self.found, self._baseline)
        return [step for step in steps if all((id, step) in told for id in pair)]

    def _costs(self, steps: Sequence[int]) -> Floats:
        """(n, 2) costs of what was found and of the baseline."""
        told, pair = self._book.told, (self.found, self._baseline)
        return np.array([[told[id, s].cost for id in pair] for s in steps]).reshape(-1, 2)  # type: ignore[index]

    def _reason(self) -> str:
        """Why the winner cannot be compared."""
        if self._baseline is None:
            return "there is no default or known configuration to compare with"
        if self.found is None:
            return "the winner is what it would be compared with"
        if self._rules.limit <= self.raced:
            return "there are no instances left that chose nobody"
        if self._ledger.room < LEAST_CONFIRMED:
            return f"the budget has not {LEAST_CONFIRMED} evaluations left for it"
        return ""

    def _want(self) -> None:
        """Pairs on fresh instances; with a third of the evaluations the baseline on known ones."""
        assert self._baseline is not None
        assert self.found is not None
        told, room = self._book.told, self._ledger.room
        unseen = [step for step in range(self.raced) if (self._baseline, step) not in told]
        extra = unseen[: room // 3]
        pairs = int(min((room - len(extra)) // 2, self._rules.limit - self.raced))
        self.fresh = range(self.raced, self.raced + pairs)
        self._pairs = self._book.untold([self.found, self._baseline], self.fresh)
        self._pairs += [(self._baseline, step) for step in extra]
        self._batch = self._book.want_pairs(self._pairs)
