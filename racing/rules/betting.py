"""The arithmetic of `bets`: weights of rivals, payoffs of bets, and the gambler's wealth.

A row of weights depends on earlier rows alone; this makes the wealth a supermartingale.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from racing.core.results import Results

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SIZES = (np.arange(8) + 0.5) / 8
"""The stakes, as shares of the wealth; each gets a part of the wealth proportional to its size."""

_LOG_PARTS = np.log(SIZES / SIZES.sum())


def payoffs(results: Results, *, focus: float, width: float | None = None) -> Floats:
    """(n, k) payoffs of bets that the survivors lose; 0 on instances that they have not seen.

    Parameters
    ----------
    focus
        The rate at which the weights of rivals fall with their lag behind the leader.
    width
        Pay by differences of costs, in units of this; None: by wins and losses.
    """
    seen = np.logical_not(np.isnan(results.costs))
    costs, field = np.where(seen, results.costs, np.inf), results.alive & seen
    pay = payer(costs, width)
    lost = np.where(field, pay(shares(field.astype(np.float64))), 0.0)
    y = pay(focused(np.cumsum(lost, axis=0) - lost, field, focus))
    paid: Floats = np.where(seen & field.any(axis=1, keepdims=True), y, 0.0)
    return np.asarray(paid[:, results.survivors])


def payer(costs: Floats, width: float | None) -> Callable[[Floats], Floats]:
    """Weights (n, m) → payoffs (n, m): losses less wins, or excess cost in units of `width`."""
    if width is None:
        return Comparisons.of(costs).balance
    return partial(excess, costs, width=width)


def log_wealth(y: Floats) -> Floats:
    """(n, k) log wealth after each instance, from payoffs in [−1, 1]."""
    return mixed(np.cumsum(np.log1p(y[..., None] * SIZES), axis=0))


def mixed(stakes: Floats) -> Floats:
    """Log wealth from the log growth of each size of stake (last axis)."""
    stakes = stakes + _LOG_PARTS
    top = stakes.max(axis=-1)
    wealth: Floats = top + np.log(np.exp(stakes - top[..., None]).sum(axis=-1))
    return wealth


def focused(lost: Floats, field: Bools, focus: float) -> Floats:
    """(n, m) weights of each row from the losses before it, proportional to exp(−focus · lag)."""
    least = np.where(field, lost, np.inf).min(axis=1, keepdims=True)
    lag = np.where(field, lost, 0.0) - np.where(np.isfinite(least), least, 0.0)
    return shares(np.where(field, np.exp(-np.minimum(focus * lag, 700.0)), 0.0))


def shares(weights: Floats) -> Floats:
    """Weights (n, m) with rows that sum to 1, or to 0 without any weight."""
    total = weights.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(weights, total, out=np.zeros_like(weights), where=total > 0))


def excess(costs: Floats, weights: Floats, *, width: float) -> Floats:
    """(n, m) cost above the weighted mean cost of the row, in units of `width`, within ±1.

    A failure counts as `width` above the row's worst number.
    """
    number = np.isfinite(costs)
    worst = np.where(number, costs, -np.inf).max(axis=1, keepdims=True)
    known = np.where(number, costs, np.where(np.isfinite(worst), worst, 0.0) + width)
    mean = (known * weights).sum(axis=1, keepdims=True)
    return np.asarray(np.clip((known - mean) / width, -1.0, 1.0))


@dataclass(frozen=True, eq=False)
class Comparisons:
    """The sorted rows of an (n, m) matrix of costs, with their groups of ties.

    Attributes
    ----------
    order
        Columns, best first.
    first, last
        For each place, the first and the last place with the same cost.
    """

    order: NDArray[np.intp]
    first: NDArray[np.intp]
    last: NDArray[np.intp]

    @classmethod
    def of(cls, costs: Floats) -> Comparisons:
        """Sort every row."""
        order = np.argsort(costs, axis=1)
        ordered = np.take_along_axis(costs, order, axis=1)
        new = np.ones((len(costs), costs.shape[1] + 1), dtype=bool)
        new[:, 1:-1] = ordered[:, 1:] != ordered[:, :-1]
        place = np.arange(costs.shape[1])
        first = np.maximum.accumulate(np.where(new[:, :-1], place, 0), axis=1)
        ends = np.where(new[:, 1:], place, place[-1])
        last = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
        return cls(order, first, last)

    def balance(self, weights: Floats) -> Floats:
        """(n, m) the weight of all with a lower cost, minus that of all with a higher one."""
        up_to = np.cumsum(np.take_along_axis(weights, self.order, axis=1), axis=1)
        up_to = np.pad(up_to, ((0, 0), (1, 0)))
        lower = np.take_along_axis(up_to, self.first, axis=1)
        higher = up_to[:, -1:] - np.take_along_axis(up_to, self.last + 1, axis=1)
        out = np.empty(weights.shape)
        np.put_along_axis(out, self.order, lower - higher, axis=1)
        return np.asarray(np.clip(out, -1.0, 1.0))
