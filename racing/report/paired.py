"""Two candidates on the same instances: by how much one is better, and whether that is shown."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from racing.stats.clusters import group_means

if TYPE_CHECKING:
    from racing.stats.effects import MedianDifference, Superiority
    from racing.stats.wilcoxon import SignedRanks

FEW = 6
"""Instances below which no 95 % interval of the median difference has two ends."""

_MANY = 1000
"""Instances beyond which the plain median stands for the Hodges-Lehmann estimate."""

Evidence = Literal["better", "worse", "open", "few"]
"""What is shown: the first is better or worse, neither, or there are too few instances."""


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
        Median of other − own cost where neither failed: above 0 the first is better. None where
        there is no such instance.
    overall
        The same with failures, as infinite differences: what `evidence` rests on.
    superiority
        The chance that the first is better on an instance, with its interval.
    test
        Wilcoxon signed-rank test, two-sided.
    groups
        How many groups the instances come in; None if they are independent. Then `gain`, `overall`
        and `test` are of the means of groups, each of which counts once.
    """

    instances: int
    own_failures: int
    other_failures: int
    succeeded: int
    gain: MedianDifference | None
    overall: MedianDifference
    superiority: Superiority
    test: SignedRanks
    groups: int | None = None

    @property
    def independent(self) -> int:
        """The number of independent observations: groups, or instances without groups."""
        return self.instances if self.groups is None else self.groups

    @property
    def evidence(self) -> Evidence:
        """What these instances show, by the interval that counts failures as worst."""
        if 2.0 ** (1 - self.independent) > 1 - self.overall.level + 1e-12:
            return "few"  # no interval has two ends
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
    from racing.stats.wilcoxon import wilcoxon

    own, other = costs.T
    both = np.asarray(np.isfinite(costs).all(axis=1))
    finite, rows = costs[both], costs
    if len(groups):
        finite = group_means(finite, list(compress(groups, both.tolist())))
        rows = group_means(costs, groups)
    failures = np.isinf(costs).sum(axis=0)
    return Paired(
        instances=len(costs),
        own_failures=int(failures[0]),
        other_failures=int(failures[1]),
        succeeded=int(both.sum()),
        gain=_difference(finite, level) if len(finite) else None,
        overall=_difference(rows, level),
        superiority=vargha_delaney(own, other, paired=True, level=level),
        test=wilcoxon(*rows.T),
        groups=len(rows) if len(groups) else None,
    )


def _difference(costs: NDArray[np.float64], level: float) -> MedianDifference:
    from racing.stats.effects import median_difference

    estimator: Literal["hodges-lehmann", "median"] = (
        "hodges-lehmann" if len(costs) <= _MANY else "median"
    )
    return median_difference(costs[:, 0], costs[:, 1], estimator=estimator, level=level)
