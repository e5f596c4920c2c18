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
        parent = state.points[place]
        sd = self.width * math.exp(-self.cooling * state.progress)
        moved = _truncated_normal(parent, sd, fresh)
        kept = (parent + 0.5) / np.maximum(choices, 1)  # the middle of the parent's category
        anew = rng.random(len(choices)) < self.resample * min(1.0, 2 * sd)
        point = np.where(choices > 0, np.where(anew, fresh, kept), moved)
        return Proposal(np.where(np.isnan(parent), fresh, point), state.elites[place])


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
