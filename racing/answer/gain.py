"""The one record of a comparison of two: by how much A is better than B, and whether it is shown.

A race, a search, a test, a team, a front's member, a family of instances, a step of an ablation:
each compares two columns of costs, instance by instance, and makes this record of them. Its words
are in `racing.answer.words`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.core.constraints import Decided, Kept, by_constraints
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.stats.effects import median_difference
from racing.stats.intervals import half_width, numbered
from racing.stats.sign import group_means, is_yes_or_no, share_difference
from racing.stats.wilcoxon import wilcoxon

Floats = NDArray[np.float64]
Measure = Literal["mean", "median", "share"]
Basis = Literal["unseen", "seeds", "group", "folds", "choice"]
"""Unseen problems, new seeds of known problems, other instances of known groups (such as other
folds of one data set), instances that are held out of the choice in turn (cross-validation), or
instances of the choice."""
Evidence = Literal["better", "worse", "open", "few"]
"""What is shown: the first is better or worse, neither, or there are too few instances."""
Kind = Literal["shares", "hodges-lehmann", "median"]
Skewed = Literal[False, True, "perhaps"]

FEW = 6
"""Observations below which no 95 % interval of the median difference has two ends."""
MANY = 1000
"""Instances beyond which the plain median stands for the Hodges-Lehmann estimate."""


@dataclass(frozen=True, kw_only=True)
class Gain:
    """By how much one candidate, or team, is better than another.

    It prints as a sentence.

    Attributes
    ----------
    name, over
        The two.
    measure
        What the estimate is: the `mean` of the paired differences over − own in cost, their
        `median` (Hodges-Lehmann), or for costs that are all 0 or 1 the difference of the shares
        of instances on which each is right.
    estimate
        Above 0 the first is better; of the instances on which neither failed. None without any.
    low, high
        Its confidence interval; infinite where there are too few instances.
    level
        Of the interval.
    of
        What the instances are. Of unseen problems, of new seeds of known ones, of other instances
        of known groups, or of instances held out in turn, the interval is without bias; on
        instances of the choice the gain is overstated, the more so the more candidates there were
        and the fewer instances.
    instances, pairs, problems
        On how many instances both ran; on how many neither failed; and of how many different
        problems they are: a problem may come again with another seed. A group counts as a problem.
    failures, over_failures
        How often each failed. Where a failure has a penalty, that is its cost, and the pair counts.
    wins, ties, losses
        On how many instances the first is better, equal, worse; a failure is worst.
    by_cost
        What the costs show. A mean leaves failures out; a median counts them as worst.
    likely
        Whether all outcomes of the run decide for the first, however few these instances are: see
        `Search.worse`.
    test, p
        Of a median the two-sided `wilcoxon` test, of shares that of `mcnemar`; None of a mean.
    groups
        How many groups the instances come in, each of which counts once; None if there are none. Of
        a median on unseen problems with several seeds, these are the groups.
    right
        Of shares, the shares of instances on which each is right, which has the lower cost.
    limits, over_limits
        What the instances say of each constraint, of the first and of the other; () without any.
    metric, unit
        What the costs are of, where more is asked for than that; what they are counted in.
    chosen
        The same on the instances of the choice, where it is known beside this one.
    why
        Why nothing is known, where there is nothing to compare; else empty.

    Examples
    --------
    >>> from racing.search import Search
    >>> from racing.space import Real
    >>> search = Search({"x": Real(0, 1, default=0.9)}, range(200), budget=300)
    >>> while not search.done:
    ...     for one in search.ask():
    ...         noise = one.instance.seed % 7 / 10
    ...         search.tell(one.outcome(abs(one.candidate.values["x"] - 0.3) + noise))
    >>> 0.5 < search.gain.low <= search.gain.estimate < 0.61
    True
    """

    name: str = ""
    over: str = ""
    measure: Measure = "mean"
    estimate: float | None = None
    low: float = -math.inf
    high: float = math.inf
    level: float = 0.95
    of: Basis = "choice"
    instances: int = 0
    pairs: int = 0
    problems: int = 0
    failures: int = 0
    over_failures: int = 0
    wins: int = 0
    ties: int = 0
    losses: int = 0
    by_cost: Evidence = "few"
    likely: bool = False
    test: Literal["wilcoxon", "mcnemar"] | None = None
    p: float | None = None
    groups: int | None = None
    right: tuple[float, float] | None = None
    limits: tuple[Kept, ...] = ()
    over_limits: tuple[Kept, ...] = ()
    metric: str = ""
    unit: str = ""
    chosen: Gain | None = None
    why: str = ""

    def __str__(self) -> str:
        from racing.answer.words import limit_sentences, sentence

        return " ".join([sentence(self), *limit_sentences(self)])

    @property
    def where(self) -> str:
        """What it was measured on, in words."""
        from racing.answer.words import where

        return where(self)

    @property
    def decided_by(self) -> Decided:
        """The verdict of the constraints; `equal` if the cost decides."""
        return by_constraints(self.limits, self.over_limits) if self.limits else "equal"

    @property
    def evidence(self) -> Evidence:
        """The verdict: constraints first, unless failures speak against them, then the cost."""
        found, more = self.decided_by, self.failures - self.over_failures
        if found == "equal":
            return self.by_cost
        if (found == "better" and more <= 0) or (found == "worse" and more >= 0):
            return found
        return "few" if self.by_cost == "few" else "open"

    @property
    def better(self) -> bool:
        """Whether the first is shown to be better."""
        return self.evidence == "better"

    @property
    def fresh(self) -> bool:
        """Whether the instances had no part in the choice."""
        return self.of != "choice"

    @property
    def closed(self) -> bool:
        """Whether there is an estimate whose interval has two ends."""
        return self.estimate is not None and math.isfinite(self.low) and math.isfinite(self.high)

    def in_units(self, units: Mapping[str, str]) -> Gain:
        """The same with its unit: that of its metric, else of costs, which have the name ``""``."""
        unit = units.get(self.metric, units.get("", ""))
        return replace(self, unit=unit, chosen=self.chosen and self.chosen.in_units(units))

    @property
    def observations(self) -> int:
        """The number of independent observations: groups, unseen problems, or instances."""
        if self.groups is not None:
            return self.groups
        if self.measure != "mean":
            return self.instances
        return min(self.problems, self.pairs) if self.of in ("unseen", "folds") else self.pairs


def gain(
    costs: Floats, *, mean: bool = False, name: object = "", over: object = "",
    of: Basis = "choice", problems: Sequence[Hashable] | None = None,
    correlation: float = 0.0, groups: Sequence[Hashable] = (), level: float = 0.95,
    skewed: Skewed = False,
    limits: tuple[tuple[Kept, ...], tuple[Kept, ...]] = ((), ()), metric: str = "", unit: str = "",
    chosen: Gain | None = None, failed: NDArray[np.bool_] | None = None,
) -> Gain:  # fmt: skip
    """Compare two columns of costs.

    Parameters
    ----------
    costs : (n, 2)
        Of the first and of the other on n instances that both ran; lower is better, +inf = failed.
    mean
        Whether the estimate is the mean; by default it is the median, or for costs that are all 0
        or 1 the difference of shares.
    problems : (n,)
        The problem of each instance; by default all differ. Runs on one unseen problem with several
        seeds are one observation, because further seeds do not average out the differences between
        problems. Of known problems each run is one: only its seed is new. A group counts as a
        problem.
    correlation
        Of two costs within a group. Where the groups are known, the mean of n instances of a group
        has the variance σ²/n + σ²·ρ/(1 − ρ), as that of folds has (Nadeau and Bengio, 2003).
    groups : (n,)
        The group of each instance, where these are not independent; then a median is that of the
        means of groups, and the runs of a group are one observation of a mean.
    skewed
        Correct the interval of a mean for the skewness of the differences, as those of a team have
        it: its gain is 0 where the single best is a member's equal, and large elsewhere. `perhaps`:
        each end is the farther one with and without it, as between the best of several runs of each
        the differences may as well be symmetric, and then the correction makes the interval narrow.
    failed : (n, 2)
        What failed, where a penalty stands for its cost; by default +inf says so.
    limits
        `limits` and `over_limits` of the record; the other parameters are as there.
    """
    both: NDArray[np.bool_] = np.asarray(np.isfinite(costs).all(axis=1))
    numbers = numbered(range(len(costs)) if problems is None else problems)
    lost = np.isinf(costs) if failed is None else np.isinf(costs) | failed
    failures = lost.sum(axis=0).tolist() or [0, 0]
    wins, losses = int((costs[:, 0] < costs[:, 1]).sum()), int((costs[:, 0] > costs[:, 1]).sum())
    counted = Gain(
        name=str(name), over=str(over), level=level, of=of,
        instances=len(costs), pairs=int(both.sum()), problems=len(set(numbers.tolist())),
        failures=failures[0], over_failures=failures[1],
        wins=wins, ties=len(costs) - wins - losses, losses=losses,
        limits=limits[0], over_limits=limits[1], metric=metric, unit=unit, chosen=chosen,
    )  # fmt: skip
    if groups and mean:
        counted = replace(counted, groups=len(set(groups)))
    elif of == "unseen" and counted.problems < len(costs):
        groups = groups or numbers.tolist()
    if not (both.any() if mean else len(costs)):
        return replace(counted, measure="mean" if mean else "median")
    if not mean:
        return _typical(counted, costs, both, list(groups))
    clusters = numbered(groups) if groups else np.arange(len(numbers))
    wider = 1.0
    if of == "group":
        sizes = np.bincount(numbers[both])
        wider += correlation / (1 - correlation) * float(sizes @ sizes) / int(both.sum())
    return _mean(counted, costs[both], clusters[both], wider, skewed=skewed)


def _mean(
    counted: Gain, costs: Floats, clusters: NDArray[np.intp], wider: float, *, skewed: Skewed
) -> Gain:
    """The mean difference of finite costs, (n, 2), of which those of a cluster are one.

    Its variance is `wider` times that of independent clusters.
    """
    differences = costs[:, 1] - costs[:, 0]
    middle = float(differences.mean())
    widths = _widths(differences, clusters, counted.level, skewed=skewed)
    below, above = (math.sqrt(wider) * width for width in widths)
    few, same = len(set(clusters.tolist())) < FEW, above <= 1e-9 * abs(middle)
    if few and (same or counted.of == "choice"):
        below = above = math.inf  # few that are all alike do not tell their spread
    low, high = middle - below, middle + above
    shown = side(low, high, few=few)
    return replace(counted, estimate=middle, low=low, high=high, by_cost=shown)


def by_mean(costs: Floats, objective: Objective) -> bool:
    """Whether the gain by costs (n, 2) is a mean: what is chosen by means is told by means.

    But right or wrong answers have shares, and a mean leaves failures out: a median counts them.
    """
    return objective == "mean" and bool(np.isfinite(costs).all()) and not is_yes_or_no(costs)


def basis(instances: Instances, measured: Iterable[Hashable], chosen: Iterable[Hashable]) -> Basis:
    """What instances are beside those of the choice, by the problems or groups of both."""
    if set(measured).isdisjoint(chosen):
        return "unseen"
    return "group" if len(instances.groups) else "seeds"


def side(low: float, high: float, *, few: bool) -> Evidence:
    """What an interval shows; with few observations one that contains 0 shows nothing."""
    if low > 0:
        return "better"
    if high < 0:
        return "worse"
    return "few" if few else "open"


def _typical(counted: Gain, costs: Floats, both: NDArray[np.bool_], groups: list[Hashable]) -> Gain:
    """The median difference, or that of shares; what is shown counts failures as worst."""
    kind, level = kind_of(costs), counted.level
    rows = group_means(costs, groups) if groups else costs
    finite, kept = costs[both], list(compress(groups, both.tolist()))
    none = None, -math.inf, math.inf
    estimate = difference(finite, kind, level=level, groups=kept) if len(finite) else none
    _, low, high = difference(costs, kind, level=level, groups=groups)
    right, exact = None, kind == "shares" and not groups
    if kind == "shares":
        right = tuple((costs == min(costs.min(), 0.0)).mean(axis=0).tolist())
    p = share_difference(*costs.T).pvalue if exact else wilcoxon(*rows.T).pvalue
    shown = side(low, high, few=False)
    if 2.0 ** (1 - len(rows)) > 1 - level + 1e-12:
        shown = "few"  # no interval has two ends
    elif exact and p >= 1 - level:
        shown = "open"  # the interval is approximate, so the exact test must agree
    return replace(
        counted,
        measure="share" if kind == "shares" else "median",
        estimate=estimate[0], low=estimate[1], high=estimate[2], by_cost=shown,
        test="mcnemar" if exact else "wilcoxon", p=float(p),
        groups=len(rows) if groups else None, right=right,
    )  # fmt: skip


def kind_of(costs: Floats, exact: int = MANY) -> Kind:
    """The estimates from the costs of two candidates, (n, 2).

    Parameters
    ----------
    exact
        Instances beyond which the plain median stands for the Hodges-Lehmann estimate.
    """
    if is_yes_or_no(costs):
        return "shares"
    return "hodges-lehmann" if len(costs) <= exact else "median"


def difference(
    costs: Floats, kind: Kind, *, level: float = 0.95, groups: Sequence[Hashable] = ()
) -> tuple[float, float, float]:
    """The typical difference other − own with its interval, from the costs of two, (n, 2)."""
    if kind == "shares":
        share = share_difference(costs[:, 0], costs[:, 1], groups=groups or None, level=level)
        return share.difference, share.low, share.high
    rows = group_means(costs, groups) if len(groups) else costs
    found = median_difference(rows[:, 0], rows[:, 1], estimator=kind, level=level)
    return float(found.estimate), float(found.low), float(found.high)


def _widths(
    differences: Floats, clusters: NDArray[np.intp], level: float, *, skewed: Skewed
) -> tuple[float, float]:
    """How far the interval reaches below and above the mean.

    Student's t with a cluster-robust standard error:

        se² = G/(G − 1) · Σ_g (Σ_{i in g} (d_i − d̄))² / n²,   G − 1 degrees of freedom

    With one pair a cluster it is the usual s/√n. Cameron and Miller (2015), A practitioner's guide
    to cluster-robust inference, Journal of Human Resources 50, 317–372, sec. II. With `skewed` its
    quantiles are transformed (`unskewed`); with `perhaps` only where that is farther.
    """
    _, group = np.unique(clusters, return_inverse=True)
    groups = int(group.max()) + 1 if len(group) else 0
    if groups < 2:
        return math.inf, math.inf
    apart: Floats = np.bincount(group, differences - differences.mean()).astype(np.float64)
    error = math.sqrt(groups / (groups - 1) * float(apart @ apart)) / len(differences)
    t = half_width(groups - 1, level)
    skewness = _skewness(apart) if skewed else 0.0
    below, above = unskewed(t, skewness, groups), -unskewed(-t, skewness, groups)
    if skewed == "perhaps":
        below, above = max(below, t), max(above, t)
    return error * below, error * above


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
