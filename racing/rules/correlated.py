"""Student statistics of the differences to the leader, for dependent instances.

The variance of a mean of correlated differences is S²/n_eff, with the effective size n_eff of
`racing.rules.dependence`. With a single group this is the corrected t-test of Nadeau and Bengio
(2003); Corani and Benavoli (2015), eq. 1, write it as S²·(1/n + ρ/(1 − ρ)).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.base.special import stdtr
from racing.core.results import Results
from racing.rules.dependence import effective_size
from racing.rules.rule import Outlook
from racing.rules.scores import plain_scores

Floats = NDArray[np.float64]

_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Lags:
    """Differences of the scores of the survivors to the leader's, averaged; positive is behind.

    Attributes
    ----------
    mean, error : (k,)
        The mean difference, and its standard error, 0 where all differences are the same.
    size
        The effective size of the instances seen.
    df
        Degrees of freedom.
    """

    mean: Floats
    error: Floats
    size: float
    df: int

    def behind(self, margin: float = 0.0) -> Floats:
        """(k,) posterior probability that the mean difference is above this.

        One minus the one-sided p-value if the margin is 0; for a mean without error, 1 or 0, and
        1/2 on the margin.
        """
        over = self.mean - margin
        t = np.divide(over, self.error, out=np.zeros_like(over), where=self.error > 0)
        sure = (self.error == 0) & (over != 0)
        t = np.where(sure, np.copysign(np.inf, over), t)
        return np.asarray(stdtr(float(self.df), t))

    def p_worse(self) -> Floats:
        """(k,) one-sided p-values of being no worse than the leader."""
        reversed_ = Lags(-self.mean, self.error, self.size, self.df)
        return reversed_.behind()


def lags(results: Results, outlook: Outlook, leader: int, correlation: float | None) -> Lags | None:
    """The lags of the survivors behind a leader; None before two instances.

    Parameters
    ----------
    leader
        A place among the survivors.
    correlation
        ρ; None for that of the instances.
    """
    y = plain_scores(results, outlook.objective)
    if len(y) < 2:
        return None
    return student_lags(y, leader, groups_seen(results), rho(outlook, correlation))


def student_lags(y: Floats, leader: int, groups: Sequence[int], correlation: float) -> Lags:
    """The same from scores (n, k) on n ≥ 2 instances of these groups."""
    n = len(y)
    d = y - y[:, [leader]]
    noise = _ROUNDING * np.abs(y).max(axis=0).clip(min=np.abs(y[:, leader]).max())
    size = effective_size(groups, correlation)
    same = np.ptp(d, axis=0) <= noise
    mean = d.mean(axis=0)
    mean = np.where(same & (np.abs(mean) <= noise), 0.0, mean)
    error = np.where(same, 0.0, d.std(axis=0, ddof=1) / np.sqrt(size))
    return Lags(mean, np.asarray(error), size, n - 1)


def groups_seen(results: Results) -> Sequence[int]:
    """The groups of the instances that all survivors have seen; a single one by default."""
    groups = results.shared_groups
    return [0] * len(results.block) if groups is None else groups.tolist()


def rho(outlook: Outlook, correlation: float | None) -> float:
    """The correlation of a rule, or else that of the instances."""
    return outlook.correlation if correlation is None else correlation
