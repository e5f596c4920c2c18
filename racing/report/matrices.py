"""The costs and the ranks of a run: rows are instances, columns are candidates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from racing.core.results import Results
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Matrices:
    """Matrices of costs and ranks.

    Attributes
    ----------
    ids
        The candidates, one for each of the m columns.
    costs : (n, m)
        Lower is better, +inf = failed, NaN = not run; the rows are instances by step.
    """

    ids: tuple[int, ...]
    costs: Floats

    @classmethod
    def of(cls, results: Results) -> Matrices:
        """The matrices of a race's results."""
        return cls(ids=tuple(int(id) for id in results.candidates), costs=results.costs)

    @cached_property
    def ran(self) -> NDArray[np.bool_]:
        """(n, m) whether there is a cost."""
        return ~np.isnan(self.costs)

    @cached_property
    def ranks(self) -> Floats:
        """(n, m) ranks within a row among those that ran there: 1 is best, ties share; NaN."""
        if self.costs.size == 0:
            return self.costs.copy()
        failed = np.isposinf(self.costs)
        filled = np.where(failed, np.finfo(np.float64).max, self.costs)
        filled[~self.ran] = np.inf  # after all that ran, failures included
        ranks = rank_rows(filled, check=False)
        ranks[~self.ran] = np.nan
        return ranks

    @cached_property
    def relative(self) -> Floats:
        """(n, m) places among those that ran: 0 is the best, 1 the worst, ½ if alone; NaN."""
        most = self.ran.sum(axis=1, keepdims=True) - 1
        alone = most < 1
        places: Floats = np.where(alone, 0.5, (self.ranks - 1) / np.where(alone, 1, most))
        places[~self.ran] = np.nan
        return places

    @cached_property
    def among_all(self) -> Floats:
        """(n, m) places among all candidates that ran at all, from 0 to 1; NaN where not run.

        Those that had left count as worse. So a place does not get worse because others left.
        """
        most = int(self.ran.any(axis=0).sum()) - 1
        places: Floats = (self.ranks - 1) / most if most > 0 else np.full(self.ranks.shape, 0.5)
        places[~self.ran] = np.nan
        return places

    @cached_property
    def standing(self) -> Floats:
        """(m,) mean relative place of each candidate over its instances, NaN without one.

        An instance counts as often as others ran on it: so this is the share of comparisons, with
        any other on any instance, that were lost, a tie by half. The places of the last few among
        themselves then weigh little beside those that they had among all. It compares candidates
        roughly, and is no test.
        """
        others = np.where(self.ran, self.ran.sum(axis=1, keepdims=True) - 1, 0)
        lost = np.where(self.ran, self.ranks - 1, 0.0).sum(axis=0)
        compared = others.sum(axis=0)
        unseen = np.where(self.ran.any(axis=0), 0.5, np.nan)
        means: Floats = np.divide(lost, compared, out=unseen, where=compared > 0)
        return means

    @cached_property
    def column(self) -> dict[int, int]:
        """Id → column."""
        return {id: place for place, id in enumerate(self.ids)}

    @cached_property
    def places(self) -> dict[int, float]:
        """Id → mean relative place."""
        return dict(zip(self.ids, self.standing.tolist(), strict=True))

    def pair(self, first: int, second: int) -> tuple[NDArray[np.intp], Floats]:
        """The rows that two candidates share, and their costs there, (n', 2)."""
        if not {first, second} <= self.column.keys():
            return np.empty(0, np.intp), np.empty((0, 2))
        columns = [self.column[first], self.column[second]]
        both = self.ran[:, columns].all(axis=1)
        return np.flatnonzero(both), self.costs[both][:, columns]
