"""The race of one iteration.

López-Ibáñez et al. (2016), sections 2.2 and 3.3, as in irace 4.4. The rule that drops
configurations is one of this package. irace waits until each instance is complete; here all
instances up to the next test run at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from racing.base.seeds import Purpose, stream
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.race.judging import apply_verdict
from racing.race.limits import hopeless
from racing.rules.equals import judged
from racing.rules.rule import Outlook
from racing.search.block import Block
from racing.search.elites import displaced, ranked, unjudged
from racing.search.iterated.capping import Capping
from racing.search.iterated.terms import Terms
from racing.search.phase import SearchContext
from racing.search.tasks import Batch

Floats = NDArray[np.float64]


class Iteration:
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

    Attributes
    ----------
    steps
        The steps that the elites have met.
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
        self._context, self._terms = context, terms
        self._alive = list(ids)
        self._protected = frozenset(elites if terms.order.past else ())
        self.elites = list(elites)
        self.steps: Sequence[int] = list(known)
        self.over = False
        self.why: Stop | None = None
        self._rows = self._ahead = self._idle = 0
        self._before = context.account.spent.evaluations
        self._batches: list[Batch] = []
        self._advance()

    @property
    def instances(self) -> int:
        """The number of instances up to the last that the elites have met."""
        return max(self.steps, default=-1) + 1

    def update(self, candidate: int) -> None:
        """Test when all queued outcomes have arrived."""
        self._advance()

    def _advance(self) -> None:
        """Queue what is missing of the current rows; close them while nothing is missing."""
        while not self.over and all(batch.complete for batch in self._batches):
            if self._ahead == self._rows:
                self._ahead = self._rows_ahead()
            if self._ahead == self._rows:
                self._finish()
            elif not self._want():
                self._close()

    # --- rows -------------------------------------------------------------------------------

    def _rows_ahead(self) -> int:
        """The number of rows up to the next test, as far as they may be run.

        With capping, one at a time, since bounds follow from the rows before.
        """
        rows, runs = self._rows, 0
        while rows == self._rows or not (self._terms.due(rows) or self._terms.capping):
            step = self._terms.order.step(rows)
            runs += len(self._context.account.unpaid((id, step) for id in self._alive))
            if self._ends(rows, runs):
                break
            rows += 1
        return rows

    def _ends(self, rows: int, runs: int) -> bool:
        """Whether the race ends before that row, which needs so many runs in all."""
        terms, account = self._terms, self._context.account
        if rows >= terms.order.limit(self._context.constants.limit) or self._decided(rows):
            return True
        refusal = account.refusal(runs) if runs else None
        if refusal is not None and rows == self._rows:
            self.why = refusal
        return refusal is not None

    def _decided(self, rows: int) -> bool:
        """Whether the race is decided, or has no evaluations left for another test."""
        terms = self._terms
        if rows < terms.order.safe:
            return False
        used = self._context.account.spent.evaluations - self._before
        too_much = used + len(self._alive) * terms.each_test > terms.evaluations
        return (
            len(self._alive) <= terms.survivors
            or 0 < terms.idle <= self._idle
            or (terms.due(rows) and too_much)
        )

    def _want(self) -> bool:
        """Queue what is missing of the current rows; whether anything is."""
        steps = [self._terms.order.step(row) for row in range(self._rows, self._ahead)]
        trials, capping = self._context.trials, self._terms.capping
        if capping is not None:
            return self._want_bounded(capping, steps[0])
        pairs = trials.missing(self._alive, steps)
        self._batches = [trials.want_pairs(pairs)]
        return bool(pairs)

    def _want_bounded(self, capping: Capping, step: int) -> bool:
        """Queue the elites first, then the others with bounds by the elites."""
        trials, done = self._context.trials, self._terms.order.steps(self._rows)
        elites = [id for id in self._alive if id in self._protected and self._rows < self._safe]
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

    @property
    def _safe(self) -> int:
        return self._terms.order.safe

    def _close(self) -> None:
        """Charge the current rows, and test if a test is due."""
        trials, account = self._context.trials, self._context.account
        for row in range(self._rows, self._ahead):
            step = self._terms.order.step(row)
            outcomes = trials.outcomes(self._alive, [step])
            self.why = account.charge(outcomes, step + 1)
            if self.why is not None:
                self._finish()
                return
            self._rows += 1
        if not self.elites and not self._any_success:
            self.why = hopeless(outcomes, tested=self._terms.due(self._rows))
        self._judge()
        self._rank()
        if self.why is not None:
            self._finish()

    @property
    def _any_success(self) -> bool:
        steps = self._terms.order.steps(self._rows)
        found = self._context.trials.outcomes(self._alive, steps)
        return any(outcome.succeeded for outcome in found)

    # --- verdicts ---------------------------------------------------------------------------

    def _block(self) -> Block:
        """The block of those that are left, on the instances of this race so far."""
        failures = self._context.trials.failures
        costs = self._costs(self._alive)
        return Block(costs, self._context.constants.objective, failures=failures)

    def _costs(self, ids: Sequence[int]) -> Floats:
        """(rows, ids) costs on the instances of this race so far."""
        steps, capping = self._terms.order.steps(self._rows), self._terms.capping
        if capping is not None:
            return capping.costs(self._context.trials, ids, steps)
        return self._context.trials.costs(ids, steps)

    def _judge(self) -> None:
        """Drop dominated configurations, and apply the rule if a test is due."""
        terms, before = self._terms, len(self._alive)
        if terms.capping is not None and before > terms.survivors:
            here = [c for c, id in enumerate(self._alive) if id in self._now_protected]
            costs = self._costs(self._alive)
            self._apply(terms.capping.verdict(self._alive, costs, here, terms.survivors))
        if not terms.due(self._rows):
            return
        if len(self._alive) > 1:
            self._apply(self._verdict())
        unchanged = len(self._alive) == before and self._rows >= self._safe
        self._idle = self._idle + 1 if unchanged else 0

    @property
    def _now_protected(self) -> frozenset[int]:
        """The elites, until the others have met all of their instances."""
        return self._protected if self._rows < self._safe else frozenset()

    def _verdict(self) -> Verdict:
        """The verdict of the rule on those that are left."""
        terms, constants = self._terms, self._context.constants
        results = self._block().results(self._alive)
        end = terms.order.limit(constants.limit)
        outlook = Outlook(objective=constants.objective, instances=end - self._rows)
        rng = stream(self._context.trials.seed, Purpose.VERDICT, terms.number, self._rows)
        steps = tuple(terms.order.steps(self._rows))
        return apply_verdict(
            judged(terms.rule, results, outlook, rng),
            results,
            objective=constants.objective,
            protected=self._now_protected,
            at_least=1,
            steps=None if steps == tuple(range(self._rows)) else steps,
        )

    def _apply(self, verdict: Verdict) -> None:
        self._context.decided(verdict)
        gone = {one.candidate for one in verdict.eliminated}
        self._alive = [id for id in self._alive if id not in gone]

    def _rank(self) -> None:
        """Rank those that are left, once all have met the elites' instances."""
        if not self._rows or self._rows < self._safe:
            return
        self._alive, _ = ranked(self._alive, self._block())
        self.elites = self._alive[: self._terms.survivors]
        self.steps = sorted(self._terms.order.steps(self._rows))

    def _finish(self) -> None:
        """End the race: the best of the rest are the elites."""
        self.over, self._batches = True, []
        if self._rows < self._safe or not self._rows:
            strangers = [id for id in self._alive if id not in self.elites]
            if self.elites and strangers:
                best = self.elites[0]
                self._context.decided(unjudged(strangers, best, self._rows, max(self._safe, 1)))
            return
        if len(self._alive) > self._terms.survivors:
            self._context.decided(displaced(self._alive, self._block(), self._terms.survivors))
