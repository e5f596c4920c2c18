"""An interval for a mean where the worst values are rare, such as running times with timeouts.

Of 30 instances without a timeout, Student's interval says that there is none, though one in nine
may have one. Here an observation is added that was not made, at the least possible value for the
lower end and at the largest for the upper: the ends are quantiles of

    Σ_g w_g S_g + w_0 n̄ b  over  Σ_g w_g n_g + w_0 n̄,    w exponential, b the least or largest value

with the sum S_g and the size n_g of each group, and the mean size n̄. That is the prior of weight 1
of Benavoli, Mangili, Ruggeri and Zaffalon (2015), and the bound of Learned-Miller and Thomas (2019,
A new confidence interval for the mean of a bounded random variable, arXiv:1905.06208), which is
conjectured to hold at its level for every distribution between the two values.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from racing.base.errors import InputError
from racing.stats._checks import Floats

DRAWS = 2000


def bounded_mean(
    values: Floats,
    *,
    least: float,
    most: float,
    groups: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> tuple[float, float]:
    """The ends of an interval for the mean of values between two bounds.

    Parameters
    ----------
    values : (n,)
    least, most : float
        The smallest and the largest value that an observation may have.
    groups : (n,)
        What values have in common, such as their problem: a group is one observation. By default
        each is one of its own.
    level
        Of the interval; each end has half of the error.

    Raises
    ------
    InputError
        If there is no value, or one is beyond a bound.

    Examples
    --------
    >>> times = np.linspace(1, 10, 30)
    >>> low, high = bounded_mean(times, least=0, most=1000)
    >>> round(low, 1), round(high)
    (4.3, 118)
    """
    if not len(values) or not least <= values.min() <= values.max() <= most:
        raise InputError(f"values: expected one or more from {least} to {most}")
    labels = range(len(values)) if groups is None else groups
    numbers: dict[Hashable, int] = {}
    group = np.array([numbers.setdefault(one, len(numbers)) for one in labels])
    usual = len(values) / len(numbers)
    sums, sizes = np.bincount(group, values), np.append(np.bincount(group), usual)
    weights = np.random.default_rng(1).standard_exponential((DRAWS, len(sizes)))
    # no dot product of BLAS, whose last digits depend on the processor
    seen, all_ = np.einsum("dg,g->d", weights[:, :-1], sums), np.einsum("dg,g->d", weights, sizes)
    added = weights[:, -1] * usual
    tail = (1 - level) / 2
    low = np.quantile((seen + added * least) / all_, tail)
    high = np.quantile((seen + added * most) / all_, 1 - tail)
    return max(float(low), least), min(float(high), most)  # sums are rounded
