"""Bounds of a Bayesian test over all priors of one weight: the imprecise Dirichlet process.

The prior may lie on the left, in the rope or on the right, and every prior is a mixture of these.
If the lower bound of a probability is above the required level, no prior changes the decision; if
only the upper bound is, the data are too few and the prior decides.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from racing.stats._checks import Floats, as_generator

PriorPlace: TypeAlias = Literal["left", "rope", "right", "symmetric"]
PLACES = ("left", "rope", "right", "symmetric")


@dataclass(frozen=True, eq=False)
class RopeBounds:
    """The (lowest, highest) value of each probability over all priors of one weight.

    `prior_bounds` returns it.

    The imprecise Dirichlet process: the prior may lie on the left, in the rope or on the right. If
    the lower bound of a probability is above the required level, no prior changes the decision; if
    only the upper bound is, the data are too few and the prior decides.

    Examples
    --------
    >>> from racing.stats import dp_sign, prior_bounds
    >>> found = prior_bounds(dp_sign, [1, 2, 3, 4, 5], [2, 3, 4, 5, 6])
    >>> [round(float(one), 3) for one in found.p_left]
    [0.969, 1.0]
    """

    p_left: tuple[Floats, Floats]
    p_rope: tuple[Floats, Floats]
    p_right: tuple[Floats, Floats]


def prior_bounds(
    test: Callable[..., Any],
    *samples: Any,
    rng: np.random.Generator | None = None,
    **options: Any,
) -> RopeBounds:
    """The lowest and the highest results of a test over all priors of weight s.

    Parameters
    ----------
    test : `dp_sign`, `dp_signed_rank` or `dp_rank_sum`.
    samples, rng, options : its arguments but `prior`. Every place of the prior has the same draws,
        so that results differ by the prior alone.

    Notes
    -----
    Benavoli et al. (2014). Without rope these are the extremes over all priors of that weight,
    since the first side gains as the prior moves to the left. With a rope, a prior between the
    places may be slightly beyond them, except in the sign test: its extremes are at a place.

    Examples
    --------
    >>> from racing.stats import dp_sign, prior_bounds
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> low, high = prior_bounds(dp_sign, x, y, s=1).p_right
    >>> round(float(low), 4), round(float(high), 4)
    (0.9844, 1.0)
    """
    places: tuple[PriorPlace, ...] = ("left", "rope", "right")
    streams = [{}] * 3 if rng is None else [{"rng": s} for s in _streams(rng)]
    found = [
        test(*samples, prior=place, **stream, **options)
        for place, stream in zip(places, streams, strict=True)
    ]
    left, inside, right = (
        (np.minimum.reduce(each), np.maximum.reduce(each))
        for each in zip(*((p.p_left, p.p_rope, p.p_right) for p in found), strict=True)
    )
    return RopeBounds(left, inside, right)


def _streams(rng: np.random.Generator) -> list[np.random.Generator]:
    return [deepcopy(as_generator(rng)), deepcopy(rng), rng]
