"""Two candidates on the same instances: their difference, and whether it is shown."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from racing.stats.clusters import group_means

if TYPE_CHECKING:
    from racing.stats.effects import Superiority
    from racing.stats.wilcoxon import SignedRanks

FEW = 6
"""Instances below which no 95 % interval of the median difference has two ends."""

Kind = Literal["shares", "hodges-lehmann", "median"]
Evidence = Literal["better", "worse", "open", "few"]
"""What is shown: the first is better or worse, neither, or there are too few instances."""


class Difference(NamedTuple):
    """Other − own cost, above 0 where the first is better, and its interval.

    The median, or for costs that are all 0 or 1 the difference of the shares that are right.
    """

    estimate: float
    low: float
    high: float
    level: float


@dataclass(frozen=True, kw_only=True)
class Paired:
    """A candidate against another one, instance by instance.

    Attributes
    ----------
    instances
        How many instances both ran.
    own_failures, other_failures
        On how many of them each failed.
    succeeded
        On how many neither failed.
    gain
        The difference where neither failed; None where there is no such instance.
    overall
        The same with failures, as infinite differences: what `evidence` rests on.
    superiority
        The chance that the first is better on an instance, with its interval.
    test
        Wilcoxon signed-rank test, two-sided.
    groups
        How many groups the instances come in; None if they are independent. Then `gain`, `overall`
        and `test` are of the means of groups, each of which counts once; a difference of shares
        has an error clustered by group.
    right
        Where all costs are 0 or 1, or all scores: the shares of instances on which each is right,
        which has the lower cost; None for other costs.
    mcnemar
        Where all costs are 0 or 1, the p-value of McNemar's exact test, two-sided, which takes
        instances as independent; None for other costs, or where they come in groups.
    """

    instances: int
    own_failures: int
    other_failures: int
    succeeded: int
    gain: Difference | None
    overall: Difference
    superiority: Superiority
    test: SignedRanks
    groups: int | None = None
    right: tuple[float, float] | None = None
    mcnemar: float | None = None

    @property
    def independent(self) -> int:
        """The number of independent observations: groups, or instances without groups."""
        return self.instances if self.groups is None else self.groups

    @property
    def evidence(self) -> Evidence:
        """The verdict of these instances, by the interval that counts failures as worst.

        Of shares, whose interval is approximate, McNemar's exact test must agree.
        """
        if 2.0 ** (1 - self.independent) > 1 - self.overall.level + 1e-12:
            return "few"  # no interval has two ends
        if self.mcnemar is not None and self.mcnemar >= 1 - self.overall.level:
            return "open"
        if self.overall.low > 0:
            return "better"
        return "worse" if self.overall.high < 0 else "open"

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the interval of `gain`; None if one of them is infinite."""
        if self.gain is None or not np.isfinite([self.gain.low, self.gain.high]).all():
            return None
        return self.gain.low, self.gain.high


def paired(
    costs: NDArray[np.float64], *, level: float = 0.95, groups: Sequence[Hashable] = ()
) -> Paired:
    """Compare two candidates.

    Parameters
    ----------
    costs : (n, 2)
        Of the first and of the other on n ≥ 1 instances; lower is better, +inf = failed.
    level
        Of the intervals.
    groups : (n,)
        The group of each instance; () if they are independent.
    """
    from racing.stats.effects import vargha_delaney
    from racing.stats.shares import share_difference
    from racing.stats.wilcoxon import wilcoxon

    own, other = costs.T
    both = np.asarray(np.isfinite(costs).all(axis=1))
    finite, grouped = costs[both], list(compress(groups, both.tolist()))
    rows = group_means(costs, groups) if len(groups) else costs
    failures = np.isinf(costs).sum(axis=0)
    kind = kind_of(costs)
    right = mcnemar = None
    if kind == "shares":
        own_right, other_right = (costs == min(costs.min(), 0.0)).mean(axis=0).tolist()
        right = own_right, other_right
        mcnemar = None if len(groups) else share_difference(own, other).pvalue
    return Paired(
        instances=len(costs),
        own_failures=int(failures[0]),
        other_failures=int(failures[1]),
        succeeded=int(both.sum()),
        gain=difference(finite, kind, level=level, groups=grouped) if len(finite) else None,
        overall=difference(costs, kind, level=level, groups=groups),
        superiority=vargha_delaney(own, other, paired=True, level=level),
        test=wilcoxon(*rows.T),
        groups=len(rows) if len(groups) else None,
        right=right,
        mcnemar=mcnemar,
    )


def kind_of(costs: NDArray[np.float64], exact: int = 1000) -> Kind:
    """The estimates from the costs of two candidates, (n, 2).

    Parameters
    ----------
    exact
        Instances beyond which the plain median stands for the Hodges-Lehmann estimate.
    """
    from racing.stats.shares import is_yes_or_no

    if is_yes_or_no(costs):
        return "shares"
    return "hodges-lehmann" if len(costs) <= exact else "median"


def difference(
    costs: NDArray[np.float64], kind: Kind, *, level: float = 0.95, groups: Sequence[Hashable] = ()
) -> Difference:
    """The gain of the first of two candidates over the second, from their costs, (n, 2)."""
    if kind == "shares":
        from racing.stats.shares import share_difference

        share = share_difference(costs[:, 0], costs[:, 1], groups=groups or None, level=level)
        return Difference(share.difference, share.low, share.high, level)
    from racing.stats.effects import median_difference

    rows = group_means(costs, groups) if len(groups) else costs
    found = median_difference(rows[:, 0], rows[:, 1], estimator=kind, level=level)
    return Difference(found.estimate, found.low, found.high, level)
