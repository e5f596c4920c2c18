"""One challenger: its states, and the transitions from one to the next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from racing.base.seeds import Purpose, stream
from racing.core.verdict import Verdict
from racing.search.coding import Draw
from racing.search.constants import SearchConstants, rungs
from racing.search.screening import Duel, allowance, duel, screen, unaffordable
from racing.search.state import State
from racing.search.tasks import Batch
from racing.search.trials import Trials

Floats = NDArray[np.float64]


class ChallengerState(Enum):
    """The states of a challenger::

    CLIMBING ── test ──▶ CLIMBING    on to the next rung
    CLIMBING ── test ──▶ DROPPED     by the screening test
    CLIMBING ── test ──▶ HELD        the next rung exceeds what is prepaid
    CLIMBING ── test ──▶ PASSED      it was the last test
    HELD ─── resume ───▶ CLIMBING or PASSED
    any ───── refuse ──▶ DROPPED     the budget is too small for what it may need
    """

    CLIMBING = "climbing"
    """It runs on the instances of a rung, which ends with a test."""

    HELD = "held"
    """It has used up what is prepaid, and waits for room in the budget."""

    PASSED = "passed"
    """It has passed all tests, and runs on the instances that the elites met meanwhile."""

    DROPPED = "dropped"
    """It has a verdict."""


class Challenger:
    """One challenger and its state.

    Parameters
    ----------
    number
        c: the decision on it is the c-th.
    id
        Of the candidate that it is.
    state
        The state from which it was drawn, used for its tests.
    steps
        The elites' T instances in its own order, then those that the elites will have met at its
        decision.
    prepaid
        The number of instances that are reserved for it.

    Attributes
    ----------
    at
        Its state.
    tested
        Its results at each test.
    verdict
        The verdict that dropped it.
    """

    def __init__(
        self,
        number: int,
        id: int,
        draw: Draw,
        state: State,
        steps: Sequence[int],
        prepaid: int,
        constants: SearchConstants,
        trials: Trials,
    ) -> None:
        self.number, self.id, self.draw, self.state = number, id, draw, state
        self.steps, self.prepaid = list(steps), prepaid
        self.at = ChallengerState.CLIMBING
        self.tested: list[Duel] = []
        self.verdict: Verdict | None = None
        self._constants, self._trials = constants, trials
        self._ends = rungs(state.instances, constants.growth)
        self._rung = -1
        self._batch = Batch()

    # --- transitions ------------------------------------------------------------------------

    def start(self) -> None:
        """Run on the first rung."""
        self._check(self._rung < 0)
        self._climb(np.empty(0))

    def test(self) -> None:
        """Test it at the end of its rung: it is dropped, held, passes, or runs on the next rung."""
        self._check(self.testable)
        costs = self._costs()
        self.verdict = self._screen(costs)
        if self.verdict is not None:
            self.at = ChallengerState.DROPPED
        elif not self.extended and self._next_end > self.prepaid:
            self.at = ChallengerState.HELD
        else:
            self._climb(costs)

    def resume(self) -> None:
        """Run on the next rung: the budget has room for all that it may need."""
        self._check(self.at is ChallengerState.HELD)
        self._climb(self._costs())

    def refuse(self, room: int) -> None:
        """Drop it at its last prepaid test: the budget has no more room.

        Parameters
        ----------
        room
            How many evaluations fit.
        """
        self._check(bool(self.tested))
        self.tested = [standing for standing in self.tested if standing.n <= self.prepaid]
        self._rung = len(self.tested) - 1
        self.verdict = unaffordable(
            self.id, self.tested[-1], self.seen, self.state, needed=len(self.steps), room=room
        )
        self.at = ChallengerState.DROPPED

    def _check(self, possible: bool) -> None:
        """Refuse a transition that is impossible in this state."""
        if not possible:
            raise RuntimeError(f"challenger {self.number} is {self.at.value} on rung {self._rung}")

    def _climb(self, costs: Floats) -> None:
        """Queue the experiments of the next rung, after these costs."""
        self._rung += 1
        beyond = self._rung == len(self._ends)
        self.at = ChallengerState.PASSED if beyond else ChallengerState.CLIMBING
        start = self._ends[self._rung - 1] if self._rung else 0
        self._batch = self._trials.want_pairs(
            [(self.id, step) for step in self.seen[start:]],
            priority=2 * self.number + 1,
            bound=self._bound(costs),
        )

    # --- queries ----------------------------------------------------------------------------

    @property
    def complete(self) -> bool:
        """Whether all outcomes that it waits for have arrived."""
        return self._batch.complete

    @property
    def testable(self) -> bool:
        """Whether it is at the end of a rung, with all outcomes."""
        return self.at is ChallengerState.CLIMBING and self.complete

    @property
    def resolved(self) -> bool:
        """Whether no further outcome is needed for its decision."""
        if self.at is ChallengerState.PASSED:
            return self.complete
        return self.at is ChallengerState.DROPPED

    @property
    def seen(self) -> list[int]:
        """The steps up to the end of the current rung."""
        return self.steps if self._rung == len(self._ends) else self.steps[: self._ends[self._rung]]

    @property
    def extended(self) -> bool:
        """Whether it is beyond its prepaid evaluations."""
        return len(self.seen) > self.prepaid

    @property
    def most(self) -> int:
        """The most evaluations that it may need in all, as far as known."""
        return len(self.seen if self.at is ChallengerState.DROPPED else self.steps)

    def has_met(self, steps: Sequence[int]) -> bool:
        """Whether it has met all of these instances; queues the missing ones."""
        self._batch = self._trials.want([self.id], steps)
        return self.complete

    @property
    def _next_end(self) -> int:
        """Where the next rung ends."""
        after = self._rung + 1
        return self._ends[after] if after < len(self._ends) else len(self.steps)

    # --- judging ----------------------------------------------------------------------------

    def _costs(self) -> Floats:
        """(n,) its costs on the steps seen."""
        return self._trials.costs([self.id], self.seen)[:, 0]

    def _screen(self, costs: Floats) -> Verdict | None:
        """Note its results at the end of its rung; return the verdict if it is dropped."""
        state, constants, seen = self.state, self._constants, self.seen
        settings, n = constants.settings, len(seen)
        own = self._trials.block([self.id], seen, constants.objective)
        recent = state.standings.get(n, ())
        lag = state.block.lag(own, seen, state.noise)
        standing = duel(lag, recent, prior=settings.prior, least=settings.least)
        self.tested.append(standing)
        rng = None
        if constants.rule is not None:
            rng = stream(self._trials.seed, Purpose.VERDICT, self.number, n)
        capped = self._trials.censored(self.id, seen)
        return screen(self.id, standing, costs, seen, state, constants, rng, capped=capped)

    def _bound(self, costs: Floats) -> float | None:
        """The bound of a run of the current rung, after these costs; None without one.

        There is no bound without capping, and where the elites' costs are all 0 or one is infinite.
        """
        capping = self._constants.settings.capping
        if capping is None or self.at is ChallengerState.PASSED:
            return None
        left = allowance(self.state, self.seen, capping) - float(costs.sum())
        return left if 0 < left < math.inf else None
