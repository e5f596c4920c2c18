"""The correlated t-races: tests against the leader for dependent instances, such as folds.

The variance of a mean of correlated differences is S²/n_eff, with the effective size n_eff of
`racing.rules.dependence`. With a single group this is the corrected t-test of Nadeau and Bengio
(2003); Corani and Benavoli (2015), eq. 1, write it as S²·(1/n + ρ/(1 − ρ)).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.base.quantities import Correlation, Level, NonNegative
from racing.base.special import ndtr, ndtri, stdtr
from racing.core.results import Results
from racing.core.verdict import Elimination, Reason, eliminations
from racing.rules.dependence import effective_size
from racing.rules.rule import Outlook, Places, RuleBase
from racing.rules.scores import plain_scores
from racing.stats.corrections import adjust

Floats = NDArray[np.float64]

_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)

_SOON = 10.0
"""Effective size at which the boundary of an endless race is tightest."""


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

    def p_worse(self, leader: int) -> Floats:
        """(k,) one-sided p-values of being no worse than the leader, whose own is 1."""
        p = Lags(-self.mean, self.error, self.size, self.df).behind()
        p[leader] = 1.0
        return p


def student_lags(y: Floats, leader: int, groups: Sequence[int], correlation: float) -> Lags:
    """The lags behind a leader by scores (n, k), on n ≥ 2 instances of these groups."""
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


def rho_of(outlook: Outlook, correlation: float | None) -> float:
    """The correlation of a rule, or else that of the instances."""
    return outlook.correlation if correlation is None else correlation


class _Correlated(RuleBase):
    """Judges the lags behind the leader, from two instances on."""

    correlation: Correlation | None

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate by the lags of the survivors; none before two instances."""
        y = plain_scores(results, outlook.objective)
        if len(y) < 2:
            return ()
        rho = rho_of(outlook, self.correlation)
        lag = student_lags(y, int(order[0]), groups_seen(results), rho)
        return self.weigh(lag, results, outlook, int(order[0]))

    @abstractmethod
    def weigh(
        self, lag: Lags, results: Results, outlook: Outlook, leader: int
    ) -> Iterable[Elimination]:
        """The eliminations by these lags."""


def _inferior(
    lag: Lags, p: Floats, level: float, results: Results, leader: int
) -> Iterable[Elimination]:
    """Eliminate candidates that are behind the leader with a p-value below the level."""
    gone = np.flatnonzero((p < level) & (lag.mean > 0))
    return eliminations(results, gone, leader, "p-value", p, level, lag.mean)


