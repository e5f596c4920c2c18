"""Relative effects averaged over problems: how good is each of k algorithms on all of them?

The runs on different problems are independent, so the variances of the effects add up. The answer
is about these problems; whether it holds on others is a question for a paired comparison of the
effects, with a problem as an instance.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from racing.base.errors import InputError
from racing.base.special import ndtri, stdtrit
from racing.stats._checks import as_level
from racing.stats.pseudo_ranks import RelativeEffects


def mean_effects(problems: Sequence[RelativeEffects], *, level: float = 0.95) -> RelativeEffects:
    """The mean over problems of relative effects of the same k algorithms, with intervals.

    Parameters
    ----------
    problems
        What `relative_effects` found on each problem. `sizes` of the result are the sums.

    Raises
    ------
    InputError
        If there is no problem, or the numbers of algorithms differ.

    Notes
    -----
    Satterthwaite's degrees of freedom; by t on the scale of log(p/(1 − p)), as on one problem.
    Where no run of an algorithm is ranked among another's there is no standard error: half of its
    careful interval over the normal quantile is taken in its place.

    Examples
    --------
    >>> from racing.stats import mean_effects, relative_effects
    >>> problems = [[[1, 2, 3], [4, 5, 6]], [[2, 3, 2], [3, 4, 5]]]
    >>> found = mean_effects([relative_effects(samples) for samples in problems])
    >>> found.effects.round(4).tolist()
    [0.7361, 0.2639]
    """
    as_level(level, name="level")
    if not problems or len({found.effects.size for found in problems}) > 1:
        raise InputError("problems: expected effects of the same algorithms on at least one")
    errors = np.array(
        [
            np.where(
                one.standard_errors > 0,
                one.standard_errors,
                (one.high - one.low) / 2 / ndtri(0.5 + one.level / 2),
            )
            for one in problems
        ]
    )
    variances, df = errors**2, np.array([one.df for one in problems])
    q, p = len(problems), np.mean([one.effects for one in problems], axis=0)
    total, below = variances.sum(axis=0), (variances**2 / df).sum(axis=0)
    freedom = np.divide(total**2, below, out=np.full_like(total, 1e9), where=below > 0)
    error = np.sqrt(total) / q
    reach = -stdtrit(freedom, (1 - level) / 2) * error / (p * (1 - p))
    low, high = (1 / (1 + np.exp(sign * reach) * (1 - p) / p) for sign in (1.0, -1.0))
    sizes = np.sum([one.sizes for one in problems], axis=0)
    return RelativeEffects(p, error, freedom, low, high, level, sizes)
