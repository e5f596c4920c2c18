"""Draws challengers from the state of a search: near the elites, nearer as the budget is used."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.quantities import NonNegative, Positive
from racing.search.block import Block

Floats = NDArray[np.float64]

_STANDARD = NormalDist()
"""Of the standard library: loading `scipy.special` for it takes longer than all else that `racing
show` and `racing plan` do with a search."""


@dataclass(frozen=True, eq=False)
class Seen:
    """The configurations decided on, for a sampler that learns from them.

    Attributes
    ----------
    points : (n, d)
        On the unit scale, NaN = inactive.
    costs : (n,)
        Mean differences to the elites' mean on the instances that each has met; +inf = failed.
    rows
        Points of the unit cube → the places of their configurations on the unit scale.
    allowed
        Which of these may be run.
    """

    points: Floats
    costs: Floats
    rows: Callable[[Floats], Floats]
    allowed: Callable[[Floats], NDArray[np.bool_]]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class State:
    """The search after `decisions` decisions; it does not depend on running challengers.

    Attributes
    ----------
    decisions
        The number of applied decisions.
    progress
        Share of the search's budget spent so far, from 0 to 1.
    elites
        Ids, the best first.
    points : (m, d)
        The elites on the unit scale, NaN = inactive.
    block
        The elites' block, (T, m): on the first T instances.
    noise
        Pooled variance of the scores' differences between elites.
    standings
        Number of instances n → mean differences to the best elite of the latest challengers tested
        after n instances.
    ranked
        Whether the first of the elites is the best; on a front none is better than another.
    seen
        What a sampler that learns is told; None for any other.
    pending : (p, d)
        The running challengers, of which nothing is known.
    """

    decisions: int
    progress: float
    elites: tuple[int, ...]
    points: Floats
    block: Block
    noise: float
    standings: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    ranked: bool = True
    seen: Seen | None = None
    pending: Floats = field(default_factory=lambda: np.empty((0, 0)))

    @property
    def instances(self) -> int:
        """T: the number of instances that all elites have met."""
        return len(self.block)

    @property
    def costs(self) -> Floats:
        """(T, m) the elites' costs."""
        return self.block.costs


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A point of the unit cube, the elite that it was drawn near, if any, and how it was drawn."""

    point: Floats
    parent: int | None = None
    origin: str = "model"


class Sampler(Protocol):
    """The protocol of samplers: draws configurations from the state of a search.

    A sampler has parameters and no memory. Its draws depend on its arguments alone, so a challenger
    can be drawn again from its number.

    One with an attribute `learns` that is true is told `state.seen`: all configurations decided on,
    and their costs. For others this is None, as it takes time.
    """

    def draw(self, state: State, choices: NDArray[np.intp], rng: np.random.Generator) -> Proposal:
        """A (d,) point of the unit cube; inactive parameters are removed afterwards.

        Parameters
        ----------
        state
            The state of the search; `state.points` are the elites, the best first: numbers on the
            unit scale, categories as the index of the level, NaN = inactive.
        choices : (d,)
            The number of levels of a categorical parameter, 0 for a number. In the point returned,
            level i of k is any number from i/k up to (i+1)/k.
        """


@dataclass(frozen=True, kw_only=True)
class LocalSampler:
    """Draws from normals around an elite, whose width falls exponentially with progress.

    The parent is drawn with weights m, m−1, …, 1 from the best elite to the worst. On a front,
    where none is best, it is drawn evenly, and may take each value from either of two elites. Every
    number is drawn from a normal truncated to its interval, on the unit scale; every category anew
    with a probability that falls with the width. Parameters that are inactive in the parent are
    uniform.

    Attributes
    ----------
    width, cooling
        The standard deviation is width · exp(−cooling · progress).
    resample
        A category is drawn anew with probability resample · min(1, 2 · standard deviation).
    uniform
        Share of challengers that are drawn uniformly from the whole space.
    mixed
        On a front, the share of challengers that are drawn near a mixture of two elites.

    Examples
    --------
    >>> from racing.search import LocalSampler, Search
    >>> from racing.space import Real
    >>> wide = LocalSampler(cooling=0.5)
    >>> search = Search({"x": Real(0, 1)}, range(40), budget=300, sampler=wide)
    """

    width: Positive = 0.5
    cooling: NonNegative = 2.0
    resample: NonNegative = 0.6
    uniform: NonNegative = 0.02
    mixed: NonNegative = 0.5

    def draw(self, state: State, choices: NDArray[np.intp], rng: np.random.Generator) -> Proposal:
        """A point near an elite; see `Sampler`."""
        fresh: Floats = rng.random(len(choices))
        if rng.random() < self.uniform or not state.elites:
            return Proposal(fresh, origin="uniform")
        if state.ranked:
            place = _by_rank(len(state.elites), rng.random())
            parent = state.points[place]
        else:
            place, other = rng.integers(len(state.elites), size=2).tolist()
            mixed = (rng.random(len(fresh)) < 0.5) & (rng.random() < self.mixed)
            parent = np.where(mixed, state.points[other], state.points[place])
        point = self._near(parent, state.progress, choices, fresh, rng)
        return Proposal(point, state.elites[place])

    def _near(
        self,
        parent: Floats,
        progress: float,
        choices: NDArray[np.intp],
        fresh: Floats,
        rng: np.random.Generator,
    ) -> Floats:
        """A point near its parent, from one uniform number for each parameter."""
        sd = self.width * math.exp(-self.cooling * progress)
        moved = truncated_normal(parent, sd, fresh)
        kept = (parent + 0.5) / np.maximum(choices, 1)  # the middle of the parent's category
        anew = rng.random(len(fresh)) < self.resample * min(1.0, 2 * sd)
        point = np.where(choices > 0, np.where(anew, fresh, kept), moved)
        return np.where(np.isnan(parent), fresh, point)


def _by_rank(m: int, u: float) -> int:
    """An index below m with weights m, m−1, …, 1, by a uniform number."""
    total, left = m * (m + 1) / 2, u
    for place in range(m):
        left -= (m - place) / total
        if left < 0:
            return place
    return m - 1


# --- normals that are truncated to the unit interval ---------------------------------------------


def truncated_normal(mean: ArrayLike, sd: ArrayLike, u: ArrayLike) -> Floats:
    """Normal draws within [0, 1], by inversion of uniform ones; the mean itself where sd is 0.

    Parameters
    ----------
    mean, sd, u
        Arrays of one shape, or numbers. NaN gives NaN.
    """
    return np.asarray(_drawn(mean, sd, u), dtype=np.float64)


def _draw(mean: float, sd: float, u: float) -> float:
    if not sd > 0 or math.isnan(mean):
        return mean
    low, high = _below(-mean / sd), _below((1 - mean) / sd)
    share = low + u * (high - low)
    if not 0 < share < 1:  # the normal has nothing beyond, in floating point
        return float(share >= 1)
    return min(max(mean + sd * _STANDARD.inv_cdf(share), 0.0), 1.0)


_drawn = np.vectorize(_draw, otypes=[np.float64])


def _below(x: float) -> float:
    """The probability of a standard normal below x, precise also where it is tiny."""
    return math.erfc(-x / math.sqrt(2)) / 2
