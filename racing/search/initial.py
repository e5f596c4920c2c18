"""The first part: known configurations and a Sobol sequence, halved over the first instances."""

from __future__ import annotations

import math

import numpy as np

from racing.experiment import Status
from racing.search.agreement import agreement
from racing.search.challenger import rungs
from racing.search.coding import Draw
from racing.search.decision import displaced
from racing.search.design import Design
from racing.search.elites import best_first
from racing.search.phase import Desk
from racing.search.scores import block_scores
from racing.search.settings import Settings
from racing.stop import Stop


def initial_size(evaluations: float, settings: Settings) -> int:
    """How many configurations to begin with: n₀ = max(m + 2, share · B)."""
    share = settings.initial * evaluations if math.isfinite(evaluations) else 0
    return max(settings.elites + 2, round(share))


_FEWEST, _MOST = 2, 8
"""How many instances the first elites see where instances agree, and where they do not."""

_EACH = 40
"""At most one instance for so many evaluations of the budget."""

_LOOKS = 64
"""About so many times it is asked who is sure to stay, near the end of a stage."""

_AGREED = 0.15
"""Below this agreement, means are hardly more than noise."""


def most_instances(evaluations: float, settings: Settings) -> int:
    """How many instances the first elites see at most: B / 40, from 2 to 8, unless it is set."""
    if settings.first_instances is not None:
        return settings.first_instances
    return max(_FEWEST, round(min(evaluations / _EACH, _MOST)))


class Initial:
    """Initial configurations on 1, 2, 4, … instances; the better half goes on each time.

    It ends after two instances if these agree on which configurations are good. Where they hardly
    do, it goes on until they do or the budget allows no more (`most_instances`): the choice of the
    first elites would be a matter of luck.

    Where only time is limited, it is not known before how many evaluations that allows. So m + 2
    configurations are run first, and as many added as the time that these took allows for.
    """

    def __init__(self, desk: Desk, design: Design) -> None:
        self._desk, self._design = desk, design
        self._settings = desk.rules.settings
        self._ends = self._stages(desk.ledger.evaluations)
        self._stage = 0
        self._sized = math.isfinite(desk.ledger.evaluations)
        self.elites: list[int] = []
        self.instances = 0
        self.over = False
        self.why: Stop | None = None
        self._in: list[int] = []
        self._enter(design.given)
        self._enter(self._further())
        self._looked_at: float = math.inf  # how many were missing when it was last asked
        self._batch = desk.book.want(self._in, self._due)

    def hear(self, candidate: int) -> None:
        """Close the stage if it is complete."""
        while not self.over and self._batch.complete:
            if self._sized:
                self._close()
            else:
                self._size()
        few = min(len(self._in) / 4, self._looked_at - len(self._in) // _LOOKS)
        if not self.over and self._sized and self._batch.missing < few:
            self._looked_at = self._batch.missing
            self._begin_next()

    def _begin_next(self) -> None:
        """Let those begin the next stage who are sure to be in it, so that few wait for the last.

        Nothing is decided by that: whoever has at least as many behind as are going to leave stays,
        whatever the others still do. With failures, and with ranks, nobody is sure.
        """
        after = self._stage + 1
        if after >= len(self._ends) or self._desk.rules.objective != "mean" or self._may_end:
            return
        book, done = self._desk.book, range(self._due.stop)
        following = range(self._due.stop, self._ends[after])
        whole = len(self._in) * len(self._due) + self._kept * len(following)
        if self._desk.ledger.refusal(whole) is not None:
            return
        there = [id for id in self._in if not book.untold([id], self._due)]
        means = book.costs(there, done).mean(axis=0)
        known = np.sort(means[np.isfinite(means)])
        behind = len(known) - np.searchsorted(known, means, side="right")
        sure = np.isfinite(means) & (behind >= len(self._in) - self._kept)
        book.want([there[int(i)] for i in np.flatnonzero(sure)], following, priority=1)

    def _stages(self, evaluations: float) -> list[int]:
        """After how many instances the better half goes on, at most."""
        most = most_instances(evaluations, self._settings)
        return rungs(int(min(most, self._desk.rules.limit)))

    @property
    def _may_end(self) -> bool:
        """Whether the stage under way is the last if instances agree."""
        return self._settings.first_instances is None and self._due.stop >= _FEWEST

    @property
    def _kept(self) -> int:
        """How many stay after the stage under way: the better half, of at least m."""
        return max(self._settings.elites, math.ceil(len(self._in) / 2))

    @property
    def _due(self) -> range:
        """The steps of the stage under way."""
        return range(self.instances, self._ends[self._stage])

    def _size(self) -> None:
        """Now that some have run: add as many as the time allows."""
        ledger, book = self._desk.ledger, self._desk.book
        self._sized = True
        expected = ledger.expected(book.outcomes(self._in, self._due))
        self._enter(self._further(expected))
        self._ends = self._stages(expected)
        self._batch = book.want(self._in, self._due)

    def _further(self, evaluations: float | None = None) -> list[Draw]:
        """The configurations of the design that are missing."""
        if evaluations is None:
            evaluations = self._desk.ledger.evaluations
        missing = initial_size(evaluations, self._settings) - len(self._in)
        return self._design.take(missing)

    def _enter(self, draws: list[Draw]) -> None:
        self._in += [self._desk.book.enter(draw) for draw in draws]

    def _close(self) -> None:
        """End a stage: the better half stays."""
        book, ledger = self._desk.book, self._desk.ledger
        outcomes = book.outcomes(self._in, self._due)
        self.why = ledger.charge(outcomes, self._due.stop)
        if self.why is None:
            if self._may_end and self._agreed():
                self._ends = self._ends[: self._stage + 1]
            self.instances, self._stage = self._due.stop, self._stage + 1
            self._keep_better_half()
            failed = all(math.isinf(o.cost) for id in self._in for o in book.outcomes_of(id))
            slow = all(outcome.status is Status.TIMEOUT for outcome in outcomes)
            if failed and (self._stage == len(self._ends) or not slow):
                self.why = Stop.ALL_FAILED
        self.over = self.why is not None or self._stage == len(self._ends)
        if not self.over:
            self.why = ledger.refusal(len(self._in) * len(self._due))
            self.over = self.why is not None
        if not self.over:
            self._looked_at = math.inf
            self._batch = book.want(self._in, self._due)

    def _agreed(self) -> bool:
        """Whether the instances met agree on which configurations are good."""
        rules = self._desk.rules
        costs = self._desk.book.costs(self._in, range(self._due.stop))
        return agreement(costs, rules.objective) >= _AGREED

    def _keep_better_half(self) -> None:
        """The best m at the end, else the better half, of at least m."""
        last, m = self._stage == len(self._ends), self._settings.elites
        keep = m if last else self._kept
        costs = self._desk.book.costs(self._in, range(self.instances))
        order = best_first(costs, self._desk.rules.objective)
        ranked = [self._in[int(i)] for i in order]
        scores = block_scores(costs[:, order], self._desk.rules.objective)
        self._desk.decided(displaced(ranked, scores, keep))
        self._remember(ranked if last else ranked[keep:])
        self._in = ranked[:keep]
        self.elites = ranked[:m]

    def _remember(self, ids: list[int]) -> None:
        """Enter configurations into the history, with what decided on them."""
        book, steps = self._desk.book, range(self.instances)
        for id in ids:
            self._desk.history.add(book.points[id], steps, book.costs([id], steps)[:, 0])
