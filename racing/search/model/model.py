"""What every model is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from racing.search.state import State


@dataclass(frozen=True, slots=True)
class Proposal:
    """A point of the unit cube, the elite that it was drawn near, if any, and how it was drawn."""

    point: NDArray[np.float64]
    parent: int | None = None
    origin: str = "model"


class Model(Protocol):
    """Draws configurations from what a search knows.

    A model is a value: it holds its parameters and no memory. What it draws depends on its
    arguments alone.
    """

    def draw(self, state: State, choices: NDArray[np.intp], rng: np.random.Generator) -> Proposal:
        """A (d,) point of the unit cube; what its categories switch off is left out afterwards.

        Parameters
        ----------
        state
            What is known; `state.points` are the elites, the best first: numbers on the unit scale,
            categories as the index of the level, NaN = inactive.
        choices : (d,)
            How many levels a categorical parameter has, 0 for a number. In the point returned,
            level i of k is any number from i/k up to (i+1)/k.
        """
