"""Draws of the means of all algorithms in all metrics, and who dominates whom in each draw.

Weights are those of the Bayesian bootstrap (Rubin, 1981), widened: with few instances the bootstrap
is too sure. Of n instances the variance of a mean becomes s²/n · (1 + 5/n), with the unbiased
variance s². Weights of a part of the instances are those of all, scaled to add up to 1: these are
Dirichlet weights again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from racing.stats._checks import Bools, Floats, Ints

_CAUTION = 5.0
_ROUNDING = 1e-12
"""Smaller differences of shares are rounding errors."""
_CELLS = 2**21
"""Comparisons in memory at a time."""


@dataclass(frozen=True, eq=False)
class MeanDraws:
    """Draws of the means of m algorithms on n instances in K metrics.

    Attributes
    ----------
    costs : (n, m, K)
        Lower is better; NaN in all metrics where an algorithm failed.
    shares : (draws, n)
        Dirichlet weights.
    equal : (K,)
        Two means that differ by no more are equal.
    """

    costs: Floats
    shares: Floats
    equal: Floats

    def parts(self) -> Iterator[Floats]:
        """The draws in parts that fit into memory."""
        m = self.costs.shape[1]
        yield from np.array_split(self.shares, max(len(self.shares) * m * m // _CELLS, 1))

    def dominates(self, part: Floats) -> NDArray[np.bool_]:
        """(draws, m, m) whether the first dominates the second, failures being one more metric.

        Two are compared on the instances on which both ran. With fewer than two of these neither
        dominates, unless one never ran: then its failures decide.
        """
        better, worse = self._failures(part)
        every = np.arange(len(part))
        for (ran, these), (also, those) in combinations_with_replacement(self._patterns, 2):
            both = ran & also
            at, back = np.ix_(every, these, those), np.ix_(every, those, these)
            if both.sum() >= 2:
                first = self._means(part, both, these)
                second = first if these is those else self._means(part, both, those)
                less, more = self._compared(first, second)
                better[at] |= less
                worse[at] |= more
                if these is not those:
                    better[back] |= more.transpose(0, 2, 1)
                    worse[back] |= less.transpose(0, 2, 1)
            elif ran.any() and also.any():
                worse[at] = worse[back] = True
        return better & ~worse

    def alone(self, part: Floats, dominates: NDArray[np.bool_]) -> Ints:
        """(m,) in how many draws no other dominates it.

        Of those that failed least often, by the instances on which each ran; 0 for the others.
        """
        if not self.failed.any():
            return np.asarray((~dominates.any(axis=1)).sum(axis=0))
        least = self.failed.sum(axis=0) == self.failed.sum(axis=0).min()
        means = np.zeros((len(part), *self.costs.shape[1:]))
        for ran, these in self._patterns:
            if least[these].all():
                means[:, these] = self._means(part, ran, these)
        better, worse = self._compared(means[:, least], means[:, least])
        found = np.zeros(len(least), dtype=np.intp)
        found[least] = (~(better & ~worse).any(axis=1)).sum(axis=0)
        return found

    @cached_property
    def failed(self) -> Bools:
        """(n, m) who failed where."""
        return np.asarray(np.isnan(self.costs).any(axis=2))

    @cached_property
    def _patterns(self) -> list[tuple[Bools, Ints]]:
        """(instances, algorithms): the algorithms that ran on the same instances."""
        failed, which = np.unique(self.failed, axis=1, return_inverse=True)
        own = which.ravel()
        return [(~column, np.flatnonzero(own == at)) for at, column in enumerate(failed.T)]

    def _failures(self, part: Floats) -> tuple[Bools, Bools]:
        """(draws, m, m) whether the first fails less often than the second, and more often."""
        # by the shares as they are: who never failed is surely no worse
        drawn = np.einsum("dn,nm->dm", part, self.failed.astype(np.float64))
        d = drawn[:, :, None] - drawn[:, None, :]
        return np.asarray(d < -_ROUNDING), np.asarray(d > _ROUNDING)

    def _means(self, part: Floats, rows: Bools, columns: Ints) -> Floats:
        """(draws, columns, K) means over some of the instances."""
        weights, costs = widened(part, rows), self.costs[np.ix_(rows, columns)]
        # not a dot product of BLAS, whose last digits depend on the processor
        return np.asarray(np.einsum("dn,nmk->dmk", weights, costs))

    def _compared(self, first: Floats, second: Floats) -> tuple[Bools, Bools]:
        """(draws, p, q) whether the first is better in some metric, and worse in some."""
        better = np.zeros((len(first), first.shape[1], second.shape[1]), dtype=bool)
        worse = np.zeros_like(better)
        for metric, tolerance in enumerate(self.equal):
            d = first[:, :, None, metric] - second[:, None, :, metric]
            better |= d < -tolerance
            worse |= d > tolerance
        return better, worse


def widened(shares: Floats, rows: Bools) -> Floats:
    """(draws, r) weights of two instances or more around 1/r; some may be below 0.

    Parameters
    ----------
    shares : (draws, n)
        Dirichlet weights of all instances.
    rows : (n,)
        Which instances count.
    """
    r = int(rows.sum())
    own = shares if rows.all() else shares[:, rows] / shares[:, rows].sum(axis=1, keepdims=True)
    wider = np.sqrt((r + 1) / (r - 1) * (1 + _CAUTION / r))
    return np.asarray(1 / r + wider * (own - 1 / r))
