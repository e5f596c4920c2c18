"""The winner's gain over a baseline, usually the default, on fresh instances."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.core.constraints import Decided, Kept, by_constraints
from racing.stats.student import half_width

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Gain:
    """The difference of the baseline's and a configuration's mean cost.

    The configuration, "the winner" here, is fixed before the fresh instances are run.

    Attributes
    ----------
    mean
        Mean paired difference baseline − winner in cost; above 0 the winner is better. None if all
        pairs failed.
    low, high
        Confidence interval for the mean over all such instances, by Student's t; infinite with
        fewer than two unseen problems, or instances of known ones.
    confidence
        Its level.
    pairs
        The number of instances on which neither failed.
    problems
        The number of different problems among them: a problem may repeat with another seed.
    winner_failures, baseline_failures
        The number of failures of each; such pairs are not in the mean.
    training
        The same mean on the instances that the winner was chosen by, where the baseline ran too;
        None without any. It is biased towards the winner.
    training_pairs
        The number of these instances.
    unseen
        Whether the choice was based on none of these problems, so that the interval is one for all
        such problems. Otherwise it is one for new seeds of these problems, and says nothing of
        others.
    limits, baseline_limits
        What the fresh instances say of each constraint, of the winner and of the baseline; () if
        there are none.

    Examples
    --------
    >>> from racing.search import Search
    >>> from racing.space import Real
    >>> search = Search({"x": Real(0, 1, default=0.9)}, range(200), budget=300)
    >>> while not search.done:
    ...     for one in search.ask():
    ...         noise = one.instance.seed % 7 / 10
    ...         search.tell(one.outcome(abs(one.candidate.values["x"] - 0.3) + noise))
    >>> 0.5 < search.gain.low <= search.gain.mean < 0.61
    True
    """

    mean: float | None
    low: float
    high: float
    confidence: float
    pairs: int
    problems: int
    winner_failures: int
    baseline_failures: int
    training: float | None
    training_pairs: int
    unseen: bool = True
    limits: tuple[Kept, ...] = ()
    baseline_limits: tuple[Kept, ...] = ()

    @property
    def decided_by(self) -> Decided:
        """The verdict of the constraints on the winner; `equal` if the cost decides."""
        return by_constraints(self.limits, self.baseline_limits) if self.limits else "equal"

    @property
    def better(self) -> bool:
        """Whether it is shown to be better: by the constraints, else by the cost."""
        if self.decided_by == "equal":
            return self.mean is not None and self.low > 0
        return self.decided_by == "better" and self.winner_failures <= self.baseline_failures

    @property
    def where(self) -> str:
        """What it was measured on, in words: unseen problems, or known ones with new seeds."""
        kind = "unseen" if self.unseen else "known"
        of = f"{self.problems} {kind} problem{'s' * (self.problems != 1)}"
        if self.unseen and self.problems == self.pairs:
            return of
        instances = f"{self.pairs} instance{'s' * (self.pairs != 1)} of {of}"
        return instances if self.unseen else f"{instances}, with new seeds"

    @property
    def optimism(self) -> float | None:
        """The training mean minus the gain; None if one of them is unknown."""
        if self.training is None or self.mean is None:
            return None
        return self.training - self.mean


def outcome(
    winner: str, baseline: str, *, found: str | None, gain: Gain | None, worse: float | None
) -> str:
    """The outcome of a finished search with a default, in one sentence; every reader has this one.

    Parameters
    ----------
    winner, baseline, found
        Names; None if nothing but the baseline was found.
    gain, worse
        The gain of `found` as confirmed, and the probability that it is truly worse.
    """
    if winner == baseline:
        return f"Keep {baseline}: nothing better was {'found' if found is None else 'shown'}."
    if gain is not None and gain.better:
        return f"{winner} is better than {baseline}{'' if gain.unseen else ' on these problems'}."
    if worse is not None:
        return f"{winner} is better than {baseline}, as far as one can tell."
    return f"Undecided: {winner} is best so far."


def gain(
    fresh: Floats,
    training: Floats,
    *,
    problems: Sequence[Hashable] | None = None,
    unseen: bool = True,
    confidence: float = 0.95,
    skewed: bool = False,
) -> Gain:
    """The gain from costs of (winner, baseline).

    Parameters
    ----------
    fresh : (n, 2)
        On fresh instances; +inf = failed.
    training : (n', 2)
        On the instances that the winner was chosen by.
    problems : (n,)
        The problem of each fresh instance; by default all differ. Runs on one problem
        with several seeds are one observation in the interval, because further seeds do not average
        out the differences between problems.
    unseen
        See `Gain`. Of known problems each run is an observation: only their seeds are new.
    skewed
        Correct the interval for the skewness of the differences, as those of a team have it: its
        gain is 0 where the single best is a member's equal, and large elsewhere.
    """
    both = np.isfinite(fresh).all(axis=1)
    differences, known = fresh[both, 1] - fresh[both, 0], _paired(training)
    own = _numbered(range(len(fresh)) if problems is None else problems)[both]
    mean = float(differences.mean()) if len(differences) else None
    middle = mean or 0.0
    clusters = own if unseen else np.arange(len(own))
    below, above = _widths(differences, clusters, confidence, skewed=skewed)
    failures = np.isinf(fresh).sum(axis=0)
    return Gain(
        mean=mean,
        low=middle - below,
        high=middle + above,
        confidence=confidence,
        pairs=len(differences),
        problems=len(set(own.tolist())),
        winner_failures=int(failures[0]),
        baseline_failures=int(failures[1]),
        training=float(known.mean()) if len(known) else None,
        training_pairs=len(known),
        unseen=unseen,
    )


def _widths(
    differences: Floats, problems: NDArray[np.intp], confidence: float, *, skewed: bool
) -> tuple[float, float]:
    """How far the interval reaches below and above the mean.

    Student's t with a cluster-robust standard error:

        se² = G/(G − 1) · Σ_g (Σ_{i in g} (d_i − d̄))² / n²,   G − 1 degrees of freedom

    With one pair a problem it is the usual s/√n. Cameron and Miller (2015), A practitioner's guide
    to cluster-robust inference, Journal of Human Resources 50, 317–372, sec. II. With `skewed` its
    quantiles are transformed (`unskewed`).
    """
    _, group = np.unique(problems, return_inverse=True)
    groups = int(group.max()) + 1 if len(group) else 0
    if groups < 2:
        return math.inf, math.inf
    apart: Floats = np.bincount(group, differences - differences.mean()).astype(np.float64)
    error = math.sqrt(groups / (groups - 1) * float(apart @ apart)) / len(differences)
    t = half_width(groups - 1, confidence)
    skewness = _skewness(apart) if skewed else 0.0
    return error * unskewed(t, skewness, groups), -error * unskewed(-t, skewness, groups)


def unskewed(t: float, skewness: float, n: int) -> float:
    """The quantile of a studentized mean of n skewed observations that corresponds to Student's.

    The inverse of the monotone cubic g(x) = x + γ/√n · (x²/3 + 1/6) + γ²/n · x³/27, of which the
    distribution is nearly symmetric. Hall (1992), On the removal of skewness by transformation,
    Journal of the Royal Statistical Society B 54, 221-228.

    Examples
    --------
    >>> unskewed(2.0, 0.0, 20), round(unskewed(2.0, 1.5, 20), 3), round(unskewed(-2.0, 1.5, 20), 3)
    (2.0, 1.629, -2.888)
    """
    if abs(skewness) < 1e-9:
        return t
    scaled = skewness / math.sqrt(n)
    return 3 / scaled * (math.cbrt(1 + scaled * (t - scaled / 6)) - 1)


def _skewness(apart: Floats) -> float:
    """The third moment of deviations in units of the second; 0 if all are 0."""
    spread = float((apart * apart).mean())
    return float((apart**3).mean()) / spread**1.5 if spread > 0 else 0.0


def _numbered(things: Iterable[Hashable]) -> NDArray[np.intp]:
    """Number the problems; equal problems get the same number."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(one, len(numbers)) for one in things], dtype=np.intp)


def _paired(costs: Floats) -> Floats:
    """Differences baseline − winner where neither failed."""
    both = costs[np.isfinite(costs).all(axis=1)]
    return np.asarray(both[:, 1] - both[:, 0])
