"""The costs that a race has seen so far, as a matrix that rules read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from racing.field import all_field_ranks


@dataclass(frozen=True)
class Results:
    """What a rule sees: rows are instances in the order judged, columns are candidates.

    Attributes
    ----------
    costs : (n, m) array, read-only
        Lower is better, +inf = failed, NaN = not run. A candidate that was dropped keeps the costs
        that it had; one that joined late has seen only some of the rows.
    alive : (n, m) bool array, read-only
        Who was in the race when that instance was closed.
    candidates : tuple of m ids
        Which candidate each column is.
    survivors : (k,) int array
        The columns that are still in the race.
    ranks : (n, m) array, read-only, or None
        Each candidate's rank among all, estimated where some did not run (`racing.field`); NaN
        where it did not run itself. None if nobody has made them yet.
    """

    costs: NDArray[np.float64]
    alive: NDArray[np.bool_]
    candidates: tuple[int, ...]
    survivors: NDArray[np.intp]
    ranks: NDArray[np.float64] | None = None

    @cached_property
    def block(self) -> NDArray[np.float64]:
        """(n', k) costs of the survivors on the instances that all of them have seen."""
        block = self.costs[:, self.survivors]
        complete = ~np.isnan(block).any(axis=1)
        return block if complete.all() else block[complete]

    @cached_property
    def field_ranks(self) -> NDArray[np.float64]:
        """(n', m) `ranks`, made if need be, on the rows of `block`."""
        rows = ~np.isnan(self.costs[:, self.survivors]).any(axis=1)
        ranks = self.ranks if self.ranks is not None else all_field_ranks(self.costs, self.alive)
        return ranks[rows]

    def id(self, survivor: int) -> int:
        """The candidate in a column of `block`."""
        return self.candidates[int(self.survivors[survivor])]
