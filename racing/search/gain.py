"""The winner's gain over a baseline, the default as a rule, on instances that chose nobody."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.special import stdtrit

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Gain:
    """By how much the winner's mean cost is below the baseline's.

    Attributes
    ----------
    mean
        Mean paired difference baseline − winner in cost; above 0 the winner is better. NaN where no
        pair ran well.
    low, high
        Confidence interval for the mean over all such instances, by Student's t; infinite with
        fewer than two pairs.
    confidence
        Its level.
    pairs
        On how many instances both ran well.
    winner_failures, baseline_failures
        How often each failed; such pairs are not in the mean.
    training
        The same mean on the instances that chose the winner, where the baseline ran too; NaN if
        there are none. It is optimistic: the winner was chosen for it.
    training_pairs
        On how many instances that is.
    """

    mean: float
    low: float
    high: float
    confidence: float
    pairs: int
    winner_failures: int
    baseline_failures: int
    training: float
    training_pairs: int

    @property
    def optimism(self) -> float:
        """By how much the training figure overstates the gain."""
        return self.training - self.mean


def gain(fresh: Floats, training: Floats, *, confidence: float = 0.95) -> Gain:
    """The gain from costs of (winner, baseline).

    Parameters
    ----------
    fresh : (n, 2)
        On instances that chose nobody; +inf = failed.
    training : (n', 2)
        On instances that chose the winner.
    """
    differences = _paired(fresh)
    known = _paired(training)
    mean, half = math.nan, math.inf
    n = len(differences)
    if n:
        mean = float(differences.mean())
    if n > 1:
        quantile = float(stdtrit(n - 1, 0.5 + confidence / 2))
        half = quantile * float(differences.std(ddof=1)) / math.sqrt(n)
    failures = np.isinf(fresh).sum(axis=0)
    return Gain(
        mean=mean,
        low=mean - half,
        high=mean + half,
        confidence=confidence,
        pairs=n,
        winner_failures=int(failures[0]),
        baseline_failures=int(failures[1]),
        training=float(known.mean()) if len(known) else math.nan,
        training_pairs=len(known),
    )


def _paired(costs: Floats) -> Floats:
    """Differences baseline − winner where both ran well."""
    both = costs[np.isfinite(costs).all(axis=1)]
    return np.asarray(both[:, 1] - both[:, 0])
