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
from racing.stats._checks import Alternative, Bools, Floats, Ints, checked
from racing.stats._groups import Groups, Placements
from racing.stats._paired import over
from racing.stats.kruskal import deal
from racing.stats.ranks import rank_rows

RankSumMethod = Literal["auto", "exact", "normal"]


_AUTO = 50  # runs of both samples up to which "auto" is exact: some milliseconds


_MOST = 400  # and "exact" at most: some ten seconds


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
    x: ArrayLike | Iterable[ArrayLike],
    y: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    method: RankSumMethod = "auto",
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
    if method == "exact" and runs.max() > _MOST:
        raise InputError(
            f"two samples must be at most {_MOST} runs together for method='exact'; got "
            f"{runs.max()}; use method='normal'"
        )
    exact = runs <= {"auto": _AUTO, "exact": _MOST, "normal": 0}[method]
    away, error = placed.u() - placed.pairs / 2, standard_errors(placed)
    p = _normal_p(away, error, alternative, 0.5 * continuity)
    for i, j in np.argwhere(exact & ~np.eye(groups.k, dtype=np.bool_)):
        p[i, j] = _exact_p(groups, int(i), int(j), alternative)
    np.fill_diagonal(p, 1.0)
    ties = np.rint(placed.ties()).astype(np.intp)
    found = (placed.u(), placed.a(), over(away, error), p, ties, exact)
    return MannWhitney(*map(groups.told, found))


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
    tails = {"two-sided": 2 * min(better, worse), "better": better, "worse": worse}
    return float(min(tails[alternative], 1.0))


@lru_cache(maxsize=256)
def _rank_sums(n: int, twice: bytes) -> tuple[Ints, Floats]:
    """The doubled rank sums of n of the runs, and their chances."""
    ranks = np.frombuffer(twice, dtype=np.int64)
    totals, ways = deal(np.array([n, ranks.size - n]), ranks)
    return totals[:, 0], ways / ways.sum()
