"""Ropes (regions of practical equivalence), and bounds over all priors.

The posteriors of two samples have these names, with difference = first − second cost:

- `p_left`: the first is practically better (its cost is lower by more than the rope);
- `p_rope`: the two are practically equivalent;
- `p_right`: the second is practically better.

The rope is closed: a difference of exactly `rope` is inside. With `rope=0`, `p_rope` is 0, and data
without any difference give 1/2 to either side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from racing.base.errors import InputError
from racing.stats._checks import Floats, as_count

PriorPlace: TypeAlias = Literal["left", "rope", "right", "symmetric"]
PLACES = ("left", "rope", "right", "symmetric")


@dataclass(frozen=True, eq=False)
class RopeBounds:
    """The (lowest, highest) value of each probability over all priors of weight `s`.

    The imprecise Dirichlet process: the prior may lie on the left, in the rope or on the right. If
    the lower bound of a probability is above the required level, no prior changes the decision; if
    only the upper bound is, the data are too few and the prior decides.
    """

    p_left: tuple[Floats, Floats]
    p_rope: tuple[Floats, Floats]
    p_right: tuple[Floats, Floats]
    s: float
    rope: float


def bounds_over(
    posteriors: list[tuple[Floats, Floats, Floats]], s: float, rope: float
) -> RopeBounds:
    """The envelope of several posteriors (p_left, p_rope, p_right), elementwise."""
    low = [np.minimum.reduce(each) for each in zip(*posteriors, strict=True)]
    high = [np.maximum.reduce(each) for each in zip(*posteriors, strict=True)]
    left, inside, right = zip(low, high, strict=True)
    return RopeBounds(left, inside, right, s, rope)


def as_rope(rope: float) -> float:
    """A rope: a finite number from 0, in units of cost."""
    number = isinstance(rope, (int, float, np.integer, np.floating)) and not isinstance(rope, bool)
    if not number or not 0.0 <= rope <= 1e300:  # twice of it must not overflow
        raise InputError(
            f"rope: expected half the width of the region, a finite number from 0, got {rope!r}"
        )
    return float(rope)


def as_generator(rng: np.random.Generator) -> np.random.Generator:
    """Check the caller's random generator."""
    if not isinstance(rng, np.random.Generator):
        raise InputError(f"rng: expected a numpy.random.Generator, got {rng!r}")
    return rng


def as_digits(digits: int | None) -> int | None:
    """Significant digits that differences of costs are rounded to; None for no rounding."""
    if digits is not None and as_count(digits, name="digits") > 15:
        raise InputError(f"digits: a float has 15 significant decimals, got {digits}")
    return digits
