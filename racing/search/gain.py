"""The winner's gain over a baseline, the default as a rule, on instances that chose nobody."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.special import stdtrit

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Gain:
    """By how much a configuration's mean cost is below the baseline's.

    The configuration, "the winner" here, is settled before the fresh instances are met.

    Attributes
    ----------
    mean
        Mean paired difference baseline − winner in cost; above 0 the winner is better. NaN where no
        pair ran well.
    low, high
        Confidence interval for the mean over all such instances, by Student's t; infinite with
        fewer than two problems.
    confidence
        Its level.
    pairs
        On how many instances both ran well.
    problems
        How many different problems these are: one may come again with another seed.
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
    problems: int
    winner_failures: int
    baseline_failures: int
    training: float
    training_pairs: int

    @property
    def optimism(self) -> float:
        """By how much the training figure overstates the gain."""
        return self.training - self.mean


def gain(
    fresh: Floats,
    training: Floats,
    *,
    problems: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
) -> Gain:
    """The gain from costs of (winner, baseline).

    Parameters
    ----------
    fresh : (n, 2)
        On instances that chose nobody; +inf = failed.
    training : (n', 2)
        On instances that chose the winner.
    problems : (n,)
        Which problem each fresh instance is; by default they are all different. Runs on one problem
        with several seeds are one observation in the interval, as the differences between problems
        are not averaged out by further seeds.
    """
    both = np.isfinite(fresh).all(axis=1)
    differences, known = fresh[both, 1] - fresh[both, 0], _paired(training)
    own = _numbered(range(len(fresh)) if problems is None else problems)[both]
    mean = float(differences.mean()) if len(differences) else math.nan
    half = _half_width(differences, own, confidence)
    failures = np.isinf(fresh).sum(axis=0)
    return Gain(
        mean=mean,
        low=mean - half,
        high=mean + half,
        confidence=confidence,
        pairs=len(differences),
        problems=len(np.unique(own)),
        winner_failures=int(failures[0]),
        baseline_failures=int(failures[1]),
        training=float(known.mean()) if len(known) else math.nan,
        training_pairs=len(known),
    )


def _half_width(differences: Floats, problems: NDArray[np.intp], confidence: float) -> float:
    """Half of the interval's width: Student's t with an error that is robust to clusters.

        se² = G/(G − 1) · Σ_g (Σ_{i in g} (d_i − d̄))² / n²,   G − 1 degrees of freedom

    With one pair a problem it is the usual s/√n. Cameron and Miller (2015), A practitioner's guide
    to cluster-robust inference, Journal of Human Resources 50, 317–372, sec. II.
    """
    _, group = np.unique(problems, return_inverse=True)
    groups = int(group.max()) + 1 if len(group) else 0
    if groups < 2:
        return math.inf
    apart = np.bincount(group, differences - differences.mean())
    error = math.sqrt(groups / (groups - 1) * float(apart @ apart)) / len(differences)
    return float(stdtrit(groups - 1, 0.5 + confidence / 2)) * error


def _numbered(things: Iterable[Hashable]) -> NDArray[np.intp]:
    """Things as numbers, the same for the same thing."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(one, len(numbers)) for one in things], dtype=np.intp)


def _paired(costs: Floats) -> Floats:
    """Differences baseline − winner where both ran well."""
    both = costs[np.isfinite(costs).all(axis=1)]
    return np.asarray(both[:, 1] - both[:, 0])
