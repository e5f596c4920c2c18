"""The Pareto front of candidates by their means in several metrics.

Arrays of means are (k, K): k candidates by K metrics, lower is better. Two means that differ by no
more than the metric's rope are equal. j dominates c if it is better in some metric and worse in
none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

DRAWS = 1000
"""Draws of all means behind a probability."""

CAUTION = 5.0
"""The variance is increased by this over n: few instances underestimate the noise."""

LIKELY, UNLIKELY = 0.75, 0.1
"""The probabilities of being on the front from which that is called likely, and up to which
unlikely: in between they are mostly too low, where few instances show chance leaders too high."""

_ROUNDING = 1e-12
"""Smaller differences of means are rounding errors; as a share of the largest mean."""

LARGEST = 1e9
"""The largest size of a gap: differences in a metric without noise."""

_ROUNDS = 10
"""Rounds that find effects of instances and candidates where some failed."""

_CELLS = 2_000_000
"""The most comparisons in memory at a time."""


def gaps(means: Floats, noise: Floats, ropes: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """(k,) by how much each candidate is dominated, in units of noise; negative on the front.

    g(c) = max over j of min over metrics of (m_c − m_j) / noise, without the metrics in which c and
    j are equal, by a rope or exactly, and 0 if they are equal in all. Means that are equal in spite
    of noise, such as three successes of three, need not stay so: their difference counts as 0. With
    one metric it is the distance to the best.

    Parameters
    ----------
    means : (k, K)
        Lower is better.
    noise, ropes : (K,)
        By metric; the noise of an exact metric is 0.

    Returns
    -------
    The gaps, and (k,) the j of each: the candidate that comes nearest to dominating, or dominates
    most.

    Examples
    --------
    >>> import numpy as np
    >>> found, by = gaps(np.array([[1.0, 5.0], [2.0, 3.0], [4.0, 4.0]]), np.ones(2), np.zeros(2))
    >>> found.tolist(), by.tolist()
    ([-1.0, -2.0, 1.0], [1, 0, 1])
    """
    k, several = means.shape
    equal = ropes + _tolerance(means)
    left_out = np.where((noise == 0) | (ropes > 0), np.inf, 0.0)
    found, who = np.full(k, -LARGEST), np.zeros(k, dtype=np.intp)
    for part in np.array_split(np.arange(k), k * k // _CELLS + 1) if k > 1 else ():
        least, same = np.full((len(part), k), np.inf), np.ones((len(part), k), dtype=bool)
        for metric in range(several):
            d = means[part, None, metric] - means[None, :, metric]
            ties = np.abs(d) <= equal[metric]
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                least = np.minimum(least, np.where(ties, left_out[metric], d / noise[metric]))
            same &= ties
        by = np.where(same, 0.0, np.clip(least, -LARGEST, LARGEST))
        by[np.arange(len(part)), part] = -np.inf
        who[part] = by.argmax(axis=1)
        found[part] = by[np.arange(len(part)), who[part]]
    return found, who


def dominated(means: Floats, ropes: Floats) -> Flags:
    """(..., k) which candidates are dominated by another.

    Parameters
    ----------
    means : (..., k, K)
        Lower is better; each leading index is a case of its own.
    ropes : (K,)

    Examples
    --------
    >>> import numpy as np
    >>> dominated(np.array([[1.0, 5.0], [2.0, 3.0], [4.0, 4.0]]), np.zeros(2)).tolist()
    [False, False, True]
    """
    shape = (*means.shape[:-1], means.shape[-2])
    better, worse = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    tolerance = ropes + _tolerance(means.reshape(-1, means.shape[-1]))
    for metric, equal in enumerate(tolerance):
        d = means[..., :, None, metric] - means[..., None, :, metric]
        worse |= d > equal
        better |= d < -equal
    return np.asarray((worse & ~better).any(axis=-1))


def front(means: Floats, ropes: Floats) -> Flags:
    """(k,) which candidates are on the front: not dominated; at least one.

    With ropes, three or more metrics can let each candidate be dominated by the next of a circle;
    ropes do not count if nothing else is left.

    Examples
    --------
    >>> import numpy as np
    >>> front(np.array([[1.0, 5.0], [2.0, 3.0], [4.0, 4.0]]), np.zeros(2)).tolist()
    [True, True, False]
    """
    out = dominated(means, ropes)
    return ~dominated(means, np.zeros_like(ropes)) if out.all() else ~out


def losses(means: Floats, on_front: Flags) -> Floats:
    """(k, 2) what a candidate of the front gives up, as shares; inf for the others.

    The share of a metric is (m − best)/(worst − best), with best and worst on the front. The first
    number is the largest share: the *knee*, where it is least, is the best compromise. The second
    is their sum, which decides between equal ones.

    Examples
    --------
    >>> import numpy as np
    >>> losses(np.array([[0.0, 10.0], [2.0, 3.0], [8.0, 0.0]]), np.ones(3, dtype=bool)).tolist()
    [[1.0, 1.0], [0.3, 0.55], [1.0, 1.0]]
    """
    own = means[on_front]
    best = own.min(axis=0)
    width = own.max(axis=0) - best
    wide = width > _tolerance(means)
    shares = np.where(wide, (own - best) / np.where(wide, width, 1.0), 0.0).round(10)
    found = np.full((len(means), 2), np.inf)
    found[on_front] = np.column_stack([shares.max(axis=1), shares.sum(axis=1).round(9)])
    return found


def probabilities(values: Floats, ropes: Floats, rng: np.random.Generator) -> Floats:
    """(k,) the probability that each candidate is on the front of the true means.

    By draws of N(m, Σ(1 + 5/n)/n), where Σ is the covariance of all metrics of all candidates over
    the instances. It orders candidates; how often it is right differs too much from world to world
    to be told as a number (docs/evidence/metrics.md).

    Parameters
    ----------
    values : (n, k, K)
        Scores by instance, n ≥ 2; NaN where a candidate failed, which has then no noise there.
    ropes : (K,)
    rng
        Draws a weight for each instance: the order of candidates and of metrics has no effect.
    """
    n, k, _ = values.shape
    ran = ~np.isnan(values)
    means = np.where(ran, values, 0.0).sum(axis=0) / np.maximum(ran.sum(axis=0), 1)
    residuals = np.where(ran, values - means, 0.0)
    scale = np.sqrt((1 + CAUTION / n) / n / (n - 1))
    weights = scale * rng.standard_normal((DRAWS, n))
    times = np.zeros(k)
    for part in np.array_split(weights, max(DRAWS * k * k // _CELLS, 1)):
        # not a dot product of BLAS, whose last digits depend on the processor
        drawn = means + np.einsum("dn,nkm->dkm", part, residuals)
        times += (~dominated(drawn, ropes)).sum(axis=0)
    return times / DRAWS


def chance_words(chance: float | None) -> str:
    """How a probability of being on the front is told.

    Examples
    --------
    >>> chance_words(0.8), chance_words(0.4), chance_words(0.02), chance_words(None)
    ('likely', 'open', 'unlikely', '–')
    """
    if chance is None:
        return "–"
    return "likely" if chance >= LIKELY else "open" if chance >= UNLIKELY else "unlikely"


def pooled_noise(values: Floats) -> Floats:
    """(K,) the standard deviation of a score, without effects of instance and candidate.

    Parameters
    ----------
    values : (n, k, K)
        Scores by instance; NaN where a candidate failed. Of a single instance, the spread between
        candidates.
    """
    if len(values) < 2:
        return np.asarray(np.nan_to_num(values).sum(axis=0).std(axis=0))
    ran = ~np.isnan(values)
    n, k = ran.any(axis=(1, 2)).sum(), ran.any(axis=(0, 2)).sum()
    left = values
    for axis in (1, 0) * (1 if ran.all() else _ROUNDS):
        many = np.maximum(ran.sum(axis=axis, keepdims=True), 1)
        left = left - np.where(ran, left, 0.0).sum(axis=axis, keepdims=True) / many
    square = np.square(np.where(ran, left, 0.0)).sum(axis=(0, 1))
    freedom = np.maximum(ran.sum(axis=(0, 1)) - n - k + 1, 1)
    noise = np.sqrt(square / freedom)
    size = np.abs(np.where(ran, values, 0.0)).max(axis=(0, 1))
    return np.asarray(np.where(noise > _ROUNDING * size, noise, 0.0))


def hypervolume(points: Floats, reference: Floats) -> float:
    """The volume between a reference point and those that dominate it: larger is better.

    Exact, by slices along the last metric (Zitzler and Thiele, 1998, define it).

    Parameters
    ----------
    points : (p, K)
        Lower is better.
    reference : (K,)
        The worst value of each metric that counts.

    Examples
    --------
    >>> import numpy as np
    >>> hypervolume(np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([3.0, 3.0]))
    3.0
    """
    inside = points[(points < reference).all(axis=1)]
    if len(inside) == 0:
        return 0.0
    inside = inside[np.argsort(inside[:, -1], kind="stable")]
    heights = np.diff(np.append(inside[:, -1], reference[-1]))
    if len(reference) == 2:
        widths = reference[0] - np.minimum.accumulate(inside[:, 0])
        return float(np.sum(heights * widths))
    slices = (hypervolume(inside[: i + 1, :-1], reference[:-1]) for i in range(len(inside)))
    return float(sum(h * s for h, s in zip(heights.tolist(), slices, strict=True) if h > 0))


def _tolerance(means: Floats) -> Floats:
    """(K,) the size of rounding errors."""
    return np.asarray(_ROUNDING * np.abs(means).max(axis=0))


@dataclass(frozen=True, eq=False)
class TradeOffs:
    """The survivors of a race by the metrics of a front.

    With scores by `mean`, failures come first, as in every objective: the front is that of the
    candidates that failed least often. With `rank`, a failure has the worst rank in every metric.

    Attributes
    ----------
    values : (n, k, K)
        Scores by instance, lower is better; NaN where a candidate failed.
    failed : (k,)
        The number of failures; 0 with scores by `rank`, which have them in the values.
    ropes : (K,)
        Two means that differ by no more are equal.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.core.fronts import TradeOffs
    >>> values = np.array([[[1, 9], [5, 5], [6, 8]], [[2, 9], [4, 5], [6, 7]]], dtype=float)
    >>> found = TradeOffs(values, failed=np.array([0, 0, 0]), ropes=np.zeros(2))
    >>> found.means.tolist()
    [[1.5, 9.0], [4.5, 5.0], [6.0, 7.5]]
    >>> found.front.tolist()
    [True, True, False]
    """

    values: Floats
    failed: NDArray[np.intp]
    ropes: Floats

    @cached_property
    def means(self) -> Floats:
        """(k, K) means over the instances on which a candidate did not fail."""
        ran = ~np.isnan(self.values)
        runs = np.maximum(ran.sum(axis=0), 1)
        return np.asarray((np.where(ran, self.values, 0.0) / runs).sum(axis=0))

    @property
    def first(self) -> Floats:
        """(k,) means in the first metric."""
        return self.means[:, 0]

    @cached_property
    def reliable(self) -> Flags:
        """(k,) which candidates failed least often."""
        return np.asarray(self.failed == self.failed.min())

    @cached_property
    def front(self) -> Flags:
        """(k,) which candidates are on the front."""
        on_front = np.zeros(len(self.means), dtype=bool)
        on_front[self.reliable] = front(self.means[self.reliable], self.ropes)
        return on_front

    @cached_property
    def gaps(self) -> Floats:
        """(k,) by how much each is dominated (`racing.core.fronts.gaps`).

        Among those that failed least often; of the others, among all, whatever failed.
        """
        found, _ = gaps(self.means, self.noise, self.ropes)
        if not self.reliable.all():
            found[self.reliable], _ = gaps(self.means[self.reliable], self.noise, self.ropes)
        return found

    @cached_property
    def rivals(self) -> NDArray[np.intp]:
        """(k,) the other candidate of each gap; of what failed more often, the knee."""
        found = np.full(len(self.means), np.lexsort(self.merits.T[::-1])[0])
        places = np.flatnonzero(self.reliable)
        found[places] = places[gaps(self.means[places], self.noise, self.ropes)[1]]
        return found

    @cached_property
    def noise(self) -> Floats:
        """(K,) the noise of a score."""
        return pooled_noise(self.values)

    @cached_property
    def merits(self) -> Floats:
        """(k, 4) sort keys, low wins: failures, the front from its knee on, then gaps."""
        beyond = 1.0 + self.means.shape[1]
        given_up = np.minimum(losses(self.means, self.front), beyond)
        return np.column_stack([self.failed, given_up, self.gaps])

    def probabilities(self, rng: np.random.Generator) -> Floats:
        """(k,) of being on the front of the true means; 0 for what failed more often than others.

        Failures are taken as they are. NaN with fewer than two instances.
        """
        found = np.zeros(len(self.means))
        if len(self.values) < 2:
            return np.full_like(found, np.nan)
        found[self.reliable] = probabilities(self.values[:, self.reliable], self.ropes, rng)
        return found
