"""Configurations as points of the unit scale, each given out once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.search.model.model import Proposal
from racing.space import Configuration, Space, Values

Floats = NDArray[np.float64]

_TRIES = 200
"""Draws that were all tried before, or forbidden, before the space is taken for used up."""


@dataclass(frozen=True)
class Draw:
    """A configuration: its values, its point on the unit scale, and whence it comes."""

    values: Values
    point: Floats
    parent: int | None = None
    origin: str = "given"
    address: tuple[int, ...] = ()
    name: str = ""


class Coding:
    """A space as a search sees it: points of the unit cube become new, allowed configurations.

    Attributes
    ----------
    choices : (d,)
        How many levels a categorical parameter has, 0 for any other.
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        self._encoding = space.encoding
        categories = [kind == "category" for kind in self._encoding.kinds]
        levels = np.array(self._encoding.levels, dtype=np.intp)
        self.choices: NDArray[np.intp] = np.where(categories, levels, 0)
        self._may_refuse = bool(self._encoding.refusals(np.empty((0, self.dimension))))
        self._tried: dict[object, Configuration] = {}

    @property
    def dimension(self) -> int:
        """d: how many parameters there are."""
        return len(self.choices)

    @property
    def tried(self) -> list[Configuration]:
        """Everything that was given out."""
        return list(self._tried.values())

    def point(self, values: Configuration) -> Floats:
        """(d,) a configuration on the unit scale: categories by index, NaN = inactive."""
        point: Floats = self._encoding.encode([values])[0]
        return point

    def rows(self, points: Floats) -> Floats:
        """(n, d) points of the unit cube as rows: categories by index, NaN = inactive."""
        return self._encoding.from_points(points)

    def untried(self, configurations: Iterable[Configuration]) -> list[Values]:
        """Those that were not tried before; from now on they were."""
        return [dict(values) for values in configurations if self._first_time(values)]

    def fresh(self, draw: Callable[[], Proposal], address: tuple[int, ...]) -> Draw | None:
        """The first draw that is allowed and new; None if there is hardly any."""
        for _ in range(_TRIES):
            proposal = draw()
            row = self.rows(proposal.point[None])
            if self._may_refuse and not self._encoding.allowed(row)[0]:
                continue
            values = self._encoding.decode(row)[0]
            if self._first_time(values):
                return Draw(values, row[0], proposal.parent, proposal.origin, address)
        return None

    def _first_time(self, values: Configuration) -> bool:
        key = self.space.key(values)
        if key in self._tried:
            return False
        self._tried[key] = values
        return True
