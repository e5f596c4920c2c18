"""The state of a search after a number of decisions, which draws and tests read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from racing.search.block import Block

Floats = NDArray[np.float64]


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
