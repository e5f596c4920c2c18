"""Pseudo-ranks and relative effects of k algorithms, independent of the sample sizes.

Ordinary mean ranks of samples of different sizes weight each algorithm by its number of runs.
Pseudo-ranks give each algorithm the same weight: p_i = (1/k) Σ_j A_ij is the chance that a run of i
is better than a run of an algorithm drawn at random, i itself included, ties half. Equal algorithms
have 1/2, and Σp = k/2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.quantities import Level
from racing.base.special import ndtri, stdtrit
from racing.stats._checks import Floats, Ints, checked
from racing.stats._groups import Groups, Placements
from racing.stats.intervals import newcombe

_ROUNDING = 1e-12  # a standard error is 0 or far above


@dataclass(frozen=True, eq=False)
class RelativeEffects:
    """Relative effects of k algorithms, all arrays of shape (k,); larger is better.

    `relative_effects` returns it.

    `effects` are the p_i of the head of this module; `low` and `high` hold each with `level` (not
    jointly), by t on the scale of log(p/(1 − p)), so that they stay between 0 and 1.

    Examples
    --------
    >>> from racing.stats import relative_effects
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [4, 7, 8, 9]]
    >>> found = relative_effects(samples)
    >>> for effect, low, high in zip(found.effects, found.low, found.high):
    ...     print(f"{effect:.2f}, between {low:.2f} and {high:.2f}")
    0.78, between 0.63 and 0.88
    0.49, between 0.32 and 0.66
    0.23, between 0.09 and 0.46
    """

    effects: Floats
    standard_errors: Floats
    df: Floats
    low: Floats
    high: Floats
    level: float
    sizes: Ints


def pseudo_ranks(samples: Iterable[ArrayLike]) -> list[Floats]:
    """Pseudo-ranks of all runs, a vector for each sample; lower is better, and ties share them.

    N·G(x) + 1/2, where G is the mean of the k empirical distribution functions, ties half: ranks,
    if all samples have one size. Brunner, Bathke and Konietschke (2018), section 2.3.

    Raises
    ------
    InputError
        If a sample is no vector of costs.

    Examples
    --------
    >>> from racing.stats import pseudo_ranks
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> [one.tolist() for one in pseudo_ranks(samples)]
    [[1.0, 2.0, 3.5, 5.5], [3.5, 5.5, 7.0, 8.0], [9.0, 10.5, 10.5, 12.0]]
    """
    placed = Placements.of(Groups.of(samples))
    groups = placed.groups
    shares = 1.0 - placed.beats / groups.sizes[:, None]  # F_j(x) of every run
    return groups.split(groups.total * shares.mean(axis=0) + 0.5)


@checked
def relative_effects(samples: Iterable[ArrayLike], *, level: Level = 0.95) -> RelativeEffects:
    """Relative effects of k vectors of at least two costs each, lower better, with intervals.

    Raises
    ------
    InputError
        If a sample is no vector of at least two costs, or `level` no probability.

    Notes
    -----
    Variances of the projections: Brunner, Konietschke, Pauly and Puri (2017), section 3. Where no
    run of an algorithm is ranked among another's there is no standard error; its interval is then
    the mean of Newcombe's intervals of its A, which is conservative.

    Examples
    --------
    >>> from racing.stats import relative_effects
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = relative_effects(samples)
    >>> found.effects.round(4).tolist()
    [0.7917, 0.5417, 0.1667]
    """
    placed = Placements.of(Groups.of(samples, least=2))
    p, (error, df) = placed.a().mean(axis=1), _errors(placed)
    sizes = placed.groups.sizes
    apart = newcombe(placed.a(), sizes[:, None], sizes, level)
    for end in apart:
        np.fill_diagonal(end, 0.5)
    low, high = (
        np.where(error > 0, end, other.mean(axis=1))
        for end, other in zip(_interval(p, error, df, level), apart, strict=True)
    )
    return RelativeEffects(p, error, df, low, high, level, sizes)


@checked
def mean_effects(problems: Sequence[RelativeEffects], *, level: Level = 0.95) -> RelativeEffects:
    """The mean over problems of relative effects of the same k algorithms, with intervals.

    Parameters
    ----------
    problems
        What `relative_effects` found on each problem. `sizes` of the result are the sums.

    The runs on different problems are independent, so the variances of the effects add up. The
    answer is about these problems; whether it holds on others is a question for a paired comparison
    of the effects, with a problem as an instance.

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
    if not problems or len({found.effects.size for found in problems}) > 1:
        raise InputError("problems must be one or more, with effects of the same algorithms")
    variances = np.array([_error(one) ** 2 for one in problems])
    df = np.array([one.df for one in problems])
    p = np.mean([one.effects for one in problems], axis=0)
    total, below = variances.sum(axis=0), (variances**2 / df).sum(axis=0)
    freedom = np.divide(total**2, below, out=np.full_like(total, 1e9), where=below > 0)
    error = np.sqrt(total) / len(problems)
    sizes = np.sum([one.sizes for one in problems], axis=0)
    low, high = _interval(p, error, freedom, level)
    return RelativeEffects(p, error, freedom, low, high, level, sizes)


def _error(one: RelativeEffects) -> Floats:
    """Standard errors; where there is none, from the width of the interval."""
    width = (one.high - one.low) / 2 / ndtri(0.5 + one.level / 2)
    return np.where(one.standard_errors > 0, one.standard_errors, width)


def _interval(p: Floats, error: Floats, df: Floats, level: float) -> tuple[Floats, Floats]:
    """By t on log-odds, with the delta method: d log(p/(1 − p)) = dp/(p(1 − p))."""
    reach = -stdtrit(df, (1 - level) / 2) * error / (p * (1 - p))  # 1/(2k) <= p <= 1 − 1/(2k)
    low, high = (1 / (1 + np.exp(sign * reach) * (1 - p) / p) for sign in (1.0, -1.0))
    return low, high


def _errors(placed: Placements) -> tuple[Floats, Floats]:
    """Standard errors of the effects and Satterthwaite's degrees of freedom, (k,).

    A run of i moves p_i by its mean placement in the others; a run of j moves it by its placement
    in i. Both contributions to k·p_i are independent between the samples.
    """
    groups, k = placed.groups, placed.groups.k
    n = groups.sizes.astype(np.float64)
    shares = placed.beats / n[:, None]
    others = shares.sum(axis=0) - shares[groups.labels, np.arange(groups.total)]
    centred = others - np.repeat(groups.sums(others) / n, groups.sizes)
    own = groups.sums(centred**2) / (n * (n - 1))
    parts = placed.scatter().T / np.outer(n, n - 1) / np.outer(n, n)  # (i, j): placements of j in i
    parts[np.diag_indices(k)] = own
    variance, below = parts.sum(axis=1), (parts**2 / (n - 1)).sum(axis=1)
    df = np.divide(variance**2, below, out=np.full(k, np.inf), where=below > 0)
    error = np.sqrt(variance) / k
    return np.where(error > _ROUNDING, error, 0.0), np.minimum(df, 1e9)
