"""Durbin's test: Friedman's for incomplete tables, where each instance ran only some algorithms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.base.special import chdtrc, fdtrc
from racing.stats._checks import Floats, one_of
from racing.stats.ranks import rank_rows


@dataclass(frozen=True, slots=True, eq=False)
class DurbinTest:
    """The outcome of Durbin's test.

    `durbin` returns it.

    Attributes
    ----------
    statistic, df, pvalue
        χ² with m − 1 degrees of freedom, or F with m − 1 and nk − n − m + 1.
    reference
        "chi2" or "F".
    mean_ranks
        Shape (m,): the mean rank of each algorithm on its instances, from 1 to k; lower is better.
    k, r, pairs
        The design: algorithms per instance, instances per algorithm, instances per pair.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import durbin
    >>> X = [[3, 1, np.nan], [np.nan, 2, 3], [5, np.nan, 4]]
    >>> found = durbin(X)
    >>> found.k, found.r, found.pairs
    (2, 2, 1)
    >>> found.mean_ranks.tolist()
    [2.0, 1.0, 1.5]
    """

    statistic: float
    df: tuple[int, ...]
    pvalue: float
    reference: Literal["chi2", "F"]
    mean_ranks: Floats
    n: int
    m: int
    k: int
    r: int
    pairs: int


def durbin(X: ArrayLike, *, reference: Literal["chi2", "F"] = "F") -> DurbinTest:
    """Durbin's test of "all columns behave alike" in a balanced incomplete block design.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better; NaN where an algorithm was not
        run, +inf where it failed. Every instance needs the same number k of algorithms, every
        algorithm the same number of instances, and so do the common instances of every two.
    reference
        "chi2" is Durbin's statistic (T1); "F" (T2) keeps the level better for few instances.

    Raises
    ------
    InputError
        If `X` is no such table; the message names the part that is not balanced.

    Notes
    -----
    Durbin (1951); ties and F as in Conover (1999), 5.9:
    T1 = (m − 1) Σ_j (R_j − r(k+1)/2)² / (A − C), A = Σ rank², C = nk(k+1)²/4, and
    T2 = [T1/(m − 1)] / [(n(k − 1) − T1)/(nk − n − m + 1)]. With k = m it is Friedman's test. If all
    ranks agree as far as they can, T2 is infinite and p = 0: the χ² reference is then safer.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import durbin
    >>> X = np.array([[3, 1, np.nan], [np.nan, 2, 3], [5, np.nan, 4]])
    >>> round(float(durbin(X).statistic), 4)
    4.0
    """
    one_of(reference, ("chi2", "F"), name="reference")
    costs = _as_blocks(X)
    seen = ~np.isnan(costs)
    k, r, pairs = _balance(seen)
    n, m = costs.shape
    ranks = np.where(seen, rank_rows(np.where(seen, _levels(costs, seen), np.inf), check=False), 0)
    totals = ranks.sum(axis=0)
    spread = float((ranks**2).sum()) - n * k * (k + 1) ** 2 / 4
    between = float(((totals - r * (k + 1) / 2) ** 2).sum())
    chi2 = (m - 1) * between / spread if spread > 0 else 0.0
    if reference == "chi2":
        p = float(chdtrc(m - 1, chi2)) if chi2 > 0 else 1.0
        return DurbinTest(chi2, (m - 1,), p, "chi2", totals / r, n, m, k, r, pairs)
    df = (m - 1, n * k - n - m + 1)
    statistic, p = _f_test(chi2, n * (k - 1), df)
    return DurbinTest(statistic, df, p, "F", totals / r, n, m, k, r, pairs)


def _f_test(chi2: float, most: int, df: tuple[int, int]) -> tuple[float, float]:
    if chi2 == 0 or df[1] < 1:
        return (0.0, 1.0) if chi2 == 0 else (math.nan, 1.0)
    residual = most - chi2
    if residual <= 1e-12 * most:
        return math.inf, 0.0
    statistic = (chi2 / df[0]) / (residual / df[1])
    return statistic, float(fdtrc(df[0], df[1], statistic))


def _levels(costs: Floats, seen: NDArray[np.bool_]) -> Floats:
    """Costs as finite numbers of the same order; failures rank before cells that were not run."""
    levels = np.zeros(costs.shape)
    levels[seen] = rank_rows(costs[seen][None], check=False)[0]
    return levels


def _as_blocks(X: ArrayLike) -> Floats:
    if isinstance(X, np.ma.MaskedArray):
        raise InputError("X: a masked array; write what was not run as NaN: X.filled(np.nan)")
    costs = np.asarray(X)
    if costs.dtype.kind not in "biuf" or costs.ndim != 2 or costs.size == 0:
        raise InputError(
            "X: expected numbers of shape (n instances, m algorithms), NaN where not run; got "
            f"shape {costs.shape} of type {costs.dtype}"
        )
    costs = costs.astype(np.float64)
    if np.isneginf(costs).any():
        raise InputError("X: a cost of -inf is infinitely good; a failure is +inf")
    return costs


def _balance(seen: NDArray[np.bool_]) -> tuple[int, int, int]:
    """k, r and the number of instances of each pair, of a balanced design."""
    common = seen.T.astype(int) @ seen.astype(int)
    pairs = common[~np.eye(len(common), dtype=bool)]
    for what, counts in (
        ("algorithms on each instance", seen.sum(axis=1)),
        ("instances of each algorithm", seen.sum(axis=0)),
        ("common instances of every two algorithms", pairs),
    ):
        if counts.size == 0 or counts.min() != counts.max() or counts.min() < 1:
            low, high = (counts.min(), counts.max()) if counts.size else (0, 0)
            raise InputError(
                f"X: Durbin's test needs a balanced design, but the number of {what} goes from "
                f"{low} to {high}; leave out rows or columns, or compare pairs on what both ran on"
            )
    return int(seen[0].sum()), int(seen[:, 0].sum()), int(pairs[0])
