"""Where costs come from. A world makes one race's matrix, and knows the truth about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Floats = NDArray[np.float64]

_DRAWS = 500
"""Of the noise, for the truth about a synthetic world."""


@dataclass(frozen=True)
class Sample:
    """One race's world.

    Attributes
    ----------
    costs : (N, q) array
        What candidate j costs on the i-th instance; lower is better.
    mean : (q,) array
        The true mean cost of each candidate; inf-free.
    rank : (q,) array
        The true mean rank of each candidate among all, from 1.
    alike : callable
        (i, j) → the true probability that i beats j, ties half; for what "indistinguishable" meant.
    """

    costs: Floats
    mean: Floats
    rank: Floats
    alike: Callable[[int, int], float]

    def truth(self, objective: str) -> Floats:
        """What the race is after: lower is better."""
        return self.mean if objective == "mean" else self.rank


class World(Protocol):
    """Draws samples."""

    def sample(self, rng: np.random.Generator) -> Sample: ...


@dataclass(frozen=True)
class Normal:
    """Benavoli et al. (2015), section 7.1: means uniform on [0, 1], equal variances, no more.

    The paper maximizes; here costs are the negated scores.
    """

    q: int
    rho: float
    rows: int

    def sample(self, rng: np.random.Generator) -> Sample:
        """Draw the means, then the observations."""
        from scipy.special import ndtr

        mean = -rng.uniform(size=self.q)
        costs = mean + self.rho * rng.standard_normal((self.rows, self.q))
        return Sample(
            costs,
            mean,
            rankdata(mean),
            lambda i, j: float(ndtr((mean[j] - mean[i]) / (np.sqrt(2) * self.rho))),
        )


@dataclass(frozen=True)
class Synthetic:
    """Means plus noise of a chosen kind, with effects of the instances, and then a transform.

    Attributes
    ----------
    q, rows
        Candidates, instances.
    means
        (rng, q) → true locations, in units of the noise.
    noise
        (rng, shape) → noise with spread 1.
    effect
        Spread of the instances' effects.
    change
        Applied to the costs, and monotone: rounding for ties, a cutoff for timeouts.
    units
        Decades over which the units of the instances spread: all costs on an instance are in its
        own, drawn log-uniformly.
    """

    q: int
    rows: int
    means: Callable[[np.random.Generator, int], Floats]
    noise: Callable[[np.random.Generator, tuple[int, int]], Floats]
    effect: float = 1.0
    change: Callable[[Floats], Floats] = lambda costs: costs
    units: float = 0.0

    def sample(self, rng: np.random.Generator) -> Sample:
        """Draw the means and the costs, and measure the truth about these means."""
        means = self.means(rng, self.q)
        noise = self.noise(rng, (self.rows, self.q))
        costs = self.change(means + self.effect * rng.standard_normal((self.rows, 1)) + noise)
        if self.units:
            costs *= 10 ** rng.uniform(0, self.units, (self.rows, 1))
        return self._measured(costs, means, rng)

    def _measured(self, costs: Floats, means: Floats, rng: np.random.Generator) -> Sample:
        """The truth by simulation, with all instances in the same units.

        All candidates are given the same draws, and the same draws of a rival, so that errors of
        the simulation cannot turn round the order of two candidates: who has the better location
        has the better truth, and alike candidates have the same.
        """
        shared = self.effect * rng.standard_normal((_DRAWS, 1))
        own, rival = self.noise(rng, (2 * _DRAWS, 1)).reshape(2, _DRAWS, 1)
        mine, theirs = (self.change(means + shared + noise) for noise in (own, rival))
        less = (mine[:, :, None] < theirs[:, None]).mean(axis=0)
        wins = (less + (mine[:, :, None] <= theirs[:, None]).mean(axis=0)) / 2
        wins = (wins + 1 - wins.T) / 2  # each as itself and as the rival
        mean = (mine + theirs).mean(axis=0) / 2
        return Sample(costs, mean, self.q + 0.5 - wins.sum(axis=1), lambda i, j: float(wins[i, j]))


@dataclass(frozen=True)
class Matrix:
    """A measured matrix (candidates × instances × repetitions), instances in random order.

    At most `candidates` of its rows take part in a race, drawn at random; the truth is over all
    instances of the matrix.
    """

    file: str
    candidates: int | None = None
    rows: int | None = None

    def sample(self, rng: np.random.Generator) -> Sample:
        """Draw candidates, an order of the instances, and a repetition for each cell."""
        cost = load(self.file)
        q, n, repetitions = cost.shape
        picked = rng.permutation(q)[: self.candidates or q]
        order = rng.permutation(n)[: self.rows or n]
        which = rng.integers(repetitions, size=(len(picked), len(order)))
        costs = cost[picked[:, None], order[None, :], which].T
        whole = cost[picked].mean(axis=2).T
        return Sample(
            np.ascontiguousarray(costs),
            whole.mean(axis=0),
            rankdata(whole, axis=1).mean(axis=0),
            lambda i, j: _beats(whole, i, j),
        )


@cache
def load(file: str) -> Floats:
    """The costs of a matrix file, (candidates, instances, repetitions)."""
    with np.load(Path(file)) as data:
        return np.asarray(data["cost"], dtype=np.float64)


def _beats(costs: Floats, i: int, j: int) -> float:
    a, b = costs[:, i], costs[:, j]
    return float((a < b).mean() + (a == b).mean() / 2)
