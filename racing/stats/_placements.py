"""Placements: how many runs of each other group a run is better than.

Mann and Whitney's U, Vargha and Delaney's A, Brunner and Munzel's variance, pseudo-ranks and the
Dirichlet posterior of A are computed from them alone. One sort and two searches for each group give
them for all pairs at once, in O(kN log N).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from racing.stats._checks import Bools, Floats
from racing.stats._groups import Groups


@dataclass(frozen=True, eq=False)
class Placements:
    """Placements of N runs of k groups.

    Attributes
    ----------
    beats
        Shape (k, N): how many runs of group j are worse than run a, equal ones counted half.
        Halves are exact, and so are sums of them.
    equal
        Shape (k, N): how many runs of group j are equal to run a.
    """

    groups: Groups
    beats: Floats
    equal: Floats

    @classmethod
    def of(cls, groups: Groups) -> Placements:
        beats, equal = (np.empty((groups.k, groups.total)) for _ in range(2))
        for j, sample in enumerate(groups.split(groups.costs)):
            ordered = np.sort(sample)
            below = np.searchsorted(ordered, groups.costs, side="left")
            upto = np.searchsorted(ordered, groups.costs, side="right")
            equal[j] = upto - below
            beats[j] = sample.size - (below + upto) / 2
        return cls(groups, beats, equal)

    @property
    def pairs(self) -> Floats:
        """Shape (k, k): the number n_i·n_j of comparisons of i with j."""
        return np.outer(self.groups.sizes, self.groups.sizes).astype(np.float64)

    def u(self) -> Floats:
        """Shape (k, k): U_ij, how many comparisons i wins against j, ties counted half."""
        return self.groups.sums(self.beats).T

    def a(self) -> Floats:
        """Shape (k, k): A_ij = U_ij / (n_i n_j), the chance that i is better than j."""
        return self.u() / self.pairs

    def ties(self) -> Floats:
        """Shape (k, k): how many comparisons of i with j are ties."""
        return self.groups.sums(self.equal).T

    def squares(self) -> Floats:
        """Shape (k, k): Σ over the runs of i of the square of their placement in j."""
        return self.groups.sums(self.beats**2).T

    def scatter(self) -> Floats:
        """Shape (k, k): Σ over the runs of i of the squared distance of their placement in j from
        its mean, in units of runs of j."""
        centred = self.beats - np.repeat(self.u().T / self.groups.sizes, self.groups.sizes, axis=1)
        return self.groups.sums(centred**2).T

    def tie_sums(self) -> Floats:
        """Shape (k, k): Σ(t³ − t) over the groups of t equal runs of i and j together.

        Σt³ is the sum over the runs of the square of how many are equal to each.
        """
        labels, runs = self.groups.labels, np.arange(self.groups.total)
        squared = self.groups.sums((self.equal + self.equal[labels, runs]) ** 2).T
        sizes = self.groups.sizes
        return np.asarray(squared + squared.T - np.add.outer(sizes, sizes))

    def tied(self) -> Bools:
        """Shape (k, k): whether all runs of i and j are equal."""
        return np.asarray(self.ties() == self.pairs)
