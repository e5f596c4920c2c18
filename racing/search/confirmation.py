"""The last phase: compares the best configuration found and the default on fresh instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from racing.core.constraints import Kept, kept
from racing.core.gain import Gain, gain
from racing.core.stop import Stop
from racing.search.elites import reversed_by
from racing.search.phase import SearchContext
from racing.search.settings import LEAST_CONFIRMED
from racing.search.tasks import Batch

Floats = NDArray[np.float64]


class Confirmation:
    """Compares the best configuration found with the baseline on fresh instances.

    The baseline is usually the default. If it is one of the elites, the best of the others is
    compared with it. Both are fixed before the first fresh instance, so the measured gain has no
    selection bias. Then the better of the two wins, by all instances that both have met. If that is
    not the leading elite, only the winner is left.

    Parameters
    ----------
    elites
        Ids, the best first.
    instances
        The first fresh step: no decision was based on it.
    met
        The steps that all elites have met; by default all before `instances`.
    fresh
        Fresh steps, if they were chosen before; by default as many as the budget covers.

    Attributes
    ----------
    elites
        Ids, the winner first.
    racing, raced, met
        The elites at the start of this phase, the first fresh step, and the steps that they had
        met: an extension continues from these.
    instances
        The number of instances up to the last that all of `elites` have met; for a winner that was
        behind, the number that both have met.
    steps
        These instances.
    fresh
        The steps of instances that had no part in any choice.
    found
        Id of the configuration compared with the baseline; None without a comparison.
    skipped
        Why there is no confirmation; empty if there is one.
    """

    name = "confirmation"

    def __init__(
        self,
        context: SearchContext,
        elites: Sequence[int],
        instances: int,
        *,
        met: Sequence[int] | None = None,
        fresh: range = range(0),
    ) -> None:
        self._trials, self._account = context.trials, context.account
        self._constants, self._decided = context.constants, context.decided
        self.elites: Sequence[int] = elites
        self.racing, self.raced = tuple(elites), instances
        self.met = tuple(range(instances) if met is None else met)
        self.instances = instances
        self.steps: Sequence[int] = self.met
        self._baseline = context.baseline.id if context.baseline else None
        self.found = next((id for id in elites if id != self._baseline), None)
        self.fresh = fresh or range(instances, instances)
        self._batch = Batch()
        self._pairs: list[tuple[int, int]] = []
        self.why: Stop | None = None
        self.skipped = self._reason()
        self.over = bool(self.skipped)
        if not self.over:
            self._want()
            self._advance()

    def update(self, candidate: int) -> None:
        """Choose the winner and end when all pairs are complete."""
        self._advance()

    def _advance(self) -> None:
        if not self.over and self._batch.complete:
            recorded = self._trials.recorded
            self.why = self._account.charge([recorded[key] for key in self._pairs], self.fresh.stop)
            if self.why is None:
                self._choose()
            self.over = True

    def gain(self) -> Gain | None:
        """The gain of `found` over the baseline so far; None without outcomes."""
        if self.skipped or self.found is None:
            return None
        fresh, known = self._shared(self.fresh), self._shared(range(self.raced))
        if not fresh:
            return None
        problems = [self._trials.instance(step).number for step in fresh]
        found = gain(self._costs(fresh), self._costs(known), problems=problems)
        limits, baseline_limits = self._limits(fresh)
        return replace(found, limits=limits, baseline_limits=baseline_limits)

    def _limits(self, steps: Sequence[int]) -> tuple[tuple[Kept, ...], tuple[Kept, ...]]:
        """Whether `found` and the baseline meet the constraints on these instances."""
        goal, pair = self._trials.goal, self._pair
        if goal is None or not goal.limits:
            return (), ()
        results = self._trials.block(pair, steps, self._constants.objective).results(pair)
        own, other = (tuple(kept(goal, results, place)) for place in range(2))
        return own, other

    def gains(self) -> Mapping[int, Sequence[Gain]]:
        """Of a front: id → the gain in each metric (`racing.search.front`); empty otherwise."""
        return {}

    def _choose(self) -> None:
        """Choose the better of the two, by all instances that both have met."""
        steps, pair = self._shared(range(self.fresh.stop)), self._pair
        block = self._trials.block(pair, steps, self._constants.objective)
        ahead = pair[int(block.order()[0])]
        if ahead == self.elites[0]:
            return
        lost = [id for id in reversed(self.elites) if id != ahead]
        self._decided(reversed_by(ahead, lost, block, steps))
        self.elites, self.instances, self.steps = (ahead,), len(steps), tuple(steps)

    @property
    def _pair(self) -> tuple[int, int]:
        assert self.found is not None
        assert self._baseline is not None
        return self.found, self._baseline

    def _shared(self, steps: range) -> list[int]:
        """The steps among these that both have met."""
        recorded, pair = self._trials.recorded, self._pair
        return [step for step in steps if all((id, step) in recorded for id in pair)]

    def _costs(self, steps: Sequence[int]) -> Floats:
        """Costs of `found` and of the baseline, (n, 2)."""
        return self._trials.own_costs(self._pair, steps)

    def _reason(self) -> str:
        """The reason why the winner cannot be compared."""
        if self._baseline is None:
            return "there is no default or known configuration to compare with"
        if self.found is None:
            return "the winner is the baseline itself"
        if self.fresh:
            return ""
        if self._constants.limit <= self.raced:
            return "there are no unseen instances left"
        if self._account.room < LEAST_CONFIRMED:
            return f"the budget has not {LEAST_CONFIRMED} evaluations left for it"
        return ""

    def _want(self) -> None:
        """Queue pairs on fresh instances; a third of the budget is for known ones."""
        assert self._baseline is not None
        assert self.found is not None
        if self.fresh:
            self._pairs = self._trials.missing([self.found, self._baseline], self.fresh)
            self._batch = self._trials.want_pairs(self._pairs)
            return
        recorded, room = self._trials.recorded, self._account.room
        unseen = [step for step in range(self.raced) if (self._baseline, step) not in recorded]
        extra = unseen[: room // 3]
        pairs = int(min((room - len(extra)) // 2, self._constants.limit - self.raced))
        self.fresh = range(self.raced, self.raced + pairs)
        self._pairs = self._trials.missing([self.found, self._baseline], self.fresh)
        self._pairs += [(self._baseline, step) for step in extra]
        self._batch = self._trials.want_pairs(self._pairs)
