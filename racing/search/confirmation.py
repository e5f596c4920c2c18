"""The last phase: compares the best configuration found and the default on fresh instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import Basis, Gain, gain
from racing.core.constraints import Kept, kept
from racing.core.stop import Stop
from racing.search.elites import Margin, reversed_by
from racing.search.evidence import probability_worse
from racing.search.phase import SearchContext
from racing.search.settings import LEAST_CONFIRMED
from racing.search.tasks import Batch

Floats = NDArray[np.float64]

LEAST_UNSEEN = 3
"""With fewer unseen problems, new seeds of known ones are confirmed on as well."""


class Confirmation:
    """Compares the best configuration found with the baseline on fresh instances.

    The baseline is usually the default. If it is one of the elites, the best of the others is
    compared with it. Both are fixed before the first fresh instance, so the measured gain has no
    selection bias. Then `found` wins if the probability that it is truly worse, by all outcomes of
    the search, is at most `Settings.risk`; else the baseline does. If that is not the leading
    elite, only the winner is left.

    Parameters
    ----------
    elites
        Ids, the best first.
    instances
        The number of rows that the search learned from; see `Division`.
    met
        The rows that all elites have met; by default all of these.
    fresh
        Fresh rows, if they were chosen before; by default as many as the budget covers.

    Attributes
    ----------
    elites
        Ids, the winner first.
    racing, raced, met
        The elites at the start of this phase, the number of rows that the search learned from, and
        the rows that the elites had met: an extension continues from these.
    instances
        The number of instances up to the last that all of `elites` have met; for a winner that was
        behind, the number that both have met.
    steps
        These instances.
    fresh
        The rows that had no part in any choice. After an extension, those that are set aside come
        first again: no choice was based on them.
    found
        Id of the configuration compared with the baseline; None without a comparison.
    worse
        The probability that `found` is truly worse than the baseline; None while unknown.
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
        fresh: Sequence[int] = (),
    ) -> None:
        self._context = context
        self._trials, self._account = context.trials, context.account
        self._constants, self._decided = context.constants, context.decided
        self.elites: Sequence[int] = elites
        self.racing, self.raced = tuple(elites), instances
        self.met = tuple(range(instances) if met is None else met)
        self.instances = instances
        self.steps: Sequence[int] = self.met
        self._baseline = context.baseline.id if context.baseline else None
        self.found = next((id for id in elites if id != self._baseline), None)
        self.fresh: Sequence[int] = fresh
        self._batch = Batch()
        self._pairs: list[tuple[int, int]] = []
        self.why: Stop | None = None
        self.worse: float | None = None
        self.skipped = self._reason()
        self.over = bool(self.skipped)
        if not self.over:
            self._want()
            self._advance()
        elif self.found is not None and self._baseline is not None:
            self._complete()

    def update(self, candidate: int) -> None:
        """Choose the winner and end when all pairs are complete."""
        self._advance()

    def _advance(self) -> None:
        if not self.over and self._batch.complete:
            outcomes = [self._trials.recorded[key] for key in self._pairs]
            self.why = self._account.charge(outcomes, self.raced + len(self.fresh))
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
        name, over = (self._trials.candidates[id] for id in self._pair)
        return gain(
            self._costs(fresh),
            mean=True,
            name=name,
            over=over,
            of=self.of(fresh),
            problems=self._trials.problems(fresh),
            limits=self._limits(fresh),
            chosen=gain(self._costs(known), mean=True, name=name, over=over),
        )

    def of(self, fresh: Sequence[int]) -> Basis:
        """Whether the search learned from none of the problems of these rows."""
        problems = self._trials.problems
        unseen = set(problems(fresh)).isdisjoint(problems(range(self.raced)))
        return "unseen" if unseen else "seeds"

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
        """Choose the better of the two: what was found, unless it may well be worse."""
        rows, pair, risk = self._shared(self._all), self._pair, self._risk
        self.worse = probability_worse(self._context, *pair)
        ahead, why = pair[int(self.worse > risk)], Margin("probability worse", self.worse, risk)
        if ahead == self.elites[0]:
            return
        lost = [id for id in reversed(self.elites) if id != ahead]
        self._decided(reversed_by(ahead, lost, why, rows))
        self.elites, self.instances, self.steps = (ahead,), len(rows), tuple(rows)

    @property
    def _risk(self) -> float:
        return self._constants.settings.risk

    @property
    def _pair(self) -> tuple[int, int]:
        assert self.found is not None
        assert self._baseline is not None
        return self.found, self._baseline

    @property
    def _all(self) -> list[int]:
        """The rows that the search learned from, and the fresh ones."""
        return [*range(self.raced), *self.fresh]

    def _shared(self, rows: Sequence[int]) -> list[int]:
        """The rows among these that both have met."""
        return self._trials.complete(self._pair, rows)

    def _costs(self, rows: Sequence[int]) -> Floats:
        """Costs of `found` and of the baseline, (n, 2)."""
        return self._trials.own_costs(self._pair, rows)

    def _reason(self) -> str:
        """The reason why the winner cannot be compared."""
        if self._baseline is None:
            return "there is no default or known configuration to compare with"
        if self.found is None:
            return "the winner is the baseline itself"
        if self.fresh:
            return ""
        if self._constants.unseen(self.raced) < 1:
            return "the search has learned from all instances"
        if self._too_few(self._pair, LEAST_CONFIRMED // 2):
            return f"the budget has not {LEAST_CONFIRMED} evaluations left for it"
        return ""

    def _complete(self) -> None:
        """Choose, after the baseline has met what is known, if nothing fresh is left."""
        if self._constants.unseen(self.raced) < 1:
            lacking = self._trials.missing([self._pair[1]], range(self.raced))
            self._pairs = lacking if len(lacking) <= self._account.room else []
        self._batch, self.over = self._trials.want_pairs(self._pairs), False
        self._advance()

    def _too_few(self, ids: Sequence[int], least: int) -> bool:
        """Whether the budget covers fewer fresh rows, with what an earlier confirmation has met."""
        room = self._account.room
        covered = room >= least * len(ids)
        return not covered and len(affordable(self._context, ids, self.raced, room)) < least

    def _want(self) -> None:
        """Queue pairs on fresh instances; a third of the budget is for known ones."""
        assert self._baseline is not None
        assert self.found is not None
        if self.fresh:
            self._pairs = self._trials.missing([self.found, self._baseline], self.fresh)
            self._batch = self._trials.want_pairs(self._pairs)
            return
        room = self._account.room
        extra = [(self._baseline, row) for row in range(self.raced)]
        extra = [pair for pair in extra if pair not in self._trials.recorded][: room // 3]
        self.fresh = affordable(self._context, self._pair, self.raced, room - len(extra))
        self._pairs = self._trials.missing(self._pair, self.fresh) + extra
        self._batch = self._trials.want_pairs(self._pairs)


def affordable(
    context: SearchContext, ids: Sequence[int], met: int, evaluations: int
) -> Sequence[int]:
    """The rows for a confirmation of these candidates, as many as so many evaluations cover.

    Those that are set aside; where none are, the next ones, of problems that the search has not met
    if there are `LEAST_UNSEEN` of them.

    Parameters
    ----------
    met
        The number of rows that the search learned from.
    """
    trials = context.trials
    known = sum(len(trials.outcomes_of(id)) for id in ids)
    most = int(min(context.constants.unseen(met), (evaluations + known) // len(ids)))
    rows: Sequence[int] = range(-1, -1 - most, -1) if trials.division.aside else []
    if not rows:
        learned, following = set(trials.problems(range(met))), range(met, met + most)
        rows = [
            row
            for row, problem in zip(following, trials.problems(following), strict=True)
            if problem not in learned
        ]
        rows = rows if len(rows) >= LEAST_UNSEEN else following
    lacking = accumulate(len(trials.missing(ids, [row])) for row in rows)
    return rows[: sum(needed <= evaluations for needed in lacking)]
