"""Rank tests of independent samples: is there a difference, and between which of them?

Kruskal and Wallis' test of equal distributions of k independent samples.

The ranks among all runs are compared with those under random labels of the runs. The null
hypothesis is one distribution, so also one spread.

The exact p-value is over all assignments of the ranks. The statistic depends on the rank sums only.
The runs are dealt one after another, best first. A
state is the counts and the rank sums of the groups, with the number of ways to reach it, so there
are far fewer states than assignments.

Mann and Whitney's test (Wilcoxon's rank-sum test) of two independent samples.

U counts the pairs of runs in which the first is better, ties half; U/(nm) is Vargha and Delaney's
A. The null hypothesis is equal distributions, so equal spreads too. Where spreads and sizes differ,
the test does not keep its level as a test of A = 1/2; `brunner_munzel` does.

The exact p-value counts the ways to deal the ranks as they are, average ranks of ties included.

Dunn's, and Conover and Iman's, comparisons after Kruskal and Wallis: mean ranks among all runs.

Dunn's are against the normal distribution, Conover and Iman's against t, which is more powerful,
because the variance of the ranks is taken within the samples. The result for two algorithms depends
on the others that are ranked with them, as in every comparison of mean ranks. `brunner_munzel` and
`steel_dwass` use the two alone.

Steel's tests of k independent samples, each two ranked alone, family-wise.

Against a control, the largest |z| of Mann and Whitney's tests is compared with that of normal
variables, which are correlated because all of them share the runs of the control. Of all pairs
(Steel and Dwass), √2 times the largest |z| is compared with the range of k normal variables. The
result for two algorithms depends on the others only through their number and sizes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.base.quantities import Count
from racing.base.special import chdtrc, gammaln, ndtr, stdtr
from racing.stats._checks import Alternative, Bools, Floats, Ints, as_column, as_generator, checked
from racing.stats._range import common_tail, studentized_range_sf
from racing.stats._samples import Groups, OneOrMany, Placements, over, p_value, tie_sum
from racing.stats.mean_ranks import Comparisons
from racing.stats.ranks import random_share, rank_rows

KruskalMethod = Literal["auto", "exact", "permutation", "chi2"]
Whole = NDArray[np.int64]


_QUICK = 2e7  # steps up to which "auto" is exact: .2 seconds or less
_STEPS = 2e9  # and "exact" at most: some ten seconds, or thirty with ties
_CLOSE = 1e-9  # relative; statistics of equal assignments differ by rounding only
_AUTO_RUNS = 50  # runs of two samples up to which "auto" is exact: some milliseconds
_MOST_RUNS = 400  # and "exact" at most: some ten seconds


@dataclass(frozen=True, eq=False)
class KruskalTest:
    """The outcome of Kruskal and Wallis' test.

    `kruskal` returns it.

    Attributes
    ----------
    statistic
        H; 0 if all runs are equal.
    pvalue
        Probability of a statistic at least as large if the labels of the runs are exchangeable.
    method
        Source of the p-value: "exact", "permutation" or "chi2".
    df
        k − 1, of χ².
    mean_ranks
        Shape (k,), among all runs; lower is better.
    effect
        ε² = H/(N − 1), from 0 to 1: the share of the variance of the ranks between the groups.
    tied
        Whether two runs of any groups are equal.
    p_error
        Standard error of the p-value of random labels; 0 for the others.

    Examples
    --------
    >>> from racing.stats import kruskal
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = kruskal(samples)
    >>> found.mean_ranks.tolist()
    [3.0, 6.0, 10.5]
    >>> f"H = {found.statistic:.2f}, {found.method} p = {found.pvalue:.4f}, ε² = {found.effect:.2f}"
    'H = 8.86, exact p = 0.0012, ε² = 0.81'
    """

    statistic: float
    pvalue: float
    method: str
    df: int
    sizes: Ints
    mean_ranks: Floats
    effect: float
    tied: bool
    tie_correction: bool
    p_error: float = 0.0


@checked
def kruskal(
    samples: Iterable[ArrayLike],
    *,
    method: KruskalMethod = "auto",
    tie_correction: bool = True,
    rng: np.random.Generator | None = None,
    draws: Count = 9_999,
) -> KruskalTest:
    """Kruskal and Wallis' test of k vectors of costs, lower better, of any lengths.

    Parameters
    ----------
    samples
        A sequence of k vectors, one for each algorithm. +inf is a failure: worst, and tied with
        every other failure.
    method
        "exact" counts the assignments of the ranks, ties included, to the groups; "permutation"
        draws `draws` of them with `rng`; "chi2" is the limit for large groups; "auto" is exact
        where that is fast (2 groups of 55 runs, 3 of 7, 4 of 3), and else χ².
    tie_correction
        False leaves the variance of the ranks that of untied ones. The χ² test is then
        conservative; exact and permutation p-values do not change.

    Raises
    ------
    InputError
        If a sample is no vector of costs, "exact" has too many assignments, or "permutation" has
        no `rng`.

    Notes
    -----
    Kruskal and Wallis (1952). The χ² test is conservative for groups below 5. Groups of unequal
    spread and size violate its assumptions: see the table of levels in the documentation.

    Examples
    --------
    >>> from racing.stats import kruskal
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = kruskal(samples)
    >>> round(float(found.pvalue), 4)
    0.0012
    """
    groups = Groups.of(samples)
    ranks, used = groups.ranks(), method
    # Kruskal and Wallis (1952), eq. 1.1 and 1.3
    between = float(between_groups(groups.sums(ranks), groups.sizes))
    h = between / _variance(ranks, tie_correction) if between > 0 else 0.0
    if method == "auto":
        used = "exact" if steps(groups.sizes) <= _QUICK else "chi2"
    p, error = 1.0, 0.0
    if h > 0 and used == "chi2":
        p = float(chdtrc(groups.k - 1, h))
    elif h > 0 and used == "exact":
        p = exact_tail(groups.sizes, ranks)
    elif h > 0:
        least, sizes = between * (1 - _CLOSE), groups.sizes

        def reached(dealt: Floats) -> Bools:
            return between_groups(groups.sums(dealt), sizes) >= least

        p, error = random_share(ranks, reached, draws, as_generator(rng))
    return KruskalTest(
        h, p, used, groups.k - 1, groups.sizes, groups.sums(ranks) / groups.sizes,
        h / max(groups.total - 1, 1), tie_sum(ranks) > 0, tie_correction, error,
    )  # fmt: skip


def _variance(ranks: Floats, tie_correction: bool) -> float:
    """The variance of one rank, times N/(N − 1): N(N + 1)/12 without ties."""
    n, ties = ranks.size, tie_sum(ranks) if tie_correction else 0.0
    return max(n * (n + 1) / 12 - ties / (12 * max(n - 1, 1)), 0.0)


def steps(sizes: Ints) -> float:
    """A bound of the states of untied runs times the runs; 2e7 take .2 seconds or less.

    Each group but the largest has n + 1 counts, and n(N − n) + 1 rank sums.
    """
    n, total = np.sort(sizes)[:-1].astype(np.float64), float(sizes.sum())
    return float(math.prod(((n + 1) * (n * (total - n) + 1)).tolist())) * total  # may be inf


def between_groups(totals: Floats, sizes: Ints) -> Floats:
    """Σ (R_i − n_i(N + 1)/2)²/n_i of rank sums of shape (..., k)."""
    away = totals - sizes * (sizes.sum() + 1) / 2
    return np.asarray((away**2 / sizes).sum(axis=-1))


def exact_tail(sizes: Ints, ranks: Floats) -> float:
    """P(H >= observed) over all assignments; `ranks` has shape (N,), group after group."""
    if steps(sizes) > _STEPS:
        raise InputError(
            f"method='exact' must be at most {_STEPS:.0e} steps; got {steps(sizes):.1e}; "
            "use method='permutation' or 'chi2'"
        )
    starts = np.cumsum(sizes) - sizes
    observed = float(between_groups(np.add.reduceat(ranks, starts), sizes))
    ordered = np.sort(sizes)  # the largest group last: its sums need not be kept
    totals, ways = deal(ordered, np.sort(2 * ranks).astype(np.int64))
    reached = between_groups(totals / 2, ordered) >= observed * (1 - _CLOSE)
    return float(ways[reached].sum() / ways.sum())


def deal(sizes: Ints, twice: Whole) -> tuple[Whole, Floats]:
    """All doubled rank sums, (states, k), and the number of ways to each; `twice` is sorted.

    A state is one whole number: the counts and then the doubled sums of all groups but the last.
    """
    counted = sizes[:-1]
    most = 1 + np.append(0, twice[::-1].cumsum())[counted]  # a group's largest sum, and zero
    units = [math.prod(map(int, [*(counted + 1), *most][:i])) for i in range(2 * counted.size + 1)]
    if units[-1] >= 2**63:
        raise InputError("method='exact' cannot count so many groups; use 'permutation' or 'chi2'")
    of_counts, of_sums = np.array(units[:-1], dtype=np.int64).reshape(2, -1)
    reached, ways = np.zeros(1, dtype=np.int64), np.ones(1)
    for dealt, rank in enumerate(twice):
        counts = reached[:, None] // of_counts % (counted + 1)
        # a run may go to each group with room; the sums of the last one are not kept
        last = dealt - counts.sum(axis=1) < sizes[-1]
        room = [*(counts < counted).T, last]
        moves = list(zip(room, [*(of_counts + rank * of_sums).tolist(), 0], strict=True))
        after = np.concatenate([reached[room] + step for room, step in moves])
        ways = np.concatenate([ways[room] for room, _ in moves])
        reached, where = np.unique(after, return_inverse=True)
        ways = np.asarray(np.bincount(where, ways))
    sums = reached[:, None] // of_sums % most
    return np.column_stack([sums, twice.sum() - sums.sum(axis=1)]), ways


@dataclass(frozen=True, eq=False)
class MannWhitney:
    """Mann and Whitney's test of the first sample against the second (lower cost wins).

    `mann_whitney` returns it. Of k samples all arrays are (k, k): entry (i, j) tests i against j,
    and p = 1 for a sample against itself.

    `u` counts the pairs of runs that the first wins, ties half; `a` = u/(nm) is the chance that a
    run of the first is better; `z` is u standardised with the variance of tied ranks, positive
    when the first is better; `exact` says where the p-value is exact; `ties` counts pairs of equal
    runs.

    Examples
    --------
    >>> from racing.stats import mann_whitney
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = mann_whitney(x, y)
    >>> f"U = {found.u}, {found.ties} ties"
    'U = 10.0, 6 ties'
    >>> round(float(found.a), 2), round(float(found.z), 2), bool(found.exact)
    (0.2, -1.88, True)
    """

    u: Floats
    a: Floats
    z: Floats
    pvalue: Floats
    ties: Ints
    exact: Bools


@checked
def mann_whitney(
    x: OneOrMany,
    y: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    method: Literal["auto", "exact", "normal"] = "auto",
    continuity: bool = True,
) -> MannWhitney:
    """Mann and Whitney's test of x against y, vectors of costs of any lengths.

    Or, with x alone, of all pairs of a sequence of k vectors; the p-values are not corrected for
    their number.

    Parameters
    ----------
    alternative
        "better": x tends to have the lower costs; "worse": the higher.
    method
        "auto" is exact for up to 50 runs of both samples; "exact" takes at most 400 of them;
        "normal" approximates.
    continuity
        Whether the normal approximation is corrected for the steps of U, as in R and SciPy.

    Raises
    ------
    InputError
        If x or y is no vector of costs, or "exact" is asked of more than 400 runs.

    Notes
    -----
    Mann and Whitney (1947); ties as in Lehmann (1975), 1.4.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import mann_whitney
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = mann_whitney(x, y)
    >>> round(float(found.pvalue), 4)
    0.0781
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> mann_whitney(samples).u.tolist()
    [[8.0, 14.0, 16.0], [2.0, 8.0, 16.0], [0.0, 0.0, 8.0]]
    """
    groups = Groups.of(x, y)
    placed = Placements.of(groups)
    runs = np.add.outer(groups.sizes, groups.sizes)
    if method == "exact" and runs.max() > _MOST_RUNS:
        raise InputError(
            f"two samples must be at most {_MOST_RUNS} runs together for method='exact'; got "
            f"{runs.max()}; use method='normal'"
        )
    exact = runs <= {"auto": _AUTO_RUNS, "exact": _MOST_RUNS, "normal": 0}[method]
    away, error = _standard(placed)
    p = _normal_p(away, error, alternative, 0.5 * continuity)
    for i, j in np.argwhere(exact & ~np.eye(groups.k, dtype=np.bool_)):
        p[i, j] = _exact_p(groups, int(i), int(j), alternative)
    np.fill_diagonal(p, 1.0)
    ties = np.rint(placed.ties()).astype(np.intp)
    found = (placed.u(), placed.a(), over(away, error), p, ties, exact)
    return MannWhitney(*map(groups.told, found))


def _standard(placed: Placements) -> tuple[Floats, Floats]:
    """Of all pairs: U less its mean under equality, and its standard error, 0 if all are tied."""
    sizes = placed.groups.sizes
    total = np.add.outer(sizes, sizes)
    # Lehmann (1975), section 1.4, for ties
    spread = (total + 1) - placed.tie_sums() / (total * (total - 1))
    error = np.sqrt(placed.pairs / 12 * np.where(placed.tied(), 0.0, spread))
    return placed.u() - placed.pairs / 2, error


def _normal_p(away: Floats, error: Floats, alternative: Alternative, half: float) -> Floats:
    if alternative == "two-sided":
        beyond = np.maximum(np.abs(away) - half, 0.0)
    else:
        beyond = (away if alternative == "better" else -away) - half
    z = np.divide(beyond, error, out=np.full_like(away, -np.inf), where=error > 0)
    p = ndtr(-z) * (2 if alternative == "two-sided" else 1)
    return np.asarray(np.minimum(p, 1.0))


def _exact_p(groups: Groups, i: int, j: int, alternative: Alternative) -> float:
    samples = groups.split(groups.costs)
    pooled = np.concatenate([samples[i], samples[j]])
    twice = np.rint(2 * rank_rows(pooled[None], check=False)[0]).astype(np.int64)
    n = samples[i].size
    sums, chances = _rank_sums(n, np.sort(twice).tobytes())
    observed = twice[:n].sum()
    better, worse = chances[sums <= observed].sum(), chances[sums >= observed].sum()
    tails = {"two-sided": 2 * min(better, worse), "better": better, "worse": worse}
    return float(min(tails[alternative], 1.0))


@lru_cache(maxsize=256)
def _rank_sums(n: int, twice: bytes) -> tuple[Ints, Floats]:
    """The doubled rank sums of n of the runs, and their chances."""
    ranks = np.frombuffer(twice, dtype=np.int64)
    totals, ways = deal(np.array([n, ranks.size - n]), ranks)
    return totals[:, 0], ways / ways.sum()


@checked
def dunn(
    samples: Iterable[ArrayLike],
    *,
    control: int | None = None,
    alternative: Alternative = "two-sided",
    tie_correction: bool = True,
) -> Comparisons:
    """Dunn's test of all pairs of k vectors of costs, or against a control; p-values not adjusted.

    Parameters
    ----------
    samples
        A sequence of k vectors of costs, lower better, of any lengths.
    control
        The number of the sample that all others are compared with; None compares all pairs.
    alternative
        "better": p-values for "the row is better than the other"; "worse" for the reverse.
    tie_correction
        False takes the variance of untied ranks, as some programs do; with ties it is too large.

    Raises
    ------
    InputError
        If a sample is no vector of costs, or `control` is not one of them.

    Notes
    -----
    Dunn (1964). A normal approximation that assumes one distribution of all k samples.

    Examples
    --------
    >>> from racing.stats import dunn
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = dunn(samples)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.2368, 0.0031], [0.2368, 1.0, 0.076], [0.0031, 0.076, 1.0]]
    """
    groups = Groups.of(samples)
    ranks = groups.ranks()
    variance = _variance(ranks, tie_correction)
    return _compared(
        groups, ranks, variance, control, lambda t: p_value(-t, ndtr, alternative), "normal"
    )


def conover_iman(samples: Iterable[ArrayLike], *, control: int | None = None) -> Comparisons:
    """Conover and Iman's test of all pairs of k vectors of costs, or against a control.

    Parameters
    ----------
    samples
        A sequence of k vectors of costs, lower better, of any lengths.
    control
        The number of the sample that all others are compared with; None compares all pairs.

    Raises
    ------
    InputError
        If a sample is no vector of costs, or `control` is not one of them.

    Notes
    -----
    Conover and Iman (1979); Conover (1999), 5.2, eq. 6. For use after a significant `kruskal`;
    correct the p-values if it is used alone.

    If all runs of each sample are equal, the standard error is 0 and t infinite; the p-value is
    then an upper bound of the chance of that under random labels, instead of 0. With one run for
    each sample it is 1.

    Examples
    --------
    >>> from racing.stats import conover_iman
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = conover_iman(samples)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.0382, 0.0002], [0.0382, 1.0, 0.0054], [0.0002, 0.0054, 1.0]]
    """
    groups = Groups.of(samples)
    ranks, df = groups.ranks(), groups.total - groups.k
    means = groups.sums(ranks) / groups.sizes
    within = float(np.sum((ranks - np.repeat(means, groups.sizes)) ** 2))

    def tail(t: Floats) -> Floats:
        if within > 0:
            return np.asarray(2 * stdtr(max(df, 1), -np.abs(t)))
        # At most k!·Πt!/N!, t runs on each rank: random labels leave every sample on one rank.
        _, ties = np.unique(ranks, return_counts=True)
        log = gammaln(groups.k + 1.0) + gammaln(ties + 1.0).sum() - gammaln(groups.total + 1.0)
        return np.where(t == 0, 1.0, math.exp(min(float(log), 0.0)))

    # S²(N − 1 − H)/(N − k) is the mean square within: the sums of squares add up.
    return _compared(groups, ranks, within / df if df else 0.0, control, tail, "t", df)


def _compared(
    groups: Groups, ranks: Floats, variance: float, control: int | None, *rest: Any
) -> Comparisons:
    """Mean ranks, whose ranks have this variance; the rest as for `Comparisons.of`."""
    errors = np.sqrt(variance * np.add.outer(1 / groups.sizes, 1 / groups.sizes))
    return Comparisons.of(groups.sums(ranks) / groups.sizes, errors, control, *rest)


@dataclass(frozen=True, eq=False)
class SteelTest:
    """Comparisons of k samples with a control, (k,), or of all pairs, (k, k).

    `steel` and `steel_dwass` return it.

    Attributes
    ----------
    statistics
        z of Mann and Whitney's test, positive if the sample is better than the control; of all
        pairs W = √2·z, positive if i is better than j, as tables of the studentized range have it.
    pvalues
        Two-sided, family-wise: not to be corrected again; 1 for a sample against itself.
    a
        The chance that a run is better than one of the control, or of j, ties half.

    Examples
    --------
    >>> from racing.stats import steel
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = steel(samples, control=1)
    >>> found.a.tolist()
    [0.875, 0.5, 0.0]
    >>> found.statistics.round(2).tolist()
    [1.75, 0.0, -2.32]
    """

    statistics: Floats
    pvalues: Floats
    a: Floats
    sizes: Ints


def steel(samples: Iterable[ArrayLike], *, control: int) -> SteelTest:
    """Steel's test of k vectors of costs, lower better, ties corrected, against one of them.

    Parameters
    ----------
    samples
        A sequence of k vectors of costs of any lengths.
    control
        The number of the sample that all others are compared with.

    Raises
    ------
    InputError
        If a sample is no vector of costs, or `control` none of them.

    Notes
    -----
    Steel (1959), with the correlations of samples of unequal sizes in place of his tables. An
    approximation for large samples that assumes one distribution under equality, as Mann and
    Whitney's test does.

    Examples
    --------
    >>> from racing.stats import steel
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = steel(samples, control=0)
    >>> found.pvalues.round(4).tolist()
    [1.0, 0.1439, 0.0382]
    """
    placed = Placements.of(Groups.of(samples))
    sizes = placed.groups.sizes
    column = as_column(control, sizes.size)
    z = over(*_standard(placed))[:, column]
    shares = _shares(np.delete(sizes, column), int(sizes[column]))
    p = np.insert(common_tail(np.abs(np.delete(z, column)), shares), column, 1.0)
    return SteelTest(z, p, placed.a()[:, column], sizes)


def steel_dwass(samples: Iterable[ArrayLike]) -> SteelTest:
    """Steel and Dwass' test of all pairs of k vectors of costs, lower better, ties corrected.

    Raises
    ------
    InputError
        If a sample is no vector of costs.

    Notes
    -----
    Steel (1960); Dwass (1960); for unequal sizes Critchlow and Fligner (1991). An approximation for
    large samples: with few runs no pair can reach small p-values. Like Mann and Whitney's test it
    assumes one distribution under equality, and does not keep its level where spreads and sizes
    differ.

    Examples
    --------
    >>> from racing.stats import steel_dwass
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = steel_dwass(samples)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.1857, 0.0526], [0.1857, 1.0, 0.0526], [0.0526, 0.0526, 1.0]]
    """
    placed = Placements.of(Groups.of(samples))
    w = math.sqrt(2) * over(*_standard(placed))
    p = studentized_range_sf(np.abs(w), len(w), math.inf)
    np.fill_diagonal(p, 1.0)
    return SteelTest(w, p, placed.a(), placed.groups.sizes)


def _shares(sizes: Ints, of_control: int) -> Floats:
    """λ_i: z_i and z_j have the correlation λ_i·λ_j."""
    return np.asarray(np.sqrt(sizes / (sizes + of_control + 1.0)))
