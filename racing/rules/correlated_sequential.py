"""The correlated t-race that keeps its level over the whole race."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from racing.dependence import effective_size
from racing.objective import standing
from racing.quantities import Correlation, Level
from racing.records import Checked
from racing.results import Results
from racing.rules.correlated import groups_seen, lags, rho
from racing.rules.rule import Outlook
from racing.rules.verdict import Verdict, eliminations
from racing.special import ndtr, ndtri

_SOON = 10.0
"""Effective size at which the boundary without an end is tightest."""


@dataclass(frozen=True, kw_only=True)
class CorrelatedSequential(Checked):
    """Correlated t-tests against the leader, at a level that is spent over the whole race.

    Means of dependent instances move like a Brownian motion whose time is the share t of the
    effective size: Cov(mean_n, mean_m) = Var(mean_m) for m > n. By the reflection principle the
    score process crosses a constant b before t = 1 with probability 2·(1 − Φ(b)), however often it
    is looked at. So a candidate leaves once the p-value of the correlated t-test is below
    1 − Φ(b/√t) with 2·(1 − Φ(b)) = α: the spending of O'Brien and Fleming (1979), in effective
    information (Lan and DeMets, 1983). With folds the information comes early, so that early looks
    are not as strict as with independent instances.

    In a race without an end the boundary is the normal mixture of Robbins (1970),
    √((1 + s/n)·ln((n + s)/(s·α²))) at effective size n, with s = 10.

    The price: the first looks drop only who is far behind. It grows with the number of rivals, over
    which the level is divided, since the best must not be lost to any of them.

    Attributes
    ----------
    alpha
        Probability that the best candidate is dropped at all. It is exact for normal differences
        of known variance, and nearly so for that of a few instances; candidates that join late
        are promised nothing.
    correlation
        ρ of costs within a group, n_test/n_total for folds. Default: that of the instances; 0 where
        they have no groups.
    correction
        `bonferroni` divides the level over all rivals; with `none` it is that of each pair.
    """

    alpha: Level = 0.05
    correlation: Correlation | None = None
    correction: Literal["none", "bonferroni"] = "bonferroni"

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        leader = int(standing(results, outlook.objective)[0])
        n, best = len(results.block), results.id(leader)
        lag = lags(results, outlook, leader, self.correlation)
        if lag is None:
            return Verdict(instances=n, leader=best)
        rivals = max(len(results.candidates) - 1, 1) if self.correction == "bonferroni" else 1
        level = nominal_level(
            self.alpha / rivals, lag.size, self._total(results, outlook, lag.size)
        )
        p = lag.p_worse()
        p[leader] = 1.0
        return Verdict(
            instances=n,
            leader=best,
            eliminated=eliminations(
                results,
                np.flatnonzero((p < level) & (lag.mean > 0)),
                against=leader,
                measure="p-value",
                value=p,
                threshold=level,
                statistic=lag.mean,
            ),
        )

    def _total(self, results: Results, outlook: Outlook, size: float) -> float:
        """The effective size of all instances of the race; inf without an end."""
        if math.isinf(outlook.instances):
            return math.inf
        seen, coming = groups_seen(results), list(outlook.coming)
        if results.shared_groups is None:
            coming = [0] * int(outlook.instances)
        elif len(coming) < outlook.instances:  # more than are looked ahead to
            return math.inf
        return effective_size([*seen, *coming], rho(outlook, self.correlation))


def nominal_level(alpha: float, size: float, total: float) -> float:
    """Below which p-value a look rejects, at this effective size out of this total.

    Parameters
    ----------
    alpha
        Probability of rejecting at any look, were there no difference.
    size, total
        The total may be inf.
    """
    if math.isinf(total):
        bound = math.sqrt((1 + _SOON / size) * math.log((size + _SOON) / (_SOON * alpha**2)))
    else:
        bound = -float(ndtri(alpha / 2)) / math.sqrt(min(size / total, 1.0))
    return float(ndtr(-bound))
