"""The last phase of a search for a front: the front and the default on fresh instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import Gain
from racing.base.seeds import Purpose, stream
from racing.core.aims import Front
from racing.search.confirmation import Confirmation
from racing.search.elites import unjudged
from racing.search.front.elites import select, trade_offs
from racing.search.front.gains import simultaneous
from racing.search.phase import SearchContext

Floats = NDArray[np.float64]


class FrontConfirmation(Confirmation):
    """Compares the configurations of the front with the baseline on fresh instances.

    As many as are shown of the front, from end to end, are fixed before the first of these
    instances; fewer, if the budget covers less than two instances for them. Then the baseline joins
    them if none of them dominates it, by all instances that all have met; elites that are not shown
    have not met these, and leave. The best compromise wins, unless the probability that it is
    better than the baseline in no metric is above `Settings.risk`; then the baseline does, and is
    the first of the elites.

    Attributes
    ----------
    shown
        Ids of the configurations that are compared with the baseline, the best compromise first.
    """

    least = 2  # fewer instances have no interval
    alone = "the front is the baseline alone"  # also where the budget covers one, and that is best

    def __init__(
        self,
        context: SearchContext,
        elites: Sequence[int],
        instances: int,
        *,
        met: Sequence[int] | None = None,
    ) -> None:
        trials, rows = context.trials, range(instances) if met is None else met
        assert trials.goal is not None
        assert isinstance(trials.goal.aim, Front)
        most = max(min(trials.goal.aim.show, context.account.room // self.least - 1), 1)
        block = trials.block(elites, rows, context.constants.objective)
        self.shown, _, _ = select(elites, block, most=most)
        super().__init__(context, elites, instances, met=met)

    @property
    def _compared(self) -> list[int]:
        """The shown ones but the baseline, and then the baseline."""
        assert self._baseline is not None
        return [*(id for id in self.shown if id != self._baseline), self._baseline]

    def _known(self, room: int) -> list[tuple[int, int]]:
        ids = self._compared
        most = max(min(room // 3, room - self.least * len(ids)), 0)
        return self._trials.missing(ids[-1:], self.met)[:most]

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
        found = simultaneous(
            self._metrics(ids, fresh),
            self._metrics(ids, known),
            problems=trials.problems(fresh),
            of=self.of(fresh),
            rng=stream(trials.seed, Purpose.FRONT, len(fresh), 1),
            names=[trials.candidates[id] for id in ids],
            metrics=[] if trials.goal is None else trials.goal.front,
        )
        return dict(zip(ids[:-1], found, strict=True))

    def _metrics(self, ids: Sequence[int], rows: Sequence[int]) -> Floats:
        """(n, ids, K) costs of the metrics of the front."""
        goal, found = self._trials.goal, self._trials.metrics(ids, rows)
        assert goal is not None
        assert found is not None
        return np.asarray(found[:, :, [goal.names.index(name) for name in goal.front]])

    def _choose(self) -> None:
        """Choose the front; the baseline joins it, or stays, unless something is shown better."""
        if not self.skipped:
            self._choose_front()
        assert self._baseline is not None
        self.found = next((id for id in self.elites if id != self._baseline), None)
        if self.found is None:
            return
        self.worse = self._probability_worse(self.found, self._baseline)
        if self.worse > self._settings.risk and self.elites[0] != self._baseline:
            rest = [id for id in self.elites if id != self._baseline]
            if self._baseline not in self.elites:
                self._drop_the_others()
                rest = [id for id in rest if id in self.shown]
            self._meet([self._baseline, *rest])

    def _choose_front(self) -> None:
        """The front of the elites, or of the shown ones and the baseline."""
        if self._baseline not in self.elites and self._undominated():
            self._drop_the_others()
            self._meet(self._compared)
        else:
            self._meet(self.elites)
        ids, rows = list(self.elites), self.steps
        block = self._block(ids, rows)
        self.elites, _, verdict = select(ids, block, most=len(ids), steps=rows)
        if verdict.eliminated:
            self._decided(verdict)

    def _undominated(self) -> bool:
        """Whether none of the shown ones dominates the baseline."""
        ids = self._compared
        block = self._block(ids, self._trials.complete(ids, self._all))
        return bool(trade_offs(block).front[-1])

    def _meet(self, ids: Sequence[int]) -> None:
        """Take these as elites, on the instances that all of them have met."""
        self.elites, self._rows = ids, tuple(self._trials.complete(ids, self._all))
        self.instances = len(self._rows)

    def _drop_the_others(self) -> None:
        """Drop elites that are not shown: they have not met what the baseline has."""
        rest = [id for id in self.elites if id not in self.shown]
        if rest:
            met, needed = len(self.met), len(self.met) + len(self.fresh)
            self._decided(unjudged(rest, self.shown[0], met, needed))
