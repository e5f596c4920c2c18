"""Draws challengers near the elites, nearer as the budget is used."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from racing.base.quantities import NonNegative, Positive
from racing.search.state import State
from racing.search.truncated import truncated_normal

Floats = NDArray[np.float64]


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
