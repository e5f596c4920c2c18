"""The race of one iteration.

López-Ibáñez et al. (2016), sections 2.2 and 3.3, as irace 4.4 has it. The rule that drops
configurations is one of this package. Where irace waits for every instance to be complete, all
instances up to the next test are run at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.race.limits import hopeless
from racing.race.verdicts import apply_verdict
from racing.rules.equals import judged
from racing.rules.rule import Outlook, Rule
from racing.rules.verdict import Verdict
from racing.search.decision import displaced
from racing.search.elites import best_first, block_results
from racing.search.iterated.capping import Capping
from racing.search.iterated.leaving import unjudged
from racing.search.iterated.order import RaceOrder
from racing.search.phase import Desk
from racing.search.scores import block_scores
from racing.search.tasks import Batch
from racing.seeds import Purpose, stream
from racing.stop import Stop

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a race of iterated racing goes by.

    Attributes
    ----------
    number
        Which race it is, from 1; keys the draws of the rule.
    evaluations
        B_j: how many it may spend.
    order
        Of the instances.
    rule
        Drops configurations.
    first_test, each_test
        When there is a test.
    survivors
        The race ends when no more are left, and leaves no more.
    idle
        It ends after so many tests in a row that drop nobody; 0 for no limit.
    capping
        Bounds runs, and drops who is dominated; None where costs are no running times.
    """

    number: int
    evaluations: int
    order: RaceOrder
    rule: Rule
    first_test: int
    each_test: int
    survivors: int
    idle: int = 0
    capping: Capping | None = None

    def due(self, rows: int) -> bool:
        """Whether there is a test after so many instances."""
        return rows >= self.first_test and rows % self.each_test == 0


