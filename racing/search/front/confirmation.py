"""The last phase of a search for a front: the front and the default on fresh instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import Gain
from racing.base.seeds import Purpose, stream
from racing.core.aims import Front
from racing.search.confirmation import Confirmation, affordable
from racing.search.elites import unjudged
from racing.search.front.elites import select, trade_offs
from racing.search.front.gains import simultaneous
from racing.search.phase import SearchContext

Floats = NDArray[np.float64]

LEAST_INSTANCES = 2
"""The least number of fresh instances: fewer have no interval."""


class FrontConfirmation(Confirmation):
    """Compares the configurations of the front with the baseline on fresh instances.

    As many as are shown of the front, from end to end, are fixed before the first of these
    instances; fewer, if the budget covers less than two instances for them. Then the baseline joins
    them if none of them dominates it, by all instances that all have met; elites that are not shown
    have not met these, and leave.

    Attributes
    ----------
    shown
        Ids of the configurations that are compared with the baseline, the best compromise first.
    """

    def __init__(
        self,
        context: SearchContext,
        elites: Sequence[int],
        instances: int,
        *,
        met: Sequence[int] | None = None,
    ) -> None:
        steps = range(instances) if met is None else met
        assert context.trials.goal is not None
        assert isinstance(context.trials.goal.aim, Front)
        affordable = context.account.room // LEAST_INSTANCES - 1
        most = max(min(context.trials.goal.aim.show, affordable), 1)
        block = context.trials.block(elites, steps, context.constants.objective)
        self.shown, _, _ = select(elites, block, most=most)
        super().__init__(context, elites, instances, met=met)

    @property
    def _compared(self) -> list[int]:
        """The shown ones but the baseline, and then the baseline."""
        assert self._baseline is not None
        return [*(id for id in self.shown if id != self._baseline), self._baseline]

    def gain(self) -> Gain | None:
        """None: each metric has a gain of its own, `gains`."""
        return None

    def gains(self) -> Mapping[int, Sequence[Gain]]:
        """Id → the gain over the baseline in each metric of the front; empty without outcomes."""
        if self.skipped or self._baseline is None:
            return {}
        ids, trials = self._compared, self._trials
        fresh, known = trials.complete(ids, self.fresh), trials.complete(ids, range(self.raced))
        if not fresh:
            return {}
        rng = stream(trials.seed, Purpose.FRONT, len(fresh), 1)
        found = simultaneous(
            self._metrics(ids, fresh),
            self._metrics(ids, known),
            problems=trials.problems(fresh),
            of=self.of(fresh),
            rng=rng,
            names=[trials.candidates[id] for id in ids],
            metrics=[] if trials.goal is None else trials.goal.front,
        )
        return dict(zip(ids[:-1], found, strict=True))

    def _metrics(self, ids: Sequence[int], steps: Sequence[int]) -> Floats:
        """(n, ids, K) costs of the metrics of the front."""
        goal, found = self._trials.goal, self._trials.metrics(ids, steps)
        assert goal is not None
        assert found is not None
        return np.asarray(found[:, :, [goal.names.index(name) for name in goal.front]])

    def _choose(self) -> None:
        """Let the baseline join if none of the shown ones dominates it."""
        assert self._baseline is not None
        if self.skipped:
            return
        ids = list(self.elites)
        if self._baseline not in ids and self._undominated():
            rest = [id for id in ids if id not in self.shown]
            if rest:
                met, needed = len(self.met), len(self.met) + len(self.fresh)
                self._decided(unjudged(rest, self.shown[0], met, needed))
            ids = self._compared
        self.steps = tuple(self._trials.complete(ids, self._all))
        self.instances = len(self.steps)
        block = self._trials.block(ids, self.steps, self._constants.objective)
        self.elites, _, verdict = select(ids, block, most=len(ids), steps=self.steps)
        if verdict.eliminated:
            self._decided(verdict)

    def _undominated(self) -> bool:
        """Whether none of the shown ones dominates the baseline."""
        steps = self._trials.complete(self._compared, self._all)
        block = self._trials.block(self._compared, steps, self._constants.objective)
        return bool(trade_offs(block).front[-1])

    def _reason(self) -> str:
        """The reason why the front cannot be compared."""
        if self._baseline is None:
            return "there is no default or known configuration to compare with"
        if len(self._compared) == 1:  # also where the budget covers one, and that is the best
            return "the front is the baseline alone"
        if self._constants.unseen(self.raced) < 1:
            return "the search has learned from all instances"
        needed = LEAST_INSTANCES * len(self._compared)
        if self._account.room < needed:
            return f"the budget has not {needed} evaluations left for it"
        return ""

    def _want(self) -> None:
        """Queue rows of fresh instances; a third of the budget is for known ones."""
        assert self._baseline is not None
        ids, recorded, room = self._compared, self._trials.recorded, self._account.room
        extra = [(self._baseline, row) for row in self.met if (self._baseline, row) not in recorded]
        extra = extra[: min(room // 3, room - LEAST_INSTANCES * len(ids))]
        self.fresh = affordable(self._context, ids, self.raced, room - len(extra))
        self._pairs = self._trials.missing(ids, self.fresh) + extra
        self._batch = self._trials.want_pairs(self._pairs)
