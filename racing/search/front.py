"""The last phase of a search for a front: the front and the default on fresh instances.

The gains over the default in several metrics have simultaneous intervals.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import FEW, Basis, Gain, gain, side
from racing.base.seeds import Purpose, stream
from racing.core.aims import Front
from racing.search.confirmation import Confirmation
from racing.search.elites import select, trade_offs, unjudged
from racing.search.phase import SearchContext
from racing.stats.intervals import half_width, numbered

Floats = NDArray[np.float64]

DRAWS = 2000
"""Draws of the problems behind the intervals."""


class FrontConfirmation(Confirmation):
    """Compares the configurations of the front with the baseline on fresh instances.

    As many as are shown of the front, its ends and its best compromise among them, are fixed before
    the first of these instances; fewer, if the budget covers less than two instances for them. Then
    the baseline joins them if none of them dominates it, by all instances that all have met; elites
    that are not shown have not met these, and leave. The best compromise wins, unless the
    probability that it is better than the baseline in no metric is above `Settings.risk`; then the
    baseline does, and is the first of the elites.

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
        fresh: Sequence[int] = (),
        ended: bool = False,
    ) -> None:
        trials, rows = context.trials, range(instances) if met is None else met
        assert trials.goal is not None
        assert isinstance(trials.goal.aim, Front)
        most = max(min(trials.goal.aim.show, context.account.room // self.least - 1), 1)
        block = trials.block(elites, rows, context.objective)
        self.shown, _, _ = select(elites, block, most=most, knee=True)
        super().__init__(context, elites, instances, met=met, fresh=fresh, ended=ended)
        former, _, _ = select(elites, block, most=most)
        self._former = [] if {*former} == {*self.shown} else former
        self._told_before = {pair for pair in trials.recorded if pair[1] in self.fresh}
        self._known_pairs = [pair for pair in self._pairs if pair[1] not in self.fresh]

    def update(self, candidate: int = 0) -> None:
        """Advance; an outcome of one that is not shown says that a log of before compared others.

        There, the best compromise could be missing among the ones that are shown.
        """
        if candidate and candidate not in self.shown and candidate in self._former:
            pairs = {(candidate, row) for row in self.fresh} - self._told_before
            if any(pair in self._trials.recorded for pair in pairs):
                self._compare_former()
        super().update(candidate)

    def _compare_former(self) -> None:
        """Compare the ones that a log of before has."""
        self.shown = self._former
        pairs = ((id, row) for row in self.fresh for id in self._compared)
        self._want([*(p for p in pairs if p not in self._told_before), *self._known_pairs])

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
            **self.on(fresh),
            failed=trials.failed(ids, fresh),
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


# --- gains --------------------------------------------------------------------------------------


def simultaneous(
    fresh: Floats,
    training: Floats,
    *,
    problems: Sequence[Hashable],
    of: Basis = "unseen",
    correlation: float = 0.0,
    rng: np.random.Generator,
    names: Sequence[object] = (),
    metrics: Sequence[str] = (),
    level: float = 0.95,
    failed: NDArray[np.bool_] | None = None,
) -> list[list[Gain]]:
    """(c, K) gains of c configurations in K metrics, whose intervals hold all at once.

    With se the standard error of a gain's mean, each interval is mean ± q · se, with one q for all:
    the quantile of the largest |t*| in bootstrap draws of the problems, t* = (mean* − mean) / se*.
    It is at most that of Student's t with Bonferroni's correction, which needs no draws but
    disregards that configurations and metrics go together.

    Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 12.

    Parameters
    ----------
    fresh : (n, c + 1, K)
        Costs of the configurations and, last, of the baseline on fresh instances; +inf = failed.
    training : (n', c + 1, K)
        On the instances that the configurations were chosen by.
    problems : (n,)
        The problem of each fresh instance; several seeds of one are one observation.
    of, correlation
        As in `gain`.
    rng
        Draws the problems.
    names, metrics : (c + 1,), (K,)
        What the configurations and, last, the baseline are called; and the metrics.
    failed : (n, c + 1)
        What failed on fresh instances, where a penalty stands for its costs.
    """
    _, several, many = fresh.shape
    names, metrics = names or [""] * several, metrics or [""] * many

    def one(c: int, k: int) -> Gain:
        of_these = partial(
            gain, mean=True, name=names[c], over=names[-1], metric=metrics[k], level=level,
            correlation=correlation,
        )  # fmt: skip
        chosen = of_these(training[:, [c, -1], k])
        own = None if failed is None else failed[:, [c, -1]]
        return of_these(fresh[:, [c, -1], k], of=of, problems=problems, chosen=chosen, failed=own)

    found = [[one(c, k) for k in range(many)] for c in range(several - 1)]
    alone = problems if of == "unseen" else range(len(fresh))
    q = _quantile(_differences(fresh, alone), level, rng)
    return [[_widened(each, q) for each in row] for row in found]


def _differences(fresh: Floats, problems: Sequence[Hashable]) -> Floats:
    """(g, c · K) mean gains on each problem; NaN where one of the two always failed."""
    ran = np.isfinite(fresh).all(axis=2, keepdims=True)
    values = np.where(ran, fresh, np.nan)
    apart = (values[:, -1:, :] - values[:, :-1, :]).reshape(len(fresh), -1)
    number = numbered(problems)
    there = ~np.isnan(apart)
    total, many = np.zeros((2, 1 + int(number.max(initial=-1)), apart.shape[1]))
    np.add.at(total, number, np.where(there, apart, 0.0))
    np.add.at(many, number, there)
    return np.where(many > 0, total / np.maximum(many, 1), np.nan)


def _quantile(values: Floats, level: float, rng: np.random.Generator) -> float:
    """By how many standard errors the intervals reach."""
    g, many = values.shape
    if g < 2:
        return np.inf
    most = half_width(g - 1, 1 - (1 - level) / max(many, 1))
    drawn = rng.multinomial(g, np.full(g, 1 / g), size=DRAWS).astype(np.float64)
    there = ~np.isnan(values)
    filled = np.where(there, values, 0.0)

    def total(of: Floats) -> Floats:  # no dot product of BLAS: it depends on the processor
        return np.asarray(np.einsum("dg,gm->dm", drawn, of))

    n = np.maximum(total(there.astype(np.float64)), 1)
    mean = total(filled) / n
    square = total(np.square(filled)) / n - mean**2
    all_ = filled.sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    errors = np.sqrt(np.maximum(square, 0.0) / np.maximum(n - 1, 1))
    apart = np.abs(mean - all_)
    tiny = 1e-9 * np.abs(filled).max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(apart <= tiny, 0.0, apart / errors)
    return float(min(np.quantile(t.max(axis=1), level, method="higher"), most))


def _widened(one: Gain, q: float) -> Gain:
    """A gain with q standard errors to each side, in place of Student's."""
    observed = one.observations
    if one.estimate is None or not one.closed:
        return one
    half = (one.high - one.estimate) / half_width(observed - 1, one.level) * q
    low, high = one.estimate - half, one.estimate + half
    return replace(one, low=low, high=high, by_cost=side(low, high, few=observed < FEW))