@dataclass(frozen=True, kw_only=True)
class CorrelatedT(_Correlated):
    """The corrected t-test of Nadeau and Bengio (2003) against the leader, one-sided.

    Candidates significantly worse than the leader are dropped. The folds of a cross-validation
    share their training data, so their differences are correlated, and a plain t-test rejects too
    often. Here the variance of the mean uses the effective size of the folds
    (`racing.rules.dependence`): with a single group, S²·(1/n + ρ/(1 − ρ)).

    The level holds for one look. Over a whole race, and with a leader chosen as the best, more are
    dropped by chance; see `correlated-sequential`.

    Attributes
    ----------
    alpha
        Level of each test, or of the family of tests at one look with a correction.
    correlation
        ρ of costs within a group, n_test/n_total for folds. Default: that of the instances; 0 where
        they have no groups, which makes this a one-sided t-test.
    correction
        For the number of candidates: `none`, `holm` or `bonferroni`.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import CorrelatedT
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=CorrelatedT())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    alpha: Level = 0.05
    correlation: Correlation | None = None
    correction: Literal["none", "holm", "bonferroni"] = "none"

    def weigh(
        self, lag: Lags, results: Results, outlook: Outlook, leader: int
    ) -> Iterable[Elimination]:
        """Eliminate by corrected p-values."""
        p = adjust(lag.p_worse(leader), self.correction)
        return _inferior(lag, p, self.alpha, results, leader)


@dataclass(frozen=True, kw_only=True)
class CorrelatedSequential(_Correlated):
    """Correlated t-tests against the leader, with a level that is spent over the whole race.

    Means of dependent instances move like a Brownian motion whose time is the share t of the
    effective size: Cov(mean_n, mean_m) = Var(mean_m) for m > n. By the reflection principle the
    score process crosses a constant b before t = 1 with probability 2·(1 − Φ(b)), for any number of
    looks. So a candidate is dropped when the p-value of the correlated t-test is below 1 − Φ(b/√t)
    with 2·(1 − Φ(b)) = α: the spending of O'Brien and Fleming (1979), in effective information (Lan
    and DeMets, 1983). With folds the information comes early, so early looks are less strict than
    with independent instances.

    In an endless race, the boundary is the normal mixture of Robbins (1970),
    √((1 + s/n)·ln((n + s)/(s·α²))) at effective size n, with s = 10.

    The cost: the first looks drop only candidates far behind. It grows with the number of rivals,
    over which the level is divided, because the best must not be dropped in favour of any of them.

    Attributes
    ----------
    alpha
        Probability that the best candidate is dropped at all. It is exact for normal differences of
        known variance, and approximate for an estimated variance; it does not hold for candidates
        that join late.
    correlation
        ρ of costs within a group, n_test/n_total for folds. Default: that of the instances; 0 where
        they have no groups.
    correction
        `bonferroni` divides the level over all rivals; with `none` it is that of each pair.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import CorrelatedSequential
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=CorrelatedSequential())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    alpha: Level = 0.05
    correlation: Correlation | None = None
    correction: Literal["none", "bonferroni"] = "bonferroni"

    def weigh(
        self, lag: Lags, results: Results, outlook: Outlook, leader: int
    ) -> Iterable[Elimination]:
        """Eliminate by p-values below the level that this look has."""
        rivals = max(len(results.candidates) - 1, 1) if self.correction == "bonferroni" else 1
        total = self._total(results, outlook)
        level = nominal_level(self.alpha / rivals, lag.size, total)
        return _inferior(lag, lag.p_worse(leader), level, results, leader)

    def _total(self, results: Results, outlook: Outlook) -> float:
        """The effective size of all instances of the race; inf without an end."""
        if math.isinf(outlook.instances):
            return math.inf
        seen, coming = groups_seen(results), list(outlook.coming)
        if results.shared_groups is None:
            coming = [0] * int(outlook.instances)
        elif len(coming) < outlook.instances:  # more instances than the rule looks ahead
            return math.inf
        return effective_size([*seen, *coming], rho_of(outlook, self.correlation))


def nominal_level(alpha: float, size: float, total: float) -> float:
    """The p-value below which a look rejects, at this effective size out of this total.

    Parameters
    ----------
    alpha
        Probability of rejecting at any look without a difference.
    size, total
        The total may be inf.
    """
    if math.isinf(total):
        bound = math.sqrt((1 + _SOON / size) * math.log((size + _SOON) / (_SOON * alpha**2)))
    else:
        bound = -float(ndtri(alpha / 2)) / math.sqrt(min(size / total, 1.0))
    return float(ndtr(-bound))


@dataclass(frozen=True, kw_only=True)
class CorrelatedBayes(_Correlated):
    """The Bayesian correlated t-test of Corani and Benavoli (2015) against the leader, with a rope.

    The mean difference δ of a candidate's costs to the leader's has a Student posterior
    (`racing.stats.correlated_t`). The candidate is dropped when P(δ > −rope) exceeds the
    confidence: it is probably not better by more than the rope. Its reason is inferior if P(δ >
    rope) exceeds it too, otherwise indistinguishable. So a race among nearly equal candidates ends
    early, and the winner should be within the rope of the best.

    The confidence holds for one look at one candidate.

    Attributes
    ----------
    rope
        Negligible differences, in units of cost (`mean`: .01 is a point of accuracy)
        or as a share of the number of candidates (`rank`).
    confidence
        Posterior probability above which a candidate counts as not practically better.
    correlation
        ρ of costs within a group, n_test/n_total for folds. Default: that of the instances; 0 where
        they have no groups.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import CorrelatedBayes
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=CorrelatedBayes())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    rope: NonNegative = 0.01
    confidence: Level = 0.9
    correlation: Correlation | None = None

    def weigh(
        self, lag: Lags, results: Results, outlook: Outlook, leader: int
    ) -> Iterable[Elimination]:
        """Eliminate candidates that are probably not better by more than the rope."""
        no_better, inferior = lag.behind(-self.rope), lag.behind(self.rope)
        no_better[leader] = 0.0
        clearly = inferior > self.confidence
        value = np.where(clearly, inferior, no_better)
        reasons = np.array([Reason.INDISTINGUISHABLE, Reason.INFERIOR], dtype=object)
        why, gone = reasons[clearly.astype(np.intp)], np.flatnonzero(no_better > self.confidence)
        return eliminations(
            results, gone, leader, "posterior", value, self.confidence, lag.mean, why
        )
