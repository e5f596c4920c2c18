"""The first phase: known configurations and a Sobol sequence, halved over the first instances."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from racing.core.experiment import Status
from racing.core.stop import Stop
from racing.search.coding import Draw
from racing.search.elites import best
from racing.search.phase import Phase, SearchContext, rungs
from racing.search.settings import FEW_EVALUATIONS, Settings


def initial_size(evaluations: float, settings: Settings) -> int:
    """The number of initial configurations: n₀ = max(m + 2, share · B)."""
    share = settings.initial * evaluations if math.isfinite(evaluations) else 0
    return max(settings.elites + 2, round(share))


_FEWEST, _MOST = 2, 8
"""The least and the greatest number of instances of the first elites."""

_EACH = 40
"""Evaluations of the budget for each of these instances, at least."""

_LOOKS = 64
"""About so many checks, near the end of a stage, for configurations that are certain to stay."""

_ASKED = 10
"""With few evaluations: so many for each problem, at least, and the seed is asked about early."""

_AGREED = 0.15
"""Below this agreement, means are hardly more than noise."""


def most_instances(evaluations: float, settings: Settings) -> int:
    """The greatest number of instances of the first elites: B / 40, from 2 to 8, unless set."""
    if settings.first_instances is not None:
        return settings.first_instances
    return max(_FEWEST, round(min(evaluations / _EACH, _MOST)))


class Initial(Phase):
    """Runs the initial configurations on 1, 2, 4, … instances, and keeps the better half each time.

    It ends after two instances if these agree on which configurations are good. Otherwise the
    choice would be random, so it continues until they agree or the budget allows no more
    (`most_instances`).

    If only time is limited, the number of evaluations is unknown at first. So m + 2 configurations
    run first, and their times show how many more to add.

    Parameters
    ----------
    again
        Ids of earlier candidates that it begins with; None for the known configurations.
    evaluations
        As many as it may expect; None for all that the budget has released.
    """

    name = "initial"

    def __init__(
        self,
        context: SearchContext,
        *,
        again: Sequence[int] | None = None,
        evaluations: float | None = None,
    ) -> None:
        super().__init__(context)
        self._stage = 0
        self._asked: list[int] = []  # who runs a row that may only repeat known costs
        self._again = 0  # that row
        self._ids = list(again or ())
        if again is None:
            self._enter(context.design.given)
        evaluations = context.account.evaluations if evaluations is None else evaluations
        self._sized = math.isfinite(evaluations)
        self._begin(evaluations)

    def _begin(self, evaluations: float) -> None:
        """Plan the stages, add configurations of the design, and run the first stage."""
        missing = initial_size(evaluations, self._settings) - len(self._ids)
        self._enter(self._context.design.take(missing))
        most = most_instances(evaluations, self._settings)
        self._ends = rungs(int(min(most, self._context.limit)))
        self._run()

    def _enter(self, draws: list[Draw]) -> None:
        self._ids += [self._trials.enter(draw) for draw in draws]

    def _run(self) -> None:
        self._looked_at = math.inf  # how many were missing at the last check
        self._want((id, row) for row in self._due for id in self._ids)

    @property
    def _due(self) -> range:
        """The steps of the current stage."""
        return range(self.instances, self._ends[self._stage])

    @property
    def _last(self) -> bool:
        """Whether all stages are over."""
        return self._stage == len(self._ends)

    @property
    def _may_end(self) -> bool:
        """Whether the current stage is the last if instances agree."""
        return self._settings.first_instances is None and self._due.stop >= _FEWEST

    @property
    def _kept(self) -> int:
        """The number that stay after the current stage: the better half, at least m."""
        return max(self._settings.elites, math.ceil(len(self._ids) / 2))

    # --- stages -----------------------------------------------------------------------------

    def update(self, candidate: int = 0) -> None:
        """Close the stage if it is complete; begin the next one early."""
        super().update()
        few = min(len(self._ids) / 4, self._looked_at - len(self._ids) // _LOOKS)
        settled = self._sized and not (self.over or self._asked)
        if settled and self._batch.missing < few:
            self._looked_at = self._batch.missing
            self._begin_next()

    def _begin_next(self) -> None:
        """Start the next stage with configurations that are certain to be in it: no worker waits.

        This decides nothing: a configuration stays in any case if at least as many are behind it as
        will be dropped. With failures, ranks or several criteria none is certain.
        """
        after, trials, done = self._stage + 1, self._trials, range(self._due.stop)
        by_mean = self._context.objective == "mean" and not trials.several
        if after >= len(self._ends) or not by_mean or self._may_end:
            return
        if trials.known_again(done.stop, done.stop) is not None:
            return
        following = range(done.stop, self._ends[after])
        whole = len(self._ids) * len(self._due) + self._kept * len(following)
        if self._account.refusal(whole) is not None:
            return
        there = [id for id in self._ids if not trials.missing([id], self._due)]
        means = trials.costs(there, done).mean(axis=0)
        known = np.sort(means[np.isfinite(means)])
        behind = len(known) - np.searchsorted(known, means, side="right")
        sure = np.isfinite(means) & (behind >= len(self._ids) - self._kept)
        trials.want([there[int(i)] for i in np.flatnonzero(sure)], following, priority=1)

    def _close(self) -> None:
        """End a stage, or what comes between two."""
        if self._asked:
            self._answer()
        elif self._sized:
            self._end_stage()
        else:
            self._sized = True
            self._begin(self._account.expected(self._outcomes))

    def _end_stage(self) -> None:
        """Keep the better half; ask about a known problem, begin the next stage, or end."""
        due, outcomes = self._due, self._outcomes
        if not self._charged(due.stop):
            return
        if self._may_end and self._block(self._ids, range(due.stop)).agreement() >= _AGREED:
            self._ends = self._ends[: self._stage + 1]
        self.instances, self._stage = due.stop, self._stage + 1
        self._keep_better_half()
        failed = not any(o.succeeded for id in self._ids for o in self._trials.outcomes_of(id))
        slow = all(outcome.status is Status.TIMEOUT for outcome in outcomes)
        if failed and (self._last or not slow):
            self.why = Stop.ALL_FAILED
        if self.why is None and self._ask():
            self._want((id, self._again) for id in self._asked)
        else:
            self._continue()

    def _keep_better_half(self) -> None:
        """Keep the best m at the end, else the better half, at least m."""
        m = self._settings.elites
        block = self._block(self._ids, self.steps)
        self._ids, block, verdict = best(self._ids, block, m if self._last else self._kept)
        self._decided(verdict)
        self.elites = best(self._ids, block, m)[0] if block.of_front else self._ids[:m]

    def _ask(self) -> bool:
        """Ask the best about a row with a known problem: does it only repeat known costs?

        It is the next row, or with few evaluations and problems a later one, after the last stage.
        """
        trials, evaluations = self._trials, self._account.budget.evaluations or math.inf
        few = self._settings.check_seed and evaluations <= FEW_EVALUATIONS and self._last
        most = max(evaluations // _ASKED if few else 0, self.instances)
        again = trials.known_again(self.instances, most)
        if again is not None:
            asked = trials.witnesses(self._ids, again)
            refused = self._account.refusal(len(asked)) is not None
            self._asked, self._again = [] if refused else asked, again
        return bool(self._asked)

    def _answer(self) -> None:
        """End if that row only repeats known costs, as those who were asked tell."""
        asked, self._asked = self._asked, []
        rows = self._trials.second_pass(self._again)
        repeats = self._charged(self.instances) and self._context.close(asked, rows)
        if repeats and rows.start == self.instances:
            self._ends = self._ends[: self._stage]
        self._continue()

    def _continue(self) -> None:
        """Begin the next stage, or end."""
        self.over = self.why is not None or self._last
        if not self.over:
            self.why = self._account.refusal(len(self._ids) * len(self._due))
            self.over = self.why is not None
        if not self.over:
            self._run()
