"""The survivors of a race by the metrics of a front."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from racing.core.fronts import front, gaps, losses, pooled_noise, probabilities, rivals

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TradeOffs:
    """The survivors of a race by the metrics of a front.

    With scores by `mean`, failures come first, as in every objective: the front is that of the
    candidates that failed least often. With `rank`, a failure has the worst rank in every metric.

    Attributes
    ----------
    values : (n, k, K)
        Scores by instance, lower is better; NaN where a candidate failed.
    failed : (k,)
        The number of failures; 0 with scores by `rank`, which have them in the values.
    ropes : (K,)
        Two means that differ by no more are equal.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.core.trade_offs import TradeOffs
    >>> values = np.array([[[1, 9], [5, 5], [6, 8]], [[2, 9], [4, 5], [6, 7]]], dtype=float)
    >>> found = TradeOffs(values, failed=np.array([0, 0, 0]), ropes=np.zeros(2))
    >>> found.means.tolist()
    [[1.5, 9.0], [4.5, 5.0], [6.0, 7.5]]
    >>> found.front.tolist()
    [True, True, False]
    """

    values: Floats
    failed: NDArray[np.intp]
    ropes: Floats

    @cached_property
    def means(self) -> Floats:
        """(k, K) means over the instances on which a candidate did not fail."""
        ran = ~np.isnan(self.values)
        runs = np.maximum(ran.sum(axis=0), 1)
        return np.asarray((np.where(ran, self.values, 0.0) / runs).sum(axis=0))

    @property
    def first(self) -> Floats:
        """(k,) means in the first metric."""
        return self.means[:, 0]

    @cached_property
    def reliable(self) -> Flags:
        """(k,) which candidates failed least often."""
        return np.asarray(self.failed == self.failed.min())

    @cached_property
    def front(self) -> Flags:
        """(k,) which candidates are on the front."""
        on_front = np.zeros(len(self.means), dtype=bool)
        on_front[self.reliable] = front(self.means[self.reliable], self.ropes)
        return on_front

    @cached_property
    def gaps(self) -> Floats:
        """(k,) by how much each is dominated (`racing.core.fronts.gaps`).

        Among those that failed least often; of the others, among all, whatever failed.
        """
        found = gaps(self.means, self.noise, self.ropes)
        if not self.reliable.all():
            found[self.reliable] = gaps(self.means[self.reliable], self.noise, self.ropes)
        return found

    @cached_property
    def rivals(self) -> NDArray[np.intp]:
        """(k,) the other candidate of each gap; of what failed more often, the knee."""
        found = np.full(len(self.means), np.lexsort(self.merits.T[::-1])[0])
        places = np.flatnonzero(self.reliable)
        found[places] = places[rivals(self.means[places], self.noise, self.ropes)]
        return found

    @cached_property
    def noise(self) -> Floats:
        """(K,) the noise of a score."""
        return pooled_noise(self.values)

    @cached_property
    def merits(self) -> Floats:
        """(k, 4) sort keys, low wins: failures, the front from its knee on, then gaps."""
        beyond = 1.0 + self.means.shape[1]
        given_up = np.minimum(losses(self.means, self.front), beyond)
        return np.column_stack([self.failed, given_up, self.gaps])

    def probabilities(self, rng: np.random.Generator) -> Floats:
        """(k,) of being on the front of the true means; 0 for what failed more often than others.

        Failures are taken as they are. NaN with fewer than two instances.
        """
        found = np.zeros(len(self.means))
        if len(self.values) < 2:
            return np.full_like(found, np.nan)
        found[self.reliable] = probabilities(self.values[:, self.reliable], self.ropes, rng)
        return found
