"""The first phase: known configurations and a Sobol sequence, halved over the first instances."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from racing.core.experiment import Status
from racing.core.stop import Stop
from racing.search.block import Block
from racing.search.coding import Draw
from racing.search.constants import rungs
from racing.search.elites import displaced, ranked
from racing.search.phase import SearchContext
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


class Initial:
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
    least
        The number of instances of the first stage.
    """

    name = "initial"

    def __init__(
        self,
        context: SearchContext,
        *,
        again: Sequence[int] | None = None,
        evaluations: float | None = None,
        least: int = 1,
    ) -> None:
        self._context = context
        self._settings = context.constants.settings
        evaluations = context.account.evaluations if evaluations is None else evaluations
        self._least = least
        self._ends = self._stages(evaluations)
        self._stage = 0
        self._sized = math.isfinite(evaluations)
        self.elites: list[int] = []
        self.instances = 0
        self.over = False
        self.why: Stop | None = None
        self._in: list[int] = list(again or ())
        if again is None:
            self._enter(context.design.given)
        self._enter(self._further(evaluations))
        self._looked_at: float = math.inf  # how many were missing at the last check
        self._asked: list[int] = []  # whether a row only repeats known costs
        self._again = 0  # that row
        self._batch = context.trials.want(self._in, self._due)

    @property
    def steps(self) -> range:
        """The instances that the elites have met."""
        return range(self.instances)

    def update(self, candidate: int) -> None:
        """Close the stage if it is complete."""
        while not self.over and self._batch.complete:
            if self._asked:
                self._answer()
            elif self._sized:
                self._close()
            else:
                self._size()
        few = min(len(self._in) / 4, self._looked_at - len(self._in) // _LOOKS)
        settled = self._sized and not self._asked
        if not self.over and settled and self._batch.missing < few:
            self._looked_at = self._batch.missing
            self._begin_next()

    def _begin_next(self) -> None:
        """Start the next stage with configurations that are certain to be in it: no worker waits.

        This decides nothing: a configuration stays in any case if at least as many are behind it as
        will be dropped. With failures, ranks or several criteria none is certain.
        """
        after = self._stage + 1
        trials, done = self._context.trials, range(self._due.stop)
        by_mean = self._context.constants.objective == "mean" and not trials.several
        if after >= len(self._ends) or not by_mean or self._may_end:
            return
        if trials.known_again(self._due.stop, self._due.stop) is not None:
            return
        following = range(self._due.stop, self._ends[after])
        whole = len(self._in) * len(self._due) + self._kept * len(following)
        if self._context.account.refusal(whole) is not None:
            return
        there = [id for id in self._in if not trials.missing([id], self._due)]
        means = trials.costs(there, done).mean(axis=0)
        known = np.sort(means[np.isfinite(means)])
        behind = len(known) - np.searchsorted(known, means, side="right")
        sure = np.isfinite(means) & (behind >= len(self._in) - self._kept)
        trials.want([there[int(i)] for i in np.flatnonzero(sure)], following, priority=1)

    def _stages(self, evaluations: float) -> list[int]:
        """The numbers of instances after which the better half is kept, at most."""
        most = most_instances(evaluations, self._settings)
        ends = rungs(int(min(most, self._context.constants.limit)))
        return [end for end in ends if end >= self._least] or ends[-1:]

    @property
    def _may_end(self) -> bool:
        """Whether the current stage is the last if instances agree."""
        return self._settings.first_instances is None and self._due.stop >= _FEWEST

    @property
    def _kept(self) -> int:
        """The number that stay after the current stage: the better half, at least m."""
        return max(self._settings.elites, math.ceil(len(self._in) / 2))

    @property
    def _due(self) -> range:
        """The steps of the current stage."""
        return range(self.instances, self._ends[self._stage])

    def _size(self) -> None:
        """Add as many configurations as the time allows, now that some have run."""
        account, trials = self._context.account, self._context.trials
        self._sized = True
        expected = account.expected(trials.outcomes(self._in, self._due))
        self._enter(self._further(expected))
        self._ends = self._stages(expected)
        self._batch = trials.want(self._in, self._due)

    def _further(self, evaluations: float) -> list[Draw]:
        """Further configurations of the design, up to `initial_size`."""
        missing = initial_size(evaluations, self._settings) - len(self._in)
        return self._context.design.take(missing)

    def _enter(self, draws: list[Draw]) -> None:
        self._in += [self._context.trials.enter(draw) for draw in draws]

    def _close(self) -> None:
        """End a stage: keep the better half."""
        trials, account = self._context.trials, self._context.account
        outcomes = trials.outcomes(self._in, self._due)
        self.why = account.charge(outcomes, self._due.stop)
        if self.why is None:
            if self._may_end and self._agreed():
                self._ends = self._ends[: self._stage + 1]
            self.instances, self._stage = self._due.stop, self._stage + 1
            self._keep_better_half()
            failed = not any(o.succeeded for id in self._in for o in trials.outcomes_of(id))
            slow = all(outcome.status is Status.TIMEOUT for outcome in outcomes)
            if failed and (self._stage == len(self._ends) or not slow):
                self.why = Stop.ALL_FAILED
        if self.why is None and self._ask():
            self._batch = trials.want(self._asked, [self._again])
        else:
            self._continue()

    def _ask(self) -> bool:
        """Ask the best about a row with a known problem: does it only repeat known costs?

        It is the next row, or with few evaluations and problems a later one, after the last stage.
        """
        trials = self._context.trials
        evaluations = self._context.account.budget.evaluations or math.inf
        few = self._settings.check_seed and evaluations <= FEW_EVALUATIONS
        few = few and self._stage == len(self._ends)
        most = max(evaluations // _ASKED if few else 0, self.instances)
        again = trials.known_again(self.instances, most)
        if again is not None:
            self._asked, self._again = trials.witnesses(self._in, again), again
            if self._context.account.refusal(len(self._asked)) is not None:
                self._asked = []
        return bool(self._asked)

    def _answer(self) -> None:
        """End if that row only repeats known costs, as those who were asked tell."""
        trials, asked = self._context.trials, self._asked
        outcomes = trials.outcomes(asked, [self._again])
        self.why = self._context.account.charge(outcomes, self.instances)
        rows = trials.second_pass(self._again)
        if self.why is None and self._context.close(asked, rows) and rows.start == self.instances:
            self._ends = self._ends[: self._stage]
        self._asked = []
        self._continue()

    def _continue(self) -> None:
        """Begin the next stage, or end."""
        trials, account = self._context.trials, self._context.account
        self.over = self.why is not None or self._stage == len(self._ends)
        if not self.over:
            self.why = account.refusal(len(self._in) * len(self._due))
            self.over = self.why is not None
        if not self.over:
            self._looked_at = math.inf
            self._batch = trials.want(self._in, self._due)

    def _agreed(self) -> bool:
        """Whether the instances met agree on which configurations are good."""
        return self._block(self._due.stop).agreement() >= _AGREED

    def _block(self, instances: int) -> Block:
        objective = self._context.constants.objective
        return self._context.trials.block(self._in, range(instances), objective)

    def _keep_better_half(self) -> None:
        """Keep the best m at the end, else the better half, at least m."""
        last, m = self._stage == len(self._ends), self._settings.elites
        keep = m if last else self._kept
        ids, block = ranked(self._in, self._block(self.instances))
        self._context.decided(displaced(ids, block, keep))
        self._in, self.elites = ids[:keep], ids[:m]
