"""Mann and Whitney's test (Wilcoxon's rank-sum test) of two independent samples.

U counts the pairs of runs in which the first is better, ties half; U/(nm) is Vargha and Delaney's
A. The null hypothesis is equal distributions, so equal spreads too. Where spreads and sizes differ,
the test does not keep its level as a test of A = 1/2; `brunner_munzel` does.

The exact p-value counts the ways to deal the ranks as they are, average ranks of ties included.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.base.special import ndtr
from racing.stats._checks import Bools, Floats, Ints, as_vector, one_of
from racing.stats._groups import Groups
from racing.stats._placements import Placements
from racing.stats.kruskal_exact import deal
from racing.stats.ranks import rank_rows
from racing.stats.sign import Alternative

RankSumMethod = Literal["auto", "exact", "normal"]

_AUTO = 50  # runs of both samples up to which "auto" is exact: some milliseconds
_MOST = 400  # and "exact" at most: some ten seconds
_TAIL = {"two-sided": 0, "better": 1, "worse": 2}


@dataclass(frozen=True)
class MannWhitney:
    """Mann and Whitney's test of the first sample against the second (lower cost wins).

    `mann_whitney` returns it.

    `u` counts the pairs of runs that the first wins, ties half; `a` = u/(nm) is the chance that a
    run of the first is better; `z` is u standardised with the variance of tied ranks, positive
    when the first is better; `method` is the method used; `ties` counts pairs of equal runs.

    Examples
    --------
    >>> from racing.stats import mann_whitney
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = mann_whitney(x, y)
    >>> found.u, found.ties, found.sizes
    (10.0, 6, (7, 7))
    >>> round(found.a, 2), round(found.z, 2)
    (0.2, -1.88)
    """

    u: float
    a: float
    z: float
    pvalue: float
    ties: int
    sizes: tuple[int, int]
    alternative: Alternative
    method: str
    continuity: bool


@dataclass(frozen=True, eq=False)
class MannWhitneyPairs:
    """Mann and Whitney's tests of all pairs of k samples: entry (i, j) tests i against j.

    `mann_whitney_pairs` returns it.

    All arrays are (k, k). `exact` says where the p-value is exact. The p-values are not corrected
    for their number; that of a sample against itself is 1.

    Examples
    --------
    >>> from racing.stats import mann_whitney_pairs
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = mann_whitney_pairs(samples)
    >>> found.u.tolist()
    [[8.0, 14.0, 16.0], [2.0, 8.0, 16.0], [0.0, 0.0, 8.0]]
    >>> found.a[0].tolist(), bool(found.exact.all())
    ([0.5, 0.875, 1.0], True)
    """

    u: Floats
    a: Floats
    z: Floats
    pvalues: Floats
    exact: Bools
    sizes: Ints
    alternative: Alternative
    continuity: bool


def mann_whitney(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: RankSumMethod = "auto",
    continuity: bool = True,
) -> MannWhitney:
    """Mann and Whitney's test of x against y, vectors of costs of any lengths.

    Parameters
    ----------
    alternative
        "better": x tends to have the lower costs; "worse": the higher.
    method
        "exact", "normal", or "auto": exact up to 50 runs together.
    continuity
        Moves U by half a step towards its mean in the normal approximation.

    Raises
    ------
    InputError
        If x or y is no vector of costs, or "exact" is asked of more than 400 runs.

    Notes
    -----
    Mann and Whitney (1947). A failure (+inf) is worst and tied with other failures.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import mann_whitney
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = mann_whitney(x, y)
    >>> round(float(found.pvalue), 4)
    0.0781
    """
    named = as_vector(x, name="x"), as_vector(y, name="y")
    found = mann_whitney_pairs(named, alternative=alternative, method=method, continuity=continuity)
    n, m = named[0].size, named[1].size
    return MannWhitney(
        u=float(found.u[0, 1]),
        a=float(found.a[0, 1]),
        z=float(found.z[0, 1]),
        pvalue=float(found.pvalues[0, 1]),
        ties=int(np.equal.outer(*named).sum()),
        sizes=(n, m),
        alternative=alternative,
        method="exact" if found.exact[0, 1] else "normal",
        continuity=continuity,
    )


def mann_whitney_pairs(
    samples: Iterable[ArrayLike],
    *,
    alternative: Alternative = "two-sided",
    method: RankSumMethod = "auto",
    continuity: bool = True,
) -> MannWhitneyPairs:
    """Mann and Whitney's tests of all pairs of k vectors of costs. Options as in `mann_whitney`.

    Examples
    --------
    >>> from racing.stats import mann_whitney_pairs
    >>> samples = [[1, 2, 3, 4], [3, 4, 5, 6], [7, 8, 8, 9]]
    >>> found = mann_whitney_pairs(samples)
    >>> found.pvalues.round(4).tolist()
    [[1.0, 0.1429, 0.0286], [0.1429, 1.0, 0.0286], [0.0286, 0.0286, 1.0]]
    """
    one_of(alternative, tuple(_TAIL), name="alternative")
    one_of(method, ("auto", "exact", "normal"), name="method")
    groups = Groups.of(samples)
    placed = Placements.of(groups)
    u, together = placed.u(), np.add.outer(groups.sizes, groups.sizes)
    _refuse_long(method, int(together.max()))
    exact = together <= {"auto": _AUTO, "exact": _MOST, "normal": 0}[method]
    away, error = u - placed.pairs / 2, standard_errors(placed)
    p = _normal_p(away, error, alternative, 0.5 * continuity)
    for i, j in np.argwhere(exact & ~np.eye(groups.k, dtype=np.bool_)):
        p[i, j] = _exact_p(groups, int(i), int(j), alternative)
    np.fill_diagonal(p, 1.0)
    z = np.divide(away, error, out=np.zeros_like(away), where=error > 0)
    return MannWhitneyPairs(u, placed.a(), z, p, exact, groups.sizes, alternative, continuity)


def standard_errors(placed: Placements) -> Floats:
    """Of U for all pairs, (k, k): √(nm/12 · [N + 1 − Σ(t³ − t)/(N(N − 1))]), N = n + m."""
    sizes = placed.groups.sizes
    total = np.add.outer(sizes, sizes)
    # Lehmann (1975), section 1.4, for ties
    spread = (total + 1) - placed.tie_sums() / (total * (total - 1))
    return np.sqrt(placed.pairs / 12 * np.where(placed.tied(), 0.0, spread))


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
    tails = (2 * min(better, worse), better, worse)
    return float(min(tails[_TAIL[alternative]], 1.0))


@lru_cache(maxsize=256)
def _rank_sums(n: int, twice: bytes) -> tuple[Ints, Floats]:
    """The doubled rank sums of n of the runs, and their chances."""
    ranks = np.frombuffer(twice, dtype=np.int64)
    totals, ways = deal(np.array([n, ranks.size - n]), ranks)
    return totals[:, 0], ways / ways.sum()


def _refuse_long(method: str, runs: int) -> None:
    if method == "exact" and runs > _MOST:
        raise InputError(
            f"method: 'exact' takes at most {_MOST} runs of two samples together, got {runs}; "
            "use method='normal'"
        )
