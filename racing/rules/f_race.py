"""Helpers of the variants of F-race: an omnibus test, then eliminations by tests of pairs."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing import stats
from racing.base.special import chdtri, fdtri
from racing.core.results import Results
from racing.core.verdict import Elimination, Gate, Reason, eliminations

FrequentistGate = Literal["friedman", "iman-davenport", "none"]


def frequentist_gate(
    block: NDArray[np.float64], test: FrequentistGate, alpha: float
) -> Gate | None:
    """The omnibus test with tie correction of (n, k) costs; None without one."""
    if test == "none":
        return None
    outcome = stats.friedman(block, reference="chi2" if test == "friedman" else "F", check=False)
    return Gate(
        test=test,
        statistic=outcome.statistic,
        threshold=_critical_value(test, outcome.df, alpha),
        p_value=outcome.pvalue,
        passed=outcome.pvalue < alpha,
    )


def _critical_value(test: FrequentistGate, df: tuple[int, ...], alpha: float) -> float:
    """The critical value at this level; inf without degrees of freedom."""
    if min(df) < 1:
        return float("inf")
    return float(chdtri(df[0], alpha) if test == "friedman" else fdtri(df[0], df[1], 1 - alpha))


def dominated(
    results: Results,
    order: NDArray[np.intp],
    p_values: NDArray[np.float64],
    statistics: NDArray[np.float64] | NDArray[np.intp],
    *,
    alpha: float,
    reason: Reason = Reason.INFERIOR,
) -> tuple[Elimination, ...]:
    """Eliminate every candidate but the leader to which another is superior at level `alpha`.

    Parameters
    ----------
    order
        The survivors, best first. The leader stays even if another beats it: pairwise verdicts can
        be circular, and a race must not drop all.
    p_values, statistics : (k, k)
        Entry (i, j) tests whether survivor j is better than survivor i. Each elimination names the
        rival with the smallest p-value.
    """
    best_first = p_values[np.ix_(order, order)]
    np.fill_diagonal(best_first, 1.0)
    against, p = np.empty_like(order), np.empty(len(order))
    against[order], p[order] = order[best_first.argmin(axis=1)], best_first.min(axis=1)
    return eliminations(
        results,
        [i for i in order[1:] if p[i] < alpha],
        against=against,
        reason=reason,
        measure="p-value",
        value=p,
        threshold=alpha,
        statistic=statistics[np.arange(len(order)), against],
    )
