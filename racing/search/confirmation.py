"""The last phase: compares the best configuration found and the default on fresh instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import Gain, basis, gain
from racing.core import evidence
from racing.core.constraints import Kept, kept
from racing.core.verdict import Verdict
from racing.search.elites import reversed_by
from racing.search.phase import Phase, SearchContext
from racing.search.settings import LEAST_CONFIRMED

Floats = NDArray[np.float64]

LEAST_UNSEEN = 3
"""With fewer unseen problems, new seeds of known ones are confirmed on as well."""

_NEAR = ("model", "uniform")
"""The origins of configurations that were drawn beside the best so far."""


class Confirmation(Phase):
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
    ended
        Whether the search ends here, before anything else is run; see `judge`.

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
    least = LEAST_CONFIRMED // 2
    """The least number of fresh instances."""
    alone = "the winner is the baseline itself"
    """Why nothing is compared where nothing but the baseline was found."""

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
        super().__init__(context, elites, instances)
        self.racing, self.raced = tuple(elites), instances
        self._rows = self.met = tuple(range(instances) if met is None else met)
        self._baseline = context.baseline.id if context.baseline else None
        self.found = next((id for id in elites if id != self._baseline), None)
        self.fresh: Sequence[int] = fresh
        self.worse: float | None = None
        self._ended = ended
        self.skipped = self._reason()
        if ended:
            self.judge()
        elif not self.skipped:
            self._want_fresh()
        elif self.found is None or self._baseline is None:
            self.over = True
        elif self._context.unseen(instances) < 1:  # the baseline meets what is known
            lacking = self._trials.missing([self._baseline], range(instances))
            self._want(lacking if len(lacking) <= self._account.room else [])
        self.update()

    def _close(self) -> None:
        """Choose the winner; by what was charged before, if the outcomes break a limit."""
        self._charged(self.raced + len(self.fresh))
        self._choose()
        self.over = True

    def judge(self) -> None:
        """Choose the winner by all outcomes that there are, as the search ends before more.

        No verdict is told: an extension goes on from before it.
        """
        self._ended, self._decided = True, _untold
        if self._baseline is not None and self.found is not None:
            self._choose()
        self.over = True

    # --- what is compared -------------------------------------------------------------------

    @property
    def _compared(self) -> list[int]:
        """What is compared with the baseline, and then the baseline."""
        assert self._baseline is not None
        return [self._baseline] if self.found is None else [self.found, self._baseline]

    def _reason(self) -> str:
        """The reason why the winner cannot be compared."""
        if self._baseline is None:
            return "there is no default or known configuration to compare with"
        ids, room = self._compared, self._account.room
        if len(ids) == 1:
            return self.alone
        if self._ended and not self.fresh:
            self.fresh = self._met_aside(ids)
            return "" if self.fresh else "the search ended before it"
        if self.fresh:
            return ""
        if self._context.unseen(self.raced) < 1:
            return "the search has learned from all instances"
        needed = self.least * len(ids)
        if room < needed and len(affordable(self._context, ids, self.raced, room)) < self.least:
            return f"the budget has not {needed} evaluations left for it"
        return ""

    def _met_aside(self, ids: Sequence[int]) -> Sequence[int]:
        """The rows set aside that these have met, in a confirmation before."""
        aside = sorted({row for _, row in self._trials.recorded if row < 0}, reverse=True)
        return self._trials.complete(ids, aside)

    def _want_fresh(self) -> None:
        """Queue rows of fresh instances; a third of the budget is for known ones."""
        ids, known = self._compared, []
        if not self.fresh:
            room = self._account.room
            known = self._known(room)
            self.fresh = affordable(self._context, ids, self.raced, room - len(known))
        self._want(self._trials.missing(ids, self.fresh) + known)

    def _known(self, room: int) -> list[tuple[int, int]]:
        """The runs of the baseline on instances that the search learned from."""
        return self._trials.missing(self._compared[-1:], range(self.raced))[: room // 3]

    @property
    def _all(self) -> list[int]:
        """The rows that the search learned from, and the fresh ones."""
        return [*range(self.raced), *self.fresh]

    # --- the gain ---------------------------------------------------------------------------

    def gain(self) -> Gain | None:
        """The gain of `found` over the baseline so far; None without outcomes."""
        if self.skipped or self.found is None:
            return None
        trials, ids = self._trials, self._compared
        fresh, known = trials.complete(ids, self.fresh), trials.complete(ids, range(self.raced))
        if not fresh:
            return None
        name, over = (trials.candidates[id] for id in ids)
        on = self.on(fresh)
        mean = self._context.objective == "mean" or on["of"] == "group"
        metric = "" if trials.goal is None else trials.goal.of_one
        two = partial(gain, mean=mean, name=name, over=over, metric=metric)
        return two(
            trials.own_costs(ids, fresh), **on, limits=self._limits(fresh),
            failed=trials.failed(ids, fresh),
            chosen=two(trials.own_costs(ids, known), failed=trials.failed(ids, known)),
        )  # fmt: skip

    def on(self, fresh: Sequence[int]) -> dict[str, Any]:
        """What these rows are beside those that the search learned from, as `gain` takes it."""
        trials, instances = self._trials, self._trials.instances
        problems = trials.problems(fresh)
        of = basis(instances, problems, trials.problems(range(self.raced)))
        return {"of": of, "problems": problems, "correlation": instances.correlation}

    def _limits(self, rows: Sequence[int]) -> tuple[tuple[Kept, ...], tuple[Kept, ...]]:
        """Whether `found` and the baseline meet the constraints on these instances."""
        goal, pair = self._trials.goal, self._compared
        if goal is None or not goal.limits:
            return (), ()
        results = self._block(pair, rows).results(pair)
        own, other = (tuple(kept(goal, results, place)) for place in range(2))
        return own, other

    def gains(self) -> Mapping[int, Sequence[Gain]]:
        """Of a front: id → the gain in each metric (`racing.search.front`); empty otherwise."""
        return {}

    # --- the choice -------------------------------------------------------------------------

    def _choose(self) -> None:
        """Choose the better of the two: what was found, unless it may well be worse."""
        pair, risk = self._compared, self._settings.risk
        rows = self._trials.complete(pair, self._all)
        self.worse = self._probability_worse(*pair)
        ahead = pair[int(self.worse > risk)]
        if ahead == self.elites[0]:
            return
        lost = [id for id in reversed(self.elites) if id != ahead]
        self._decided(reversed_by(ahead, lost, self.worse, risk, rows))
        self.elites, self.instances, self._rows = (ahead,), len(rows), tuple(rows)

    def _probability_worse(self, found: int, baseline: int) -> float:
        """P(`found` is truly worse than the baseline, on average over all problems).

        By all outcomes that are charged, or where the search ends before that by all: see
        `racing.core.evidence`. Without an outcome of both it is 0.5.
        """
        trials, pair, objective = self._trials, (found, baseline), self._context.objective
        division, rows = trials.division, range(trials.division.closed or 0)
        if rows and not (division.aside or trials.several or trials.missing(pair, rows)):
            own, other = self._block(pair, rows).scores.mean(axis=0)
            return 0.5 if own == other else float(own > other)  # nothing is left to chance
        left_out = set() if self._ended else set(self._account.unpaid(trials.recorded))
        return evidence.probability_worse(
            trials.results([], without=left_out),
            trials.instances, trials.seed, found, baseline, objective=objective,
            near={one.candidate.id for one in trials.entrants if one.origin in _NEAR},
        )  # fmt: skip


def _untold(verdict: Verdict) -> None:
    """Tell no verdict."""


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
    most = int(min(context.unseen(met), (evaluations + known) // len(ids)))
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
