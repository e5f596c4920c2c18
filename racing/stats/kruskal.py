"""Kruskal and Wallis' test of equal distributions of k independent samples.

The ranks among all runs are compared with those under random labels of the runs. The null
hypothesis is one distribution, so also one spread.

The exact p-value is over all assignments of the ranks. The statistic depends on the rank sums only.
The runs are dealt one after another, best first. A
state is the counts and the rank sums of the groups, with the number of ways to reach it, so there
are far fewer states than assignments.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.base.quantities import Count
from racing.base.special import chdtrc
from racing.stats._checks import Floats, Ints, as_generator, checked
from racing.stats._groups import Groups, tie_sum

KruskalMethod = Literal["auto", "exact", "permutation", "chi2"]

Whole = NDArray[np.int64]

_AUTO = 2e7  # steps up to which "auto" is exact: .2 seconds or less
_MOST = 2e9  # and "exact" at most: some ten seconds, or thirty with ties
_CLOSE = 1e-9  # relative; statistics of equal assignments differ by rounding only
_CELLS = 1 << 20  # ranks dealt at once


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
    ranks = groups.ranks()
    ties = tie_sum(ranks)
    h = _statistic(groups, ranks, ties if tie_correction else 0.0)
    used = method
    if method == "auto":
        used = "exact" if steps(groups.sizes) <= _AUTO else "chi2"
    p, error = _tail(used, groups, ranks, h, rng, draws)
    return KruskalTest(
        h, p, used, groups.k - 1, groups.sizes, groups.sums(ranks) / groups.sizes,
        h / max(groups.total - 1, 1), ties > 0, tie_correction, error,
    )  # fmt: skip


def _statistic(groups: Groups, ranks: Floats, ties: float) -> float:
    """H, the sum of squares of the ranks between the groups over the variance of a rank."""
    n = groups.total
    # Kruskal and Wallis (1952), eq. 1.1 and 1.3
    variance = n * (n + 1) / 12 - ties / (12 * max(n - 1, 1))
    between = between_groups(groups.sums(ranks), groups.sizes)
    return float(between) / variance if ties < n**3 - n else 0.0


def _tail(
    method: str,
    groups: Groups,
    ranks: Floats,
    h: float,
    rng: np.random.Generator | None,
    draws: int,
) -> tuple[float, float]:
    """The p-value and its standard error."""
    if h <= 0:
        return 1.0, 0.0
    if method == "chi2":
        return float(chdtrc(groups.k - 1, h)), 0.0
    if method == "exact":
        return exact_tail(groups.sizes, ranks), 0.0
    return permuted_tail(groups, ranks, draws, as_generator(rng))


def steps(sizes: Ints) -> float:
    """A bound of the states of untied runs times the runs; 2e7 take .2 seconds or less.

    Each group but the largest has n + 1 counts, and n(N − n) + 1 rank sums.
    """
    n, total = np.sort(sizes)[:-1].astype(np.float64), float(sizes.sum())
    return float(np.prod((n + 1) * (n * (total - n) + 1))) * total


def between_groups(totals: Floats, sizes: Ints) -> Floats:
    """Σ (R_i − n_i(N + 1)/2)²/n_i of rank sums of shape (..., k)."""
    away = totals - sizes * (sizes.sum() + 1) / 2
    return np.asarray((away**2 / sizes).sum(axis=-1))


def exact_tail(sizes: Ints, ranks: Floats) -> float:
    """P(H >= observed) over all assignments; `ranks` has shape (N,), group after group."""
    if steps(sizes) > _MOST:
        raise InputError(
            f"method='exact' must be at most {_MOST:.0e} steps; got {steps(sizes):.1e}; "
            "use method='permutation' or 'chi2'"
        )
    starts = np.cumsum(sizes) - sizes
    observed = float(between_groups(np.add.reduceat(ranks, starts), sizes))
    ordered = np.sort(sizes)  # the largest group last: its sums need not be kept
    totals, ways = deal(ordered, np.sort(2 * ranks).astype(np.int64))
    reached = between_groups(totals / 2, ordered) >= observed * (1 - _CLOSE)
    return float(ways[reached].sum() / ways.sum())


def permuted_tail(
    groups: Groups, ranks: Floats, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """The same by random assignments, the observed one included, and its standard error."""
    observed = float(between_groups(groups.sums(ranks), groups.sizes))
    step, reached = max(1, _CELLS // groups.total), 1
    for start in range(0, draws, step):
        dealt = np.repeat(ranks[None], min(step, draws - start), axis=0)
        rng.permuted(dealt, axis=1, out=dealt)
        between = between_groups(groups.sums(dealt), groups.sizes)
        reached += int(np.count_nonzero(between >= observed * (1 - _CLOSE)))
    p = reached / (draws + 1)
    return p, math.sqrt(p * (1 - p) / draws)


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
        moves = _moves(counts, dealt, sizes, of_counts + rank * of_sums)
        after = np.concatenate([reached[room] + step for room, step in moves])
        ways = np.concatenate([ways[room] for room, _ in moves])
        reached, where = np.unique(after, return_inverse=True)
        ways = np.asarray(np.bincount(where, ways))
    sums = reached[:, None] // of_sums % most
    return np.column_stack([sums, twice.sum() - sums.sum(axis=1)]), ways


def _moves(
    counts: Whole, dealt: int, sizes: Ints, steps: Whole
) -> list[tuple[NDArray[np.bool_], int]]:
    """For each group: the states in which it has room for another run, and what that adds."""
    last = dealt - counts.sum(axis=1) < sizes[-1]
    room = [counts[:, i] < sizes[i] for i in range(len(steps))]
    return [*zip(room, steps.tolist(), strict=True), (last, 0)]