class Iteration:
    """All configurations of an iteration in one race, instance by instance.

    The elites have their outcomes on the past instances already, and are not dropped before the
    others have met all of these too.

    Parameters
    ----------
    ids
        Who takes part.
    elites
        The best so far, the best first.
    known
        The steps that all of these have met.

    Attributes
    ----------
    steps
        The steps that the elites have met.
    """

    def __init__(
        self,
        desk: Desk,
        terms: Terms,
        ids: Sequence[int],
        elites: Sequence[int] = (),
        known: Sequence[int] = (),
    ) -> None:
        self._desk, self._terms = desk, terms
        self._alive = list(ids)
        self._protected = frozenset(elites if terms.order.past else ())
        self.elites, self.steps = list(elites), list(known)
        self.over = False
        self.why: Stop | None = None
        self._rows = self._ahead = self._idle = 0
        self._before = desk.ledger.spent.evaluations
        self._batches: list[Batch] = []
        self._go_on()

    @property
    def instances(self) -> int:
        """How many instances were met up to the last that the elites have met."""
        return max(self.steps, default=-1) + 1

    def hear(self, candidate: int) -> None:
        """Go on when all that was wanted is there."""
        self._go_on()

    def _go_on(self) -> None:
        """Want what is missing of the rows under way; if nothing is, close them and go on."""
        while not self.over and all(batch.complete for batch in self._batches):
            if self._ahead == self._rows:
                self._ahead = self._rows_ahead()
            if self._ahead == self._rows:
                self._finish()
            elif not self._want():
                self._close()

    # --- rows -------------------------------------------------------------------------------

    def _rows_ahead(self) -> int:
        """How many rows there are with those up to the next test, as far as they may be run.

        With capping one by one, since bounds follow from the rows before.
        """
        rows, runs = self._rows, 0
        while rows == self._rows or not (self._terms.due(rows) or self._terms.capping):
            step = self._terms.order.step(rows)
            runs += len(self._desk.ledger.unpaid((id, step) for id in self._alive))
            if self._ends(rows, runs):
                break
            rows += 1
        return rows

    def _ends(self, rows: int, runs: int) -> bool:
        """Whether the race ends before that row; up to its end it would take so many runs."""
        terms, ledger = self._terms, self._desk.ledger
        if rows >= terms.order.limit(self._desk.rules.limit) or self._decided(rows):
            return True
        refusal = ledger.refusal(runs) if runs else None
        if refusal is not None and rows == self._rows:
            self.why = refusal
        return refusal is not None

    def _decided(self, rows: int) -> bool:
        """Whether the race is decided, or has no evaluations left for another test."""
        terms = self._terms
        if rows < terms.order.safe:
            return False
        used = self._desk.ledger.spent.evaluations - self._before
        too_much = used + len(self._alive) * terms.each_test > terms.evaluations
        return (
            len(self._alive) <= terms.survivors
            or 0 < terms.idle <= self._idle
            or (terms.due(rows) and too_much)
        )

    def _want(self) -> bool:
        """Line up what is missing of the rows under way; whether anything is."""
        steps = [self._terms.order.step(row) for row in range(self._rows, self._ahead)]
        book, capping = self._desk.book, self._terms.capping
        if capping is not None:
            return self._want_bounded(capping, steps[0])
        pairs = book.untold(self._alive, steps)
        self._batches = [book.want_pairs(pairs)]
        return bool(pairs)

    def _want_bounded(self, capping: Capping, step: int) -> bool:
        """The elites first, then the others with bounds that follow from them."""
        book, done = self._desk.book, self._terms.order.steps(self._rows)
        elites = [id for id in self._alive if id in self._protected and self._rows < self._safe]
        if pairs := book.untold(elites, [step]):
            self._batches = [book.want_pairs(pairs, bound=capping.most)]
            return True
        times = capping.costs(book, elites, [*done, step])
        self._batches = []
        for id in self._alive:
            if id in elites or (id, step) in capping.bounds:
                continue
            bound = capping.bound(capping.costs(book, [id], done)[:, 0], times)
            capping.bounds[id, step] = bound
            if (id, step) not in book.told:
                self._batches.append(book.want_pairs([(id, step)], bound=bound))
        return bool(self._batches)

    @property
    def _safe(self) -> int:
        return self._terms.order.safe

    def _close(self) -> None:
        """Charge the rows under way, and judge if a test is due."""
        book, ledger = self._desk.book, self._desk.ledger
        for row in range(self._rows, self._ahead):
            step = self._terms.order.step(row)
            outcomes = book.outcomes(self._alive, [step])
            self.why = ledger.charge(outcomes, step + 1)
            if self.why is not None:
                self._finish()
                return
            self._rows += 1
        if not self.elites and not np.isfinite(self._costs(self._alive)).any():
            self.why = hopeless(outcomes, tested=self._terms.due(self._rows))
        self._judge()
        self._rank()
        if self.why is not None:
            self._finish()

    # --- verdicts ---------------------------------------------------------------------------

    def _costs(self, ids: Sequence[int]) -> Floats:
        """(rows, ids) costs on the instances of this race so far."""
        steps, capping = self._terms.order.steps(self._rows), self._terms.capping
        if capping is not None:
            return capping.costs(self._desk.book, ids, steps)
        return self._desk.book.costs(ids, steps)

    def _judge(self) -> None:
        """Drop who is dominated, and ask the rule if a test is due."""
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
        """The elites, as long as the others have not met all of their instances."""
        return self._protected if self._rows < self._safe else frozenset()

    def _verdict(self) -> Verdict:
        """What the rule says of those who are left."""
        terms, rules = self._terms, self._desk.rules
        results = block_results(self._costs(self._alive), self._alive)
        end = terms.order.limit(rules.limit)
        outlook = Outlook(objective=rules.objective, instances=end - self._rows)
        rng = stream(self._desk.book.seed, Purpose.VERDICT, terms.number, self._rows)
        steps = tuple(terms.order.steps(self._rows))
        return apply_verdict(
            judged(terms.rule, results, outlook, rng),
            results,
            objective=rules.objective,
            protected=self._now_protected,
            at_least=1,
            steps=None if steps == tuple(range(self._rows)) else steps,
        )

    def _apply(self, verdict: Verdict) -> None:
        self._desk.decided(verdict)
        gone = {one.candidate for one in verdict.eliminated}
        self._alive = [id for id in self._alive if id not in gone]

    def _rank(self) -> None:
        """Who is best of those who are left, once all have met the elites' instances."""
        if not self._rows or self._rows < self._safe:
            return
        order = best_first(self._costs(self._alive), self._desk.rules.objective)
        self._alive = [self._alive[int(i)] for i in order]
        self.elites = self._alive[: self._terms.survivors]
        self.steps = sorted(self._terms.order.steps(self._rows))

    def _finish(self) -> None:
        """End the race: the best of those who are left are the elites."""
        self.over, self._batches = True, []
        if self._rows < self._safe or not self._rows:
            strangers = [id for id in self._alive if id not in self.elites]
            if self.elites and strangers:
                best = self.elites[0]
                self._desk.decided(unjudged(strangers, best, self._rows, max(self._safe, 1)))
            return
        if len(self._alive) > self._terms.survivors:
            scores = block_scores(self._costs(self._alive), self._desk.rules.objective)
            self._desk.decided(displaced(self._alive, scores, self._terms.survivors))
