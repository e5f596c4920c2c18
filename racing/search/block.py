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
from racing.stats.ranks import rank_rows

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

    @property
    def of_front(self) -> bool:
        """Whether a front is sought, on which none is better than another."""
        return self.goal is not None and self.goal.kind == "front"

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


# --- scores: they may be averaged -----------------------------------------------------------------


def block_scores(costs: Floats, objective: Objective) -> Floats:
    """(n, k) scores of a complete block, lower is better, always finite.

    Parameters
    ----------
    costs : (n, k)
        Rows are instances that all k configurations have run on; +inf = failed.
    objective
        `mean`: the costs, a failure one range above the worst known cost. `rank`: the ranks
        within each row, as shares of k.
    """
    if objective == "rank":
        return np.asarray(rank_rows(costs, check=False) / costs.shape[1])
    failed = np.isinf(costs)
    return penalised(costs, failed) if failed.any() else costs


def penalised(costs: Floats, failed: NDArray[np.bool_]) -> Floats:
    """Costs with every failure set one range above the worst known cost."""
    known = costs[~failed]
    if known.size == 0:
        return np.zeros_like(costs)
    worst = float(known.max())
    span = worst - float(known.min()) or abs(worst) or 1.0
    return np.where(failed, worst + span, costs)


def differences(own: Floats, block: Floats, objective: Objective) -> Floats:
    """(n,) score differences of a configuration to the first column of a block; above 0 is worse.

    Parameters
    ----------
    own : (n,)
        Its costs.
    block : (n, m)
        The costs of the elites on the same instances, the best elite first.
    """
    best = block[:, 0]
    if objective == "mean" and np.isfinite(own).all() and np.isfinite(best).all():
        return np.asarray(own - best)
    scores = block_scores(np.column_stack([block, own]), objective)
    return np.asarray(scores[:, -1] - scores[:, 0])


def pooled_noise(costs: Floats, objective: Objective) -> float:
    """The variance of differences to the first column, pooled over the others; 0 if unknown."""
    n, k = costs.shape
    if n < 2 or k < 2:
        return 0.0
    scores = block_scores(costs, objective)
    apart = scores[:, 1:] - scores[:, :1]
    return float(apart.var(axis=0, ddof=1).mean())


def probability_better(d: Floats, noise: float, prior: float) -> float:
    """P(mean difference < 0), by a normal with a variance shrunk to the pooled one.

        v = (prior·s² + Σ(d − d̄)²) / (prior − 1 + n),   P = Φ(−d̄ / √(v/n))

    Parameters
    ----------
    d : (n,)
        Differences to the best elite, one an instance.
    noise
        s², the pooled variance of such differences.
    prior
        Weight of s², in instances.
    """
    n = len(d)
    total = 0.0
    values = d.tolist()
    mean = math.fsum(values) / n
    for one in values:
        total += (one - mean) * (one - mean)
    variance = (prior * noise + total) / max(prior - 1 + n, 1)
    if variance <= 0:
        return 0.5 if mean == 0 else float(mean < 0)
    return 0.5 * math.erfc(mean / math.sqrt(2 * variance / n))


def agreement(costs: Floats, objective: Objective) -> float:
    """The agreement of instances on which configurations are good: Cronbach's α of the mean scores.

        α = 1 − MS_residual / MS_configurations

    Instances are the items; it is ICC(3, k) of Shrout and Fleiss (1979). It is 1 if all instances
    have the same differences, around 0 if the means are only noise, and may be negative. It is set
    to 0 with one instance, with fewer than three configurations, or if all means are equal.

    Parameters
    ----------
    costs : (n, k)
        A complete block; rows are instances.
    """
    n, k = costs.shape
    if n < 2 or k < 3:
        return 0.0
    scores = block_scores(costs, objective)
    means = scores.mean(axis=0) - scores.mean()
    between = n * float((means * means).sum()) / (k - 1)
    if between <= 0:
        return 0.0
    rest = scores - scores.mean(axis=1, keepdims=True) - means
    residual = float((rest * rest).sum()) / ((n - 1) * (k - 1))
    return float(1 - residual / between)
