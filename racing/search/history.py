"""What all configurations came to that were decided on: what a model may learn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.objective import Objective

Floats = NDArray[np.float64]

_ROOM = 64
"""Rows and columns to begin with; they double when they are full."""


class History:
    """Points and costs in the order of the decisions; it only grows.

    So a part of it is a number: a state holds how many were decided then (`Past`), and all states
    share one history.

    Parameters
    ----------
    dimension
        d: how many parameters there are.
    rows
        Points of the unit cube, (n, d), → rows as `points` are.
    """

    def __init__(
        self, dimension: int, objective: Objective, rows: Callable[[Floats], Floats]
    ) -> None:
        self.rows, self._objective = rows, objective
        self._size = 0
        self._points = np.empty((_ROOM, dimension))
        self._costs = np.full((_ROOM, _ROOM), np.nan)

    def __len__(self) -> int:
        return self._size

    def add(self, point: Floats, steps: Sequence[int], costs: Floats) -> None:
        """Append a configuration: its point, and its costs on these instances."""
        rows, columns = self._costs.shape
        if self._size == rows:
            self._points = np.concatenate([self._points, np.empty_like(self._points)])
            self._costs = np.concatenate([self._costs, np.full((rows, columns), np.nan)])
        while max(steps, default=0) >= self._costs.shape[1]:
            more = np.full(self._costs.shape, np.nan)
            self._costs = np.concatenate([self._costs, more], axis=1)
        self._points[self._size] = point
        self._costs[self._size, list(steps)] = costs
        self._size += 1

    def points(self, count: int) -> Floats:
        """(count, d) the first points on the unit scale, NaN = inactive."""
        return self._points[:count]

    def behind(self, count: int, block: Floats) -> tuple[Floats, NDArray[np.intp]]:
        """By how much each of the first was worse than a block, and on how many instances.

        Parameters
        ----------
        block : (T, m)
            Costs of the elites on the first T instances; +inf = failed.

        Returns
        -------
        scores : (count,)
            `mean`: the mean of the cost less the block's mean on the same instance. Whoever failed
            is one range behind the last of the others. `rank`: the mean share of the block that is
            better, from 0 to 1. 0 for whoever met none of these instances.
        met : (count,)
        """
        block = block[: self._costs.shape[1]]  # further instances nobody here has met
        costs = self._costs[:count, : len(block)]
        there = ~np.isnan(costs)
        if self._objective == "rank":
            scores = _shares_ahead(costs, block)
        else:
            scores = _distances(costs, block)
        met = there.sum(axis=1)
        total = np.where(there, scores, 0.0).sum(axis=1)
        mean = total / np.maximum(met, 1)
        failed = np.isinf(mean)
        if failed.any():
            rest = mean[~failed & (met > 0)]
            low, high = (float(rest.min()), float(rest.max())) if rest.size else (0.0, 0.0)
            mean[failed] = high + ((high - low) or 1.0)
        return mean, met


def _distances(costs: Floats, block: Floats) -> Floats:
    """Costs less the mean of a block's finite costs on the same instance."""
    finite = np.isfinite(block)
    total = np.where(finite, block, 0.0).sum(axis=1)
    return np.asarray(costs - total / np.maximum(finite.sum(axis=1), 1))


def _shares_ahead(costs: Floats, block: Floats) -> Floats:
    """The share of a block with lower costs on the same instance; ties count half."""
    better = (block < costs[:, :, None]).mean(axis=2)
    return np.asarray(better + 0.5 * (block == costs[:, :, None]).mean(axis=2))


@dataclass(frozen=True, slots=True)
class Past:
    """The first `count` of a history: what was decided when a state was.

    Attributes
    ----------
    points : (count, d)
        On the unit scale: numbers in [0, 1], categories as the index of the level, NaN = inactive.
    """

    history: History
    count: int

    def __len__(self) -> int:
        return self.count

    @property
    def points(self) -> Floats:
        return self.history.points(self.count)

    def behind(self, block: Floats) -> tuple[Floats, NDArray[np.intp]]:
        """By how much each was worse than a block; see `History.behind`."""
        return self.history.behind(self.count, block)

    def rows(self, points: Floats) -> Floats:
        """(n, d) points of the unit cube as `points` are: categories by index, NaN = inactive."""
        return self.history.rows(points)
