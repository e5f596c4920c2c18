"""Brunner and Munzel's test of A = 1/2 for two independent samples, whatever their spreads.

A = P(X < Y) + P(X = Y)/2 is the chance that a run of the first is better. Its estimate is divided
by a standard error that does not assume equal distributions: Welch's test on placements. So it
keeps its level under unequal spreads, where `mann_whitney` does not.

Where the p-value comes from (`method`):

- "t": Student's t with Welch's degrees of freedom. Rejects slightly too often for ten runs or
  fewer.
- "normal": the limit for many runs.
- "permutation": the statistic under other labels of the runs (Neubert and Brunner, 2007): exact
  where the samples have one distribution, and valid in the limit where spreads differ. All labels
  where these are few, else random ones.

Samples that do not overlap have no standard error. Their p-value is that of the permutation test,
1/C(n + m, n) on one side: never 0.

Pseudo-ranks and relative effects of k algorithms, independent of the sample sizes.

Ordinary mean ranks of samples of different sizes weight each algorithm by its number of runs.
Pseudo-ranks give each algorithm the same weight: p_i = (1/k) Σ_j A_ij is the chance that a run of i
is better than a run of an algorithm drawn at random, i itself included, ties half. Equal algorithms
have 1/2, and Σp = k/2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.quantities import Count, Level
from racing.base.special import betaln, ndtri, stdtr, stdtrit
from racing.stats._checks import Alternative, Bools, Floats, Ints, as_generator, blocks, checked
from racing.stats._samples import Groups, OneOrMany, Placements, over, p_value

_CELLS = 1 << 19  # runs relabelled at once


_CLOSE = 1e-9  # relative; equal statistics differ by rounding only


_LEAST = 0.1  # scatter of placements is 0 or at least 1/8; below is rounding


@dataclass(frozen=True, eq=False)
class BrunnerMunzel:
    """Brunner and Munzel's test of the first sample against the second (lower cost wins).

    `brunner_munzel` returns it. Of k samples all arrays are (k, k): entry (i, j) tests i against j,
    and p = 1 for a sample against itself.

    `a` is the estimated chance that a run of the first is better, ties half; `low` and `high` are
    its confidence interval (by t or the normal distribution; Newcombe's method 5 for samples that
    do not overlap). `statistic` is positive when the first is better, infinite without overlap.

    Examples
    --------
    >>> from racing.stats import brunner_munzel
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = brunner_munzel(x, y)
    >>> f"A = {found.a:.2f}, between {found.low:.2f} and {found.high:.2f}"
    'A = 0.20, between 0.00 and 0.47'
    >>> f"t({found.df:.1f}) = {found.statistic:.2f}"
    't(12.0) = -2.45'
    """

    a: Floats
    low: Floats
    high: Floats
    statistic: Floats
    df: Floats
    pvalue: Floats


@checked
def brunner_munzel(
    x: OneOrMany,
    y: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    method: Literal["t", "normal", "permutation"] = "t",
    level: Level = 0.95,
    rng: np.random.Generator | None = None,
    draws: Count = 9_999,
) -> BrunnerMunzel:
    """Brunner and Munzel's test of x against y, vectors of at least two costs each.

    Or, with x alone, of all pairs of a sequence of k vectors; the p-values are not corrected for
    their number.

    Parameters
    ----------
    alternative
        "better": x is better more often than not; "worse": the reverse.
    method
        See the head of this module.
    level
        Confidence of each interval.
    rng, draws
        For "permutation": random labels where there are more than `draws` + 1 in all.

    Raises
    ------
    InputError
        If x or y is no vector of at least two costs, or "permutation" has no `rng`.

    Notes
    -----
    Brunner and Munzel (2000). A failure (+inf) is worst and tied with other failures.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import brunner_munzel
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = brunner_munzel(x, y)
    >>> round(float(found.pvalue), 4)
    0.0304
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> brunner_munzel(samples).pvalue.round(4).tolist()
    [[1.0, 0.024, 0.0286], [0.024, 1.0, 0.0286], [0.0286, 0.0286, 1.0]]
    """
    groups = Groups.of(x, y, least=2)
    placed = Placements.of(groups)
    a, (error, df) = placed.a(), _errors(placed)
    df = np.full_like(df, np.inf) if method == "normal" else df
    t = over(a - 0.5, error)
    if method == "permutation":
        p = _relabelled(groups, t, alternative, as_generator(rng), draws)
    else:
        p = p_value(t, lambda t: stdtr(df, t), alternative)
        p = np.where(np.isinf(t), _apart(groups.sizes, t, alternative), p)
    np.fill_diagonal(p, 1.0)
    low, high = _interval(placed, error, df, level)
    return BrunnerMunzel(*map(groups.told, (a, low, high, t, df, p)))


def _errors(placed: Placements) -> tuple[Floats, Floats]:
    """Standard errors of A, and Welch's degrees of freedom, (k, k)."""
    n = placed.groups.sizes[:, None].astype(np.float64)
    # Brunner and Munzel (2000), section 3: the variance of the placements of i in j, over n_i.
    part = placed.scatter() / (n.T**2 * (n - 1) * n)
    np.fill_diagonal(part, 0.0)  # a sample against itself
    variance, squared = part + part.T, part**2 / (n - 1)
    below = squared + squared.T
    df = np.divide(variance**2, below, out=np.full_like(below, np.inf), where=below > 0)
    return np.sqrt(variance), df


