"""The candidates that a search begins with: known ones, the default, and a Sobol sequence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from racing.search.coding import Coding, Draw
from racing.search.model import Proposal
from racing.seeds import Purpose, stream
from racing.space.parameter import Value

Floats = NDArray[np.float64]


def given(
    coding: Coding, known: Iterable[Mapping[str, Value]]
) -> list[Draw]:
    """The known configurations in their order, then the default unless it is among them."""
    draws = [coding.know(values) for values in known]
    default = coding.default
    if default is not None:
        draws.append(coding.know(default, name="default"))
    return [draw for draw in draws if draw is not None]


class Design:
    """Further configurations, evenly spread over the space: a scrambled Sobol sequence."""

    def __init__(self, coding: Coding, seed: int) -> None:
        self._coding = coding
        self._points = _sobol(coding.dimension, stream(seed, Purpose.SAMPLE, 0))

    def take(self, n: int) -> list[Draw]:
        """The next `n`; fewer where the space has no more."""
        found: list[Draw] = []
        while len(found) < n:
            draw = self._coding.fresh(lambda: Proposal(next(self._points)))
            if draw is None:
                break
            found.append(draw)
        return found


def _sobol(dimension: int, rng: np.random.Generator) -> Iterator[Floats]:
    """(d,) points, without end."""
    from scipy.stats.qmc import Sobol  # heavy: scipy.stats

    engine = Sobol(dimension, scramble=True, seed=rng)
    while True:
        yield from engine.random(64)
