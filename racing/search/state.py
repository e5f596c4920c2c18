"""The state of a search after a number of decisions, which draws and tests read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from racing.search.block import Block

Floats = NDArray[np.float64]


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
    """

    decisions: int
    progress: float
    elites: tuple[int, ...]
    points: Floats
    block: Block
    noise: float
    standings: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    ranked: bool = True

    @property
    def instances(self) -> int:
        """T: the number of instances that all elites have met."""
        return len(self.block)

    @property
    def costs(self) -> Floats:
        """(T, m) the elites' costs."""
        return self.block.costs