def _apart(sizes: Ints, t: Floats, alternative: Alternative) -> Floats:
    """The p-value of samples that do not overlap: 1/C(n + m, n) on the side of the better."""
    n, m = sizes[:, None].astype(np.float64), sizes.astype(np.float64)
    chance = np.exp(np.log(n + m + 1) + betaln(n + 1, m + 1))
    if alternative == "two-sided":
        return np.asarray(np.minimum(2 * chance, 1.0))
    return np.asarray(np.where((t > 0) == (alternative == "better"), chance, 1.0))


def _interval(placed: Placements, error: Floats, df: Floats, level: float) -> tuple[Floats, Floats]:
    a, reach = placed.a(), -stdtrit(df, (1 - level) / 2) * error
    apart, ends = (error == 0) & (a != 0.5), placed.interval(level)
    low = np.where(apart, ends[0], np.maximum(a - reach, 0.0))
    return low, np.where(apart, ends[1], np.minimum(a + reach, 1.0))


def _relabelled(
    groups: Groups, t: Floats, alternative: Alternative, rng: np.random.Generator, draws: int
) -> Floats:
    samples, p = groups.split(groups.costs), np.ones_like(t)
    mirrored = {"two-sided": "two-sided", "better": "worse", "worse": "better"}[alternative]
    for i, j in zip(*np.triu_indices(groups.k, 1), strict=True):
        tails = relabelled_tails(samples[i], samples[j], float(t[i, j]), rng, draws)
        p[i, j], p[j, i] = tails[alternative], tails[mirrored]
    return p


def relabelled_tails(
    x: Floats, y: Floats, t: float, rng: np.random.Generator, draws: int
) -> dict[str, float]:
    """P(|T| >= |t|), P(T >= t) and P(T <= t) over all labels of the runs, or random ones.

    All labels if there are at most `draws` + 1; else random ones, the observed one included.
    """
    ordered, n = np.sort(np.concatenate([x, y])), x.size
    below = np.searchsorted(ordered, ordered, side="left")
    upto = np.searchsorted(ordered, ordered, side="right")
    every = math.comb(ordered.size, n) <= draws + 1
    if every:
        chosen = np.array(list(combinations(range(ordered.size), n)), dtype=np.intp)
        labels = np.zeros((len(chosen), ordered.size), dtype=np.bool_)
        labels[np.arange(len(chosen))[:, None], chosen] = True
    else:
        labels = rng.permuted(np.tile(np.arange(ordered.size) < n, (draws, 1)), axis=1)
    parts = (labels[part] for part in blocks(len(labels), ordered.size, _CELLS))
    other = np.concatenate([_statistics(part, below, upto, n) for part in parts])
    least, seen = _CLOSE * abs(t) if math.isfinite(t) else 0.0, 0 if every else 1
    reached = {
        "two-sided": np.abs(other) >= abs(t) - least,
        "better": other >= t - least,
        "worse": other <= t + least,
    }
    total = len(labels) + seen
    return {side: (np.count_nonzero(each) + seen) / total for side, each in reached.items()}


def _statistics(labels: Bools, below: Ints, upto: Ints, n: int) -> Floats:
    """T of each row of labels: true for the first sample, runs in order of their costs.

    `below` and `upto` bound the runs that are equal to each: a run beats those after `upto`, and
    half of those between.
    """
    m = labels.shape[1] - n
    counts = np.zeros((len(labels), labels.shape[1] + 1))
    np.cumsum(labels, axis=1, out=counts[:, 1:])
    over_first = n - (counts[:, below] + counts[:, upto]) / 2
    over_second = n + m - (below + upto) / 2 - over_first
    first = np.where(labels, over_second, 0.0)
    second = np.where(labels, 0.0, over_first)
    u = first.sum(axis=1)
    scatter_x = (first**2).sum(axis=1) - u**2 / n
    scatter_y = (second**2).sum(axis=1) - (n * m - u) ** 2 / m
    variance = scatter_x / (m**2 * (n - 1) * n) + scatter_y / (n**2 * (m - 1) * m)
    some = scatter_x + scatter_y > _LEAST
    return over(u / (n * m) - 0.5, np.sqrt(np.where(some, variance, 0.0)))


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
    p, (error, df) = placed.a().mean(axis=1), _effect_errors(placed)
    ends, apart = _effect_interval(p, error, df, level), placed.interval(level)
    low, high = (
        np.where(error > 0, end, other.mean(axis=1)) for end, other in zip(ends, apart, strict=True)
    )
    return RelativeEffects(p, error, df, low, high, level, placed.groups.sizes)


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
    low, high = _effect_interval(p, error, freedom, level)
    return RelativeEffects(p, error, freedom, low, high, level, sizes)


def _error(one: RelativeEffects) -> Floats:
    """Standard errors; where there is none, from the width of the interval."""
    width = (one.high - one.low) / 2 / ndtri(0.5 + one.level / 2)
    return np.where(one.standard_errors > 0, one.standard_errors, width)


def _effect_interval(p: Floats, error: Floats, df: Floats, level: float) -> tuple[Floats, Floats]:
    """By t on log-odds, with the delta method: d log(p/(1 − p)) = dp/(p(1 − p))."""
    reach = -stdtrit(df, (1 - level) / 2) * error / (p * (1 - p))  # 1/(2k) <= p <= 1 − 1/(2k)
    low, high = (1 / (1 + np.exp(sign * reach) * (1 - p) / p) for sign in (1.0, -1.0))
    return low, high


def _effect_errors(placed: Placements) -> tuple[Floats, Floats]:
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
