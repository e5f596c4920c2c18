"""The correlated t-race with a level for the whole race."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from racing.base.quantities import Correlation, Level
from racing.base.records import Checked
from racing.base.special import ndtr, ndtri
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Verdict, against_leader, verdict_on
from racing.rules.correlated import groups_seen, lags, rho
from racing.rules.dependence import effective_size
from racing.rules.rule import Outlook

_SOON = 10.0
"""Effective size at which the boundary of an endless race is tightest."""


@dataclass(frozen=True, kw_only=True)
class CorrelatedSequential(Checked):
    """Correlated t-tests against the leader, with a level that is spent over the whole race.

    Means of dependent instances move like a Brownian motion whose time is the share t of the
    effective size: Cov(mean_n, mean_m) = Var(mean_m) for m > n. By the reflection principle the
    score process crosses a constant b before t = 1 with probability 2·(1 − Φ(b)), for any number of
    looks. So a candidate is dropped when the p-value of the correlated t-test is below 1 − Φ(b/√t)
    with 2·(1 − Φ(b)) = α: the spending of O'Brien and Fleming (1979), in effective information (Lan
    and DeMets, 1983). With folds the information comes early, so early looks are less strict than
    with independent instances.

    In an endless race, the boundary is the normal mixture of Robbins (1970),
    √((1 + s/n)·ln((n + s)/(s·α²))) at effective size n, with s = 10.

    The cost: the first looks drop only candidates far behind. It grows with the number of rivals,
    over which the level is divided, because the best must not be dropped in favour of any of them.

    Attributes
    ----------
    alpha
        Probability that the best candidate is dropped at all. It is exact for normal differences of
        known variance, and approximate for an estimated variance; it does not hold for candidates
        that join late.
    correlation
        ρ of costs within a group, n_test/n_total for folds. Default: that of the instances; 0 where
        they have no groups.
    correction
        `bonferroni` divides the level over all rivals; with `none` it is that of each pair.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import CorrelatedSequential
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=CorrelatedSequential())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    alpha: Level = 0.05
    correlation: Correlation | None = None
    correction: Literal["none", "bonferroni"] = "bonferroni"

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` is not used."""
        leader = int(standing(results, outlook.objective)[0])
        lag = lags(results, outlook, leader, self.correlation)
        if lag is None:
            return verdict_on(results, leader)
        rivals = max(len(results.candidates) - 1, 1) if self.correction == "bonferroni" else 1
        level = nominal_level(
            self.alpha / rivals, lag.size, self._total(results, outlook, lag.size)
        )
        p = lag.p_worse()
        p[leader] = 1.0
        return against_leader(
            results,
            leader,
            np.flatnonzero((p < level) & (lag.mean > 0)),
            measure="p-value",
            value=p,
            threshold=level,
            statistic=lag.mean,
        )

    def _total(self, results: Results, outlook: Outlook, size: float) -> float:
        """The effective size of all instances of the race; inf without an end."""
        if math.isinf(outlook.instances):
            return math.inf
        seen, coming = groups_seen(results), list(outlook.coming)
        if results.shared_groups is None:
            coming = [0] * int(outlook.instances)
        elif len(coming) < outlook.instances:  # more instances than the rule looks ahead
            return math.inf
        return effective_size([*seen, *coming], rho(outlook, self.correlation))


def nominal_level(alpha: float, size: float, total: float) -> float:
    """The p-value below which a look rejects, at this effective size out of this total.

    Parameters
    ----------
    alpha
        Probability of rejecting at any look without a difference.
    size, total
        The total may be inf.
    """
    if math.isinf(total):
        bound = math.sqrt((1 + _SOON / size) * math.log((size + _SOON) / (_SOON * alpha**2)))
    else:
        bound = -float(ndtri(alpha / 2)) / math.sqrt(min(size / total, 1.0))
    return float(ndtr(-bound))
