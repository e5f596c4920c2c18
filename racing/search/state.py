"""What a draw and a test may read: the search after a number of decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from racing.search.history import Past

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """The search after `decisions` decisions; nothing in it depends on who is under way.

    Attributes
    ----------
    decisions
        How many have been applied.
    progress
        Share of the search's budget that they and all before them took, from 0 to 1.
    elites
        Ids, the best first.
    points : (m, d)
        The elites on the unit scale, NaN = inactive.
    costs : (T, m)
        The elites' costs on the first T instances.
    noise
        Pooled variance of the scores' differences between elites.
    standings
        Number of instances n → mean differences to the best elite of the latest challengers that
        stood there.
    past
        All that was decided by then, for models that learn from it; None if nothing is kept.
    """

    decisions: int
    progress: float
    elites: tuple[int, ...]
    points: Floats
    costs: Floats
    noise: float
    standings: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    past: Past | None = None

    @property
    def instances(self) -> int:
        """T: how many instances all elites have seen."""
        return len(self.costs)
