"""The cooled sampler, with its draws screened by random trees over all that was decided."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from racing.quantities import Count
from racing.search.history import Past
from racing.search.model.cooled import Cooled
from racing.search.model.model import Proposal
from racing.search.model.tree import first_best, guesses
from racing.search.state import State

Floats = NDArray[np.float64]

_INACTIVE = -0.5
"""Where an inactive parameter is for a tree: below the unit scale."""


@dataclass(frozen=True, kw_only=True)
class Forest:
    """Of some draws of the cooled sampler the one that a few random trees like best.

    The trees are grown anew for every challenger, each on a Bayesian bootstrap of the decided
    configurations, so that different trees believe different things where little is known: their
    choice is a Thompson draw. What they learn is by how much a configuration was worse than the
    elites on the same instances; whoever met more of them has more weight. Levels of a category are
    put in a random order for every tree.

    Uniform draws are not screened, nor any before `least` configurations are decided on.

    Attributes
    ----------
    sampler
        What is screened.
    draws
        How many for each challenger.
    trees
        How many trees, whose mean decides.
    leaf
        A leaf has at least so many configurations.
    least
        Fewer decided configurations say nothing.
    """

    sampler: Cooled = field(default_factory=Cooled)
    draws: Count = 8
    trees: Count = 3
    leaf: Count = 6
    least: Count = 12

    def draw(self, state: State, choices: NDArray[np.intp], rng: np.random.Generator) -> Proposal:
        """A point near an elite; see `racing.search.model.model`."""
        first = self.sampler.draw(state, choices, rng)
        past = state.past
        if first.parent is None or past is None or len(past) < self.least:
            return first
        points, places = self.sampler.near(state, choices, self.draws - 1, rng)
        points = np.vstack([first.point, points])
        best = first_best(self._guesses(past, state.costs, past.rows(points), choices, rng))
        return first if best == 0 else Proposal(points[best], state.elites[places[best - 1]])

    def _guesses(
        self,
        past: Past,
        block: Floats,
        rows: Floats,
        choices: NDArray[np.intp],
        rng: np.random.Generator,
    ) -> Floats:
        """(n,) the sum of what the trees say of these rows; lower is better."""
        scores, met = past.behind(block)
        known = met > 0
        points, scores, met = past.points[known], scores[known], met[known]
        total = np.zeros(len(rows))
        for _ in range(self.trees):
            places = [rng.permutation(int(n)) / n if n else None for n in choices]
            weights = met * rng.exponential(size=len(met))
            total += guesses(
                _placed(points, places),
                scores,
                weights,
                _placed(rows, places),
                leaf=self.leaf,
                rng=rng,
            )
        return total


def _placed(rows: Floats, places: list[NDArray[np.float64] | None]) -> Floats:
    """Rows without NaN: levels in the places given, what is inactive below the unit scale."""
    placed = np.where(np.isnan(rows), _INACTIVE, rows)
    for column, order in enumerate(places):
        if order is not None:
            active = ~np.isnan(rows[:, column])
            placed[active, column] = order[rows[active, column].astype(int)]
    return placed
