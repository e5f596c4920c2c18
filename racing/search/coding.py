"""Configurations as points, and the points that may still be tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.search.model.model import Proposal
from racing.space import Space
from racing.space.parameter import Value, Values

Floats = NDArray[np.float64]

_TRIES = 200
"""Draws that were all tried before, or forbidden, before a search takes the space for used up."""


@dataclass(frozen=True)
class Draw:
    """A configuration that was drawn: its point (numbers on the unit scale, NaN = inactive)."""

    point: Floats
    values: Values
    parent: int | None = None


class Coding:
    """A space as a search sees it: points of the unit cube become new, allowed configurations."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._encoding = space.encoding
        categories = [kind == "category" for kind in self._encoding.kinds]
        levels = np.array(self._encoding.levels, dtype=np.intp)
        self.choices: NDArray[np.intp] = np.where(categories, levels, 0)
        self._tried: set[object] = set()

    @property
    def dimension(self) -> int:
        """How many parameters there are."""
        return len(self.choices)

    def know(self, values: Mapping[str, Value]) -> Draw | None:
        """A configuration that is given; None if it was tried before."""
        complete = self.space.complete(values)
        if self.taken(complete):
            return None
        return Draw(self._encoding.encode([complete])[0], complete)

    def taken(self, values: Values) -> bool:
        """Whether a configuration was tried before; from now on it was."""
        key = self.space.key(values)
        if key in self._tried:
            return True
        self._tried.add(key)
        return False

    def fresh(self, draw: Callable[[], Proposal]) -> Draw | None:
        """The first point drawn that is allowed and new; None if there is hardly any."""
        for _ in range(_TRIES):
            proposal = draw()
            row = self._encoding.from_points(proposal.point[None])
            if not self._encoding.allowed(row)[0]:
                continue
            values = self._encoding.decode(row)[0]
            if not self.taken(values):
                return Draw(self._encoding.encode([values])[0], values, proposal.parent)
        return None
