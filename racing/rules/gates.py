"""Omnibus gates: is there any difference at all, before candidates are compared in pairs?"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing import stats
from racing.rules.verdict import Gate
from racing.special import chdtri, fdtri

FrequentistGate = Literal["friedman", "iman-davenport", "none"]


def frequentist_gate(
    block: NDArray[np.float64], test: FrequentistGate, alpha: float
) -> Gate | None:
    """The outcome of an omnibus test with tie correction on (n, k) costs; None if there is none."""
    if test == "none":
        return None
    omnibus = stats.friedman if test == "friedman" else stats.iman_davenport
    outcome = omnibus(block, check=False)
    return Gate(
        test=test,
        statistic=outcome.statistic,
        threshold=_critical_value(test, outcome.df, alpha),
        p_value=outcome.pvalue,
        passed=outcome.pvalue < alpha,
    )


def _critical_value(test: FrequentistGate, df: tuple[int, ...], alpha: float) -> float:
    """What the statistic must exceed at this level; inf where there are no degrees of freedom."""
    if min(df) < 1:
        return float("inf")
    return float(chdtri(df[0], alpha) if test == "friedman" else fdtri(df[0], df[1], 1 - alpha))
