"""Races with bounds for means of scores in a known range: Hoeffding's and Bernstein's."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.base.quantities import Level, Positive
from racing.core.field import row_ranks
from racing.core.results import Results
from racing.core.verdict import Elimination, eliminations
from racing.rules.rule import Outlook, Places, RuleBase

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class _Bounded(RuleBase):
    """Drops a candidate whose mean is above the leader's by more than a radius."""

    alpha: Level = 0.05
    range: Positive | None = None

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate candidates with a mean difference to the leader above their radius."""
        leader = int(order[0])
        y, width = self._scores(results, outlook)
        n, rivals = len(y), max(len(results.candidates) - 1, 1)
        # Σ 1/(n(n + 1)) = 1: a level divided by n(n + 1) holds over all n
        odds = rivals * n * (n + 1.0) / self.alpha
        d = np.clip(y - y[:, [leader]], -width, width)
        mean, radius = d.mean(axis=0), self.radius(d, width, odds)
        gone = [i for i in np.flatnonzero(mean > radius) if i != leader]
        return eliminations(results, gone, leader, "difference", mean, radius, mean / width)

    @abstractmethod
    def radius(self, d: Floats, width: float, odds: float) -> Floats:
        """(k,) the radii of mean differences.

        Parameters
        ----------
        d : (n, k)
            Score minus the leader's, within ± `width`.
        width
            The range of the scores.
        odds
            One over the level of a comparison with one rival at this number of instances.
        """

    def _scores(self, results: Results, outlook: Outlook) -> tuple[Floats, float]:
        """(n, k) scores and their range.

        With `rank`, from ranks among those alive at the time, from 0 for first to 1 for last. With
        `mean`, from costs; the default range is that of the finite costs so far.
        """
        if outlook.objective == "rank":
            return _unit_ranks(results), 1.0
        block, known = results.block, np.isfinite(results.block)
        finite = block[known] if known.any() else np.zeros(1)
        width = self.range or float(np.ptp(finite)) or 1.0
        return np.where(known, block, float(finite.max()) + width), width


@dataclass(frozen=True, kw_only=True)
class Hoeffding(_Bounded):
    """The Hoeffding race (Maron and Moore, 1994).

    After n instances, a candidate is dropped if its mean is above the leader's by more than

        R · √(2 · ln((m − 1) · n(n + 1) / α) / n)

    where R is the range of the scores and m the number of candidates. By Hoeffding's inequality the
    best is that far from one rival, at one n, with probability α/((m − 1)·n(n + 1)) at most; the
    sum over all rivals and all n is α. So the best is dropped with probability α at most in the
    whole race, with any looks, if instances are independent and R is right. The rule is very
    conservative: it drops little in a hundred instances.

    With the objective `rank`, scores are ranks among those alive at the time, scaled to [0, 1]: the
    guarantee is for the candidate with the best expected rank in every set of candidates that it
    meets. With `mean` they are costs.

    Attributes
    ----------
    alpha
        Probability that the best is dropped at all.
    range
        Largest possible difference of two costs on an instance, for the objective `mean`. Without
        it, the range of the costs so far is used, without a guarantee. A larger difference, such as
        to a failure, counts as this much.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import Hoeffding
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Hoeffding())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 175)
    """

    def radius(self, d: Floats, width: float, odds: float) -> Floats:
        """Hoeffding (1963), theorem 2, in [−R, R]: P(mean > r) ≤ exp(−n r²/(2R²))."""
        n, k = d.shape
        return np.full(k, width * math.sqrt(2 * math.log(odds) / n))


@dataclass(frozen=True, kw_only=True)
class Bernstein(_Bounded):
    """The empirical Bernstein race (Mnih et al., 2008), with the bound of Maurer and Pontil (2009).

    After n instances, a candidate is dropped if its mean is above the leader's by more than

        √(2 V L / n) + 14 R L / (3(n − 1)),   L = ln(2 (m − 1) · n(n + 1) / α)

    where V is the variance of the paired differences, R the range of the scores and m the number of
    candidates. The level is divided over rivals and instances as in the Hoeffding race, so the best
    is dropped with probability α at most in the whole race, if instances are independent and R is
    right. The second term alone is above R for the first few dozen instances, where Hoeffding's
    rule drops more; this rule is better when R is far above the spread of the differences.

    With the objective `rank`, scores are ranks among those alive at the time, scaled to [0, 1], and
    the bound, which is for a fixed set of candidates, holds only approximately. With `mean` they
    are costs.

    Attributes
    ----------
    alpha
        Probability that the best is dropped at all.
    range
        Largest possible difference of two costs on an instance, for the objective `mean`. Without
        it, the range of the costs so far is used, without a guarantee. A larger difference, such as
        to a failure, counts as this much.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import Bernstein
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Bernstein())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 200)
    """

    def radius(self, d: Floats, width: float, odds: float) -> Floats:
        """Maurer and Pontil (2009), theorem 4; differences have the range 2R."""
        n, k = d.shape
        if n < 2:
            return np.full(k, np.inf)
        level = math.log(2 * odds)
        spread = np.sqrt(2 * d.var(axis=0, ddof=1) * level / n)
        return np.asarray(spread + 14 * width * level / (3 * (n - 1)))


def _unit_ranks(results: Results) -> NDArray[np.float64]:
    """(n', k) ranks of the survivors among those that ran on each instance, scaled to [0, 1].

    Only those that ran count: a bound for sums of past and future differences needs ranks that do
    not change after an instance is complete, and estimates do. On a past instance, a challenger is
    ranked among those that were alive then, with the other challengers.
    """
    ranks = row_ranks(results.shared)
    ran = np.count_nonzero(~np.isnan(ranks), axis=1, keepdims=True)
    unit: NDArray[np.float64] = (ranks[:, results.survivors] - 1) / np.maximum(ran - 1, 1)
    return unit
