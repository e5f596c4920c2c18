"""The cooled sampler: near an elite, and nearer as the budget is used up."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.quantities import NonNegative, Positive
from racing.search.model.model import Proposal
from racing.search.state import State
from racing.special import ndtr, ndtri

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Cooled:
    """Draws from normals around an elite, whose width falls exponentially with progress.

    The parent is drawn with weights m, m−1, …, 1 from the best elite to the worst. Every number is
    drawn from a normal truncated to its interval, on the unit scale; every category is drawn anew
    with a probability that falls with the width. What the parent has inactive is uniform.

    Attributes
    ----------
    width, cooling
        The standard deviation is width · exp(−cooling · progress).
    resample
        A category is drawn anew with probability resample · min(1, 2 · standard deviation).
    uniform
        Share of challengers that are drawn uniformly from the whole space.
    """

    width: Positive = 0.5
    cooling: NonNegative = 2.0
    resample: NonNegative = 0.6
    uniform: NonNegative = 0.02

    def draw(self, state: State, choices: NDArray[np.intp], rng: np.random.Generator) -> Proposal:
        """A point near an elite; see `racing.search.model.model`."""
        fresh: Floats = rng.random(len(choices))
        if rng.random() < self.uniform or not state.elites:
            return Proposal(fresh, origin="uniform")
        place = _by_rank(len(state.elites), rng.random())
        point = self._moved(state, state.points[place], choices, fresh, rng)
        return Proposal(point, state.elites[place])

    def near(
        self, state: State, choices: NDArray[np.intp], count: int, rng: np.random.Generator
    ) -> tuple[Floats, list[int]]:
        """(count, d) points near elites, none of them uniform, and the places of their parents."""
        fresh: Floats = rng.random((count, len(choices)))
        places = [_by_rank(len(state.elites), u) for u in rng.random(count)]
        return self._moved(state, state.points[places], choices, fresh, rng), places

    def _moved(
        self,
        state: State,
        parents: Floats,
        choices: NDArray[np.intp],
        fresh: Floats,
        rng: np.random.Generator,
    ) -> Floats:
        """Points near their parents, by uniform numbers of the same shape."""
        sd = self.width * math.exp(-self.cooling * state.progress)
        moved = _truncated_normal(parents, sd, fresh)
        kept = (parents + 0.5) / np.maximum(choices, 1)  # the middle of the parent's category
        anew = rng.random(fresh.shape) < self.resample * min(1.0, 2 * sd)
        points = np.where(choices > 0, np.where(anew, fresh, kept), moved)
        return np.where(np.isnan(parents), fresh, points)


def _by_rank(m: int, u: float) -> int:
    """A place among m with weights m, m−1, …, 1, by a uniform number."""
    total, left = m * (m + 1) / 2, u
    for place in range(m):
        left -= (m - place) / total
        if left < 0:
            return place
    return m - 1


def _truncated_normal(mean: Floats, sd: float, u: Floats) -> Floats:
    """Normal draws within [0, 1], by inversion of uniform ones."""
    low, high = ndtr(-mean / sd), ndtr((1 - mean) / sd)
    return np.clip(mean + sd * ndtri(low + u * (high - low)), 0.0, 1.0)
