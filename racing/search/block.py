"""A complete block of costs, its order, and comparisons of its columns.

With one cost the mean score decides. Under constraints and with an order of metrics, the first
criterion by which two candidates differ does: failures, then the worst violation of a constraint or
each metric in turn, then the cost. Its values are compared as those of one cost are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from racing.core.failures import WORST, Failures
from racing.core.goal import Criterion, Goal
from racing.core.objective import Objective, standing
from racing.core.results import Results
from racing.search.scores import agreement, block_scores, differences, pooled_noise

Floats = NDArray[np.float64]

_UNKNOWN = 2.0
"""The variance, in mean squares of the differences, of a criterion in which no elites differ: one
instance alone then drops no challenger at the default level."""


MARGIN = 2.0
"""Standard errors by which an elite must be better than a limit to meet it: of many challengers the
fastest that seem to meet it are those which were lucky."""


class Lag(NamedTuple):
    """How far a candidate is behind another.

    Attributes
    ----------
    d : (n,)
        Differences in what decides between them, one an instance; above 0 is worse.
    noise
        The variance of such differences, as far as it is known of the elites.
    rest
        The number of criteria from the one that decides to the last; 0 with one cost.
    """

    d: Floats
    noise: float
    rest: int = 0

    @property
    def behind(self) -> float:
        """The mean difference; with several criteria, an earlier one counts more.

        It is then ±(rest + |d̄|/(1 + |d̄|)), which orders candidates beside one other.
        """
        mean = float(self.d.mean())
        if not self.rest or not mean:
            return mean
        return math.copysign(self.rest + abs(mean) / (1 + abs(mean)), mean)


@dataclass(frozen=True, eq=False)
class Block:
    """Costs of candidates on instances that all of them have met.

    Attributes
    ----------
    costs : (n, k)
        +inf = failed.
    objective
        What is averaged over instances.
    metrics : (n, k, K)
        The costs of each metric, where the goal needs them.
    goal
        Constraints or an order; None where the costs alone decide.
    failures
        What a failure counts as.
    """

    costs: Floats
    objective: Objective
    metrics: Floats | None = None
    goal: Goal | None = None
    failures: Failures = WORST

    def __len__(self) -> int:
        return len(self.costs)

    def take(self, columns: Sequence[int] | NDArray[np.intp]) -> Block:
        """The block of these columns."""
        metrics = None if self.metrics is None else self.metrics[:, columns]
        return replace(self, costs=self.costs[:, columns], metrics=metrics)

    def at(self, steps: Sequence[int]) -> Block:
        """The block of these rows."""
        metrics = None if self.metrics is None else self.metrics[steps]
        return replace(self, costs=self.costs[steps], metrics=metrics)

    def beside(self, other: Block) -> Block:
        """Both blocks, of the same instances."""
        metrics = None
        if self.metrics is not None and other.metrics is not None:
            metrics = np.concatenate([self.metrics, other.metrics], axis=1)
        costs = np.column_stack([self.costs, other.costs])
        return replace(self, costs=costs, metrics=metrics)

    # --- all columns ------------------------------------------------------------------------

    @property
    def scores(self) -> Floats:
        """(n, k) scores of the costs, which may be averaged."""
        return block_scores(self.judged, self.objective)

    @cached_property
    def judged(self) -> Floats:
        """(n, k) the costs, each failure as what it counts as."""
        return self.failures.judged(self.costs)[0]

    def results(self, ids: Sequence[int]) -> Results:
        """The block as a rule or a report reads it; the ids are those of its columns."""
        costs = np.array(self.costs)
        costs.flags.writeable = False
        alive, places = np.ones(costs.shape, dtype=bool), np.arange(len(ids))
        return Results(
            costs, alive, tuple(ids), places, metrics=self.metrics, goal=self.goal,
            failures=self.failures,
        )  # fmt: skip

    def order(self, margin: float = 0.0) -> NDArray[np.intp]:
        """The columns, the best first.

        Parameters
        ----------
        margin
            Standard errors by which a mean must be better than a limit to meet it.
        """
        columns = self.costs.shape[1]
        if columns == 1:
            return np.zeros(1, dtype=np.intp)
        return standing(self.results(range(columns)), self.objective, margin=margin)

    def noise(self) -> float:
        """The variance of the costs' differences to the first column, pooled over the others."""
        return pooled_noise(self.judged, self.objective)

    def agreement(self) -> float:
        """How far instances agree on which are good; where several criteria differ, the least."""
        if self.goal is None:
            return agreement(self.judged, self.objective)
        known = (np.nan_to_num(one.values) for one in self._criteria)
        differ = (values for values in known if np.ptp(values.mean(axis=0)) > 0)
        return min((agreement(values, "mean") for values in differ), default=1.0)

    # --- pairs ------------------------------------------------------------------------------

    def lag(self, own: Block, steps: Sequence[int], noise: float) -> Lag:
        """How far a further candidate is behind the first column.

        Parameters
        ----------
        own : (n, 1)
            Its block.
        steps
            The rows of this block on which it ran.
        noise
            `noise` of this block.
        """
        here = self.at(steps)
        if self.goal is None:
            both = here.beside(own).judged
            return Lag(differences(both[:, -1], both[:, :-1], self.objective), noise)
        criteria, wide = here.take([0]).beside(own)._criteria, self._criteria
        for rest in range(len(criteria), 0, -1):
            one, best = criteria[-rest].filled, wide[-rest]
            # What a limit is about does not depend on which instances a challenger has met so far.
            of_best = best.beyond(MARGIN)[0] if best.bounded else one[:, 0]
            with np.errstate(invalid="ignore"):
                d = one[:, 1] - of_best
            d = np.where(np.isfinite(d), d, 0.0)  # both failed on all: nothing is known
            if abs(float(d.mean().round(12))) > best.tolerance:
                break
        return Lag(d, best.spread or _UNKNOWN * float((d * d).mean()), rest)

    def lags(self) -> list[Lag]:
        """How far each column but the first is behind it, on all instances."""
        noise, every = self.noise(), range(len(self))
        columns = range(1, self.costs.shape[1])
        if self.goal is None:
            apart = self.scores - self.scores[:, :1]
            return [Lag(apart[:, column], noise) for column in columns]
        return [self.lag(self.take([column]), every, noise) for column in columns]

    @cached_property
    def _criteria(self) -> list[Criterion]:
        assert self.goal is not None
        return self.goal.criteria(self.results(range(self.costs.shape[1])).judged)
