"""The phases of iterated racing: an estimation, the race of one iteration, the last of all elites.

López-Ibáñez et al. (2016), sections 2.2 and 3.3, and `postselection`, as in irace 4.4. The rule
that drops configurations is one of this package. irace waits until each instance is complete; here
all instances up to the next test run at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from racing.base.seeds import Purpose, stream
from racing.core.verdict import Verdict
from racing.race.judging import apply_verdict
from racing.race.limits import hopeless
from racing.rules.equals import judged
from racing.rules.rule import Outlook, Rule
from racing.search.block import Block
from racing.search.coding import Draw
from racing.search.elites import displaced, ranked, unjudged
from racing.search.iterated.capping import Capping
from racing.search.iterated.settings import IteratedSettings
from racing.search.phase import Phase, SearchContext
from racing.search.trials import Batch

Floats = NDArray[np.float64]

_FIRST = 2
"""Configurations that an estimation begins with."""

_MOST = 16
"""The most configurations that are considered for the last race."""


@dataclass(frozen=True)
class RaceOrder:
    """The steps of a race: some new ones, then those that the elites have seen, then further ones.

    So a configuration is tested on new instances before those by which the elites were chosen
    (López-Ibáñez et al., 2016, section 3.3).

    Attributes
    ----------
    past
        The steps that the elites have seen, in the order in which they are met here.
    new
        The number of new ones at the start.
    first
        The first step that no configuration has seen.
    """

    past: tuple[int, ...] = ()
    new: int = 0
    first: int = 0

    def step(self, row: int) -> int:
        """The step of the `row`-th instance, from 0."""
        if row < self.new:
            return self.first + row
        if row < self.safe:
            return self.past[row - self.new]
        return self.first + row - len(self.past)

    def steps(self, rows: int) -> list[int]:
        """The steps of the first `rows` instances."""
        return [self.step(row) for row in range(rows)]

    @property
    def safe(self) -> int:
        """The number of rows after which all configurations have met the elites' instances."""
        return self.new + len(self.past)

    def limit(self, end: float) -> float:
        """The number of rows if the stream of instances ends at a step."""
        return len(self.past) + max(end - self.first, 0)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What one race has beside the options of all.

    Attributes
    ----------
    options
        Those of all races.
    number
        The number of the race, from 1; a key of the rule's draws.
    evaluations
        B_j: the most that it may use.
    order
        Of the instances.
    rule
        Drops configurations.
    survivors
        The race ends when no more than these are left, and returns at most these.
    capping
        Bounds runs, and drops dominated ones; None if costs are not running times.
    """

    options: IteratedSettings
    number: int
    evaluations: int
    order: RaceOrder
    rule: Rule
    survivors: int
    capping: Capping | None = None

    def due(self, rows: int) -> bool:
        """Whether a test comes after so many instances."""
        return rows >= self.options.first_test and rows % self.options.each_test == 0

    def idle(self, tests: int) -> bool:
        """Whether the race ends after so many tests in a row that dropped none."""
        return self.options.elitist and 0 < self.options.elitist_limit <= tests


class Iteration(Phase):
    """All configurations of an iteration in one race, instance by instance.

    The elites already have outcomes on the past instances, and are not dropped before the others
    have met all of these too.

    Parameters
    ----------
    ids
        The configurations in the race.
    elites
        The best so far, the best first.
    known
        The steps that all of these have met.
    """

    name = "iteration"

    def __init__(
        self,
        context: SearchContext,
        terms: Terms,
        ids: Sequence[int],
        elites: Sequence[int] = (),
        known: Sequence[int] = (),
    ) -> None:
        super().__init__(context, list(elites), max(known, default=-1) + 1)
        self._terms, self._order, self._rows = terms, terms.order, list(known)
        self._alive = list(ids)
        self._protected = frozenset(elites if terms.order.past else ())
        self._met = self._ahead = 0  # rows that are closed, and that are wanted
        self._idle = 0  # tests in a row that dropped none
        self._before = self._account.spent.evaluations
        self._batches: list[Batch] = []
        self.update()

    def update(self, candidate: int = 0) -> None:
        """Queue what is missing of the current rows; close them while nothing is missing."""
        while not self.over and all(batch.complete for batch in self._batches):
            if self._ahead == self._met:
                self._ahead = self._rows_ahead()
            if self._ahead == self._met:
                self._finish()
            elif not self._queue():
                self._close()

    # --- rows -------------------------------------------------------------------------------

    @property
    def _steps(self) -> list[int]:
        """The steps of this race so far."""
        return self._order.steps(self._met)

    @property
    def _safe(self) -> bool:
        """Whether all have met the instances of the elites."""
        return self._met >= self._order.safe

    def _rows_ahead(self) -> int:
        """The number of rows up to the next test, as far as they may be run.

        With capping, one at a time, since bounds follow from the rows before.
        """
        rows, runs = self._met, 0
        while rows == self._met or not (self._terms.due(rows) or self._terms.capping):
            step = self._order.step(rows)
            runs += len(self._account.unpaid((id, step) for id in self._alive))
            if self._ends(rows, runs):
                break
            rows += 1
        return rows

    def _ends(self, rows: int, runs: int) -> bool:
        """Whether the race ends before that row, which needs so many runs in all."""
        if rows >= self._order.limit(self._context.limit) or self._settled(rows):
            return True
        refusal = self._account.refusal(runs) if runs else None
        if refusal is not None and rows == self._met:
            self.why = refusal
        return refusal is not None

    def _settled(self, rows: int) -> bool:
        """Whether the race is decided, or has no evaluations left for another test."""
        terms = self._terms
        if rows < self._order.safe:
            return False
        used = self._account.spent.evaluations - self._before
        too_much = used + len(self._alive) * terms.options.each_test > terms.evaluations
        few, idle = len(self._alive) <= terms.survivors, terms.idle(self._idle)
        return few or idle or (terms.due(rows) and too_much)

    def _queue(self) -> bool:
        """Queue what is missing of the current rows; whether anything is."""
        steps = [self._order.step(row) for row in range(self._met, self._ahead)]
        if self._terms.capping is not None:
            return self._queue_bounded(self._terms.capping, steps[0])
        pairs = self._trials.missing(self._alive, steps)
        self._batches = [self._trials.want_pairs(pairs)]
        return bool(pairs)

    def _queue_bounded(self, capping: Capping, step: int) -> bool:
        """Queue the elites first, then the others with bounds by the elites."""
        trials, done = self._trials, self._steps
        elites = [id for id in self._alive if id in self._now_protected]
        if pairs := trials.missing(elites, [step]):
            self._batches = [trials.want_pairs(pairs, bound=capping.most)]
            return True
        times = capping.costs(trials, elites, [*done, step])
        self._batches = []
        for id in self._alive:
            if id in elites or (id, step) in capping.bounds:
                continue
            bound = capping.bound(capping.costs(trials, [id], done)[:, 0], times)
            capping.bounds[id, step] = bound
            if (id, step) not in trials.recorded:
                self._batches.append(trials.want_pairs([(id, step)], bound=bound))
        return bool(self._batches)

    def _close(self) -> None:
        """Charge the current rows, and test if a test is due."""
        outcomes = []
        for row in range(self._met, self._ahead):
            step = self._order.step(row)
            outcomes = self._trials.outcomes(self._alive, [step])
            self.why = self._account.charge(outcomes, step + 1)
            if self.why is not None:
                self._finish()
                return
            self._met += 1
        known = self._trials.outcomes(self._alive, self._steps)
        if not (self.elites or any(outcome.succeeded for outcome in known)):
            self.why = hopeless(outcomes, tested=self._terms.due(self._met))
        self._judge()
        if self._safe:
            self._alive, _ = ranked(self._alive, self._costs_block())
            self.elites = self._alive[: self._terms.survivors]
            self._rows = sorted(self._steps)
            self.instances = self._rows[-1] + 1
        if self.why is not None:
            self._finish()

    # --- verdicts ---------------------------------------------------------------------------

    def _costs_block(self) -> Block:
        """The block of those that are left, on the instances of this race so far."""
        capping, trials, ids = self._terms.capping, self._trials, self._alive
        known = (trials.costs if capping is None else partial(capping.costs, trials))(
            ids, self._steps
        )
        return Block(known, self._context.objective, failures=trials.failures)

    @property
    def _now_protected(self) -> frozenset[int]:
        """The elites, until the others have met all of their instances."""
        return frozenset() if self._safe else self._protected

    def _judge(self) -> None:
        """Drop dominated configurations, and apply the rule if a test is due."""
        terms, before = self._terms, len(self._alive)
        if terms.capping is not None and before > terms.survivors:
            here = [c for c, id in enumerate(self._alive) if id in self._now_protected]
            costs = terms.capping.costs(self._trials, self._alive, self._steps)
            self._apply(terms.capping.verdict(self._alive, costs, here, terms.survivors))
        if not terms.due(self._met):
            return
        if len(self._alive) > 1:
            self._apply(self._verdict())
        unchanged = len(self._alive) == before and self._safe
        self._idle = self._idle + 1 if unchanged else 0

    def _verdict(self) -> Verdict:
        """The verdict of the rule on those that are left."""
        terms, context, steps = self._terms, self._context, tuple(self._steps)
        results = self._costs_block().results(self._alive)
        left = self._order.limit(context.limit) - self._met
        outlook = Outlook(objective=context.objective, instances=left)
        rng = stream(self._trials.seed, Purpose.VERDICT, terms.number, self._met)
        return apply_verdict(
            judged(terms.rule, results, outlook, rng),
            results,
            objective=context.objective,
            protected=self._now_protected,
            at_least=1,
            steps=None if steps == tuple(range(self._met)) else steps,
        )

    def _apply(self, verdict: Verdict) -> None:
        self._decided(verdict)
        gone = {one.candidate for one in verdict.eliminated}
        self._alive = [id for id in self._alive if id not in gone]

    def _finish(self) -> None:
        """End the race: the best of the rest are the elites."""
        self.over, self._batches = True, []
        if not self._met or not self._safe:
            strangers = [id for id in self._alive if id not in self.elites]
            if self.elites and strangers:
                needed = max(self._order.safe, 1)
                self._decided(unjudged(strangers, self.elites[0], self._met, needed))
        elif len(self._alive) > self._terms.survivors:
            self._decided(displaced(self._alive, self._costs_block(), self._terms.survivors))


class Estimation(Phase):
    """Runs some configurations on the first instances, until a share of the time is used.

    Two at first, then once as many more as the share allows. They take part in the first race, with
    their outcomes.

    Parameters
    ----------
    instances
        The number that each of them meets.
    share
        Of the budget.
    most
        The most configurations in all.
    """

    name = "estimation"

    def __init__(self, context: SearchContext, *, instances: int, share: float, most: int) -> None:
        super().__init__(context)
        self._due = range(int(min(instances, self._context.limit)))
        self._share, self._most, self._more = share, most, True
        self.ids: list[int] = []
        drawn = context.design.given[:most]
        self._enter([*drawn, *context.design.take(_FIRST - len(drawn))])

    def _enter(self, draws: Sequence[Draw]) -> None:
        self._under_way = [self._trials.enter(draw) for draw in draws]
        self._want((id, row) for row in self._due for id in self._under_way)

    def _close(self) -> None:
        """Charge the outcomes, rank all so far, and run more once."""
        further = 0
        if self._charged(len(self._due)):
            self.ids += self._under_way
            self.elites, _ = ranked(self.ids, self._block(self.ids, self._due))
            self.instances = len(self._due)
            if not any(one.succeeded for one in self._trials.outcomes(self.ids, self._due)):
                self.why = hopeless(self._outcomes, tested=True)
            if self.why is None and self._more:
                fits = int(self._share * self._account.evaluations) // len(self._due)
                further = max(min(fits, self._most) - len(self.ids), 0)
        self._more = False
        if draws := self._context.design.take(further):
            self._enter(draws)
        else:
            self.over = True


class Selection(Iteration):
    """The race of the finalists, which ends with one survivor or with the budget.

    Parameters
    ----------
    ids
        The finalists, the latest elites among them.
    elites
        All of the latest elites; those that are not finalists are dropped.
    known
        The steps that they have met.
    """

    name = "selection"

    def __init__(
        self,
        context: SearchContext,
        terms: Terms,
        ids: Sequence[int],
        elites: Sequence[int],
        known: Sequence[int],
    ) -> None:
        kept = [id for id in elites if id in ids]
        if len(kept) < len(elites):
            block = context.trials.block(elites, known, context.objective)
            context.decided(displaced(elites, block, len(kept)))
        terms = replace(terms, survivors=1, options=replace(terms.options, elitist_limit=0))
        super().__init__(context, terms, ids, kept, known)


def finalists(
    elites: Sequence[int],
    others: Sequence[int],
    missing: Sequence[int],
    *,
    room: int,
    each_test: int,
) -> list[int]:
    """The elites that the budget covers on all past instances and those up to another test.

    The latest elites miss nothing and come first; then those that miss the fewest instances, later
    ones before earlier ones. This is the largest set that fits.

    Parameters
    ----------
    elites
        Ids of the latest elites, the best first.
    others
        Of earlier ones, the latest first.
    missing
        The number of past instances that each of the others lacks.
    room
        Evaluations that are left.
    """
    found = list(elites[: room // each_test])
    room -= len(found) * each_test
    for lacks, _, id in sorted(zip(missing, range(len(others)), others, strict=True)):
        if lacks + each_test > room or len(found) >= _MOST:
            break
        found.append(id)
        room -= lacks + each_test
    return found
