"""Estimates of mean costs that are robust to heavy tails.

A mean over few instances depends on the expensive ones: one run in forty that costs a million, or
the instances on which a candidate timed out. If the levels of costs (their ranks among all costs)
separate candidates more reliably than the costs do, levels carry information that the means lack.
Then the candidates' effects on the level predict their mean costs, and the rest is shrunk by its
noise:

    y_ij = a_i + b_j + noise,   x_ij = the level of y_ij,   means centred by instance
    predicted_i = β·x̄_i,        β the regression of ȳ on x̄ over candidates
    r_i = ȳ_i − predicted_i     ~ N(0, τ² + s_i²),   s_i² the noise of r_i
    model_i = predicted_i + E[τ²/(τ² + s_i²)]·r_i    over a flat prior of τ up to the spread of ȳ
    estimate_i = h·ȳ_i + (1 − h)·model_i,   h = ½ / max(1, (F_x/F_y)/3)   if F_x > F_y, else 1

F is the ratio of the variance between candidates to the noise of their means. Survivors have seen
all instances; dropped candidates show, on the instances that they ran, how levels and costs are
related. The shrinkage is the usual one of empirical Bayes (Efron and Morris, 1975).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from racing.base.special import chdtrc

Floats = NDArray[np.float64]
Columns = NDArray[np.intp]

_RAW = 0.5
"""Least weight of the plain mean, unless levels are far more reliable."""

_FAR = 3.0
"""The multiple of the usual noise at which that weight starts to fall."""

_CLEARLY = 1.2
"""The factor by which levels must be more reliable."""

_WILD = 30.0
"""The least distance of a wild cost from its instance's median, in units of the usual one."""

_SELDOM = 0.1
"""Share of wild costs above which they are not exceptions."""

_TOGETHER = 2.0
"""Wild costs form a second mode if their distances differ by less than this factor."""

_FARTHEST = 1e4
"""The distance, in units of the usual one, beyond which a second mode is still wild."""

_SEVERAL = 3
"""The least number of candidates with wild costs for these to be due to the instance."""

_LEVEL = 0.05
"""The level of the test whether candidates differ in the frequency of wild costs."""

_POINTS = np.linspace(0, 1, 13)[1:]
"""The grid of the prior of τ, in shares of the spread of the means."""

_PRIOR = 4.0
"""Weight, in instances, of the pooled variance in the variance of each."""


@dataclass(frozen=True, eq=False)
class _Effects:
    """Candidates' means, centred by instance, and their noise.

    Attributes
    ----------
    means : (m,)
        Relative to the survivors.
    residuals : (n, m)
        The rest after the effects of candidates and instances; 0 where a candidate did not run.
    counts : (m,)
        Instances of each candidate.
    """

    means: Floats
    residuals: Floats
    counts: Floats

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the residuals."""
        n, m = self.residuals.shape
        return max(float(self.counts.sum() - n - m) + 1, 1.0)

    @cached_property
    def noise(self) -> float:
        """Variance of one residual."""
        # not a dot product: on a busy machine BLAS may wait for threads
        return float(np.square(self.residuals).sum()) / self.freedom

    @property
    def reliability(self) -> float:
        """F: the variance between candidates in units of the noise of their means."""
        between: float = (self.counts * self.means**2).sum() / max(len(self.means) - 1, 1)
        return between / self.noise if self.noise > 0 else math.inf


def estimated_costs(costs: Floats, survivors: Columns) -> Floats:
    """Costs adjusted so that their means by candidate are the estimated means.

    Parameters
    ----------
    costs : (n, m)
        Lower is better, +inf = failed, NaN = did not run. The rows that all survivors have seen.
    survivors : (k,)
        Columns.

    Returns
    -------
    (n, m) array
        The costs, unless levels are more reliable; infinite and NaN where the costs are.
    """
    if len(costs) < 2 or len(survivors) < 3:
        return costs
    there: NDArray[np.bool_] = np.isfinite(costs)
    if _two_values(costs, there):
        return costs  # their levels say nothing else
    rows, columns = np.asarray(there[:, survivors].any(axis=1)), np.asarray(there.any(axis=0))
    if not columns[survivors].all():
        return costs
    part = np.ix_(rows, columns)
    who = np.cumsum(columns)[survivors] - 1
    known, there = costs[part], there[part]
    tamed = _tamed(known, there)
    found = _estimated(tamed, there, who)
    out = costs.copy()
    out[part] = np.where(there, tamed if found is None else found, known)
    return out


def plain_means(block: Floats) -> Floats:
    """(k,) means of the finite costs of an (n, k) block; 0 where there is none."""
    failed = np.isinf(block)
    finite = np.where(failed, 0.0, block) if failed.any() else block
    runs = np.maximum(len(block) - failed.sum(axis=0), 1)
    with np.errstate(over="ignore"):
        means = finite.sum(axis=0) / runs
    if np.isinf(means).any():  # the sum of costs near 1e308 overflows, their mean does not
        means = (finite / runs).sum(axis=0)
    return np.asarray(means)


def _two_values(costs: Floats, there: NDArray[np.bool_]) -> bool:
    """Whether the finite costs have two values at most, such as right and wrong."""
    low = costs.min(where=there, initial=np.inf)
    high = costs.max(where=there, initial=-np.inf)
    return bool((~there | (costs == low) | (costs == high)).all())


def _tamed(y: Floats, there: NDArray[np.bool_]) -> Floats:
    """Costs without the wild ones, if these do not depend on the candidate.

    A cost is wild if it is very far above the median of its instance. If three candidates have had
    wild costs, and Pearson's χ² test of equal shares does not reject at level .05, each is replaced
    by the highest cost on the instance that is not wild. Otherwise they stay.

    They also stay if they form a second mode: all at about the same distance, such as the cost 1 of
    a failure among costs of .1. The mean then depends on the frequency of failures. Beyond 10⁴
    usual distances, a second mode would dominate the mean, and counts as wild.
    """
    ordered = np.sort(np.where(there, y, np.inf), axis=1)
    middle = (there.sum(axis=1, keepdims=True) - 1) // 2
    centre = np.take_along_axis(ordered, middle, axis=1)
    with np.errstate(over="ignore"):
        above = np.where(there, y - centre, 0.0)
        usual = float(median(np.abs(above[there]))[0])
        wild = above > _WILD * usual
    share = wild.sum() / there.sum()
    if usual == 0 or share > _SELDOM or wild.any(axis=0).sum() < _SEVERAL:
        return y
    if _second_hump(above[wild], usual):
        return y
    runs = there.sum(axis=0)
    surplus = (wild.sum(axis=0) - share * runs) ** 2 / (share * (1 - share) * runs)
    if chdtrc(len(runs) - 1, float(surplus.sum())) < _LEVEL:
        return y
    highest = np.where(there & ~wild, y, -np.inf).max(axis=1, keepdims=True)
    return np.where(wild, highest, y)


def _second_hump(distances: Floats, usual: float) -> bool:
    """Whether wild costs form a second mode: all at about the same distance, below 10⁴."""
    farthest = float(distances.max())
    return farthest < _TOGETHER * float(distances.min()) and farthest < _FARTHEST * usual


def _estimated(y: Floats, there: NDArray[np.bool_], who: Columns) -> Floats | None:
    """(n, m) costs by the model; None where levels are not more reliable."""
    centre, scale = float(y[there].mean()), float(np.ptp(y[there]))
    if not (0 < scale < math.inf and np.isfinite(centre)):
        return None
    own = _effects(y / scale, there, who)
    level = _effects(_levels(y, there), there, who)
    if own.noise == 0 or not level.reliability > _CLEARLY * own.reliability:
        return None
    slope, kept, raw = _shrinkage(own, level)
    predicted = slope * (level.means + level.residuals)
    model = predicted + kept * (own.means + own.residuals - predicted)
    centred = own.means + own.residuals
    return np.asarray(centre + scale * (raw * centred + (1 - raw) * model))


def _levels(y: Floats, there: NDArray[np.bool_]) -> Floats:
    """Ranks among all known costs, as shares, ties at their average; 0 elsewhere."""
    _, place, counts = np.unique(y[there], return_inverse=True, return_counts=True)
    levels = np.zeros(y.shape)
    levels[there] = ((np.cumsum(counts) - (counts - 1) / 2) / len(place))[place]
    return levels


def _effects(y: Floats, there: NDArray[np.bool_], who: Columns) -> _Effects:
    """The candidates' effects, relative to the survivors' mean on each instance."""
    y = np.where(there, y, 0.0)
    mine = there[:, who]
    y = np.where(there, y - (y[:, who].sum(axis=1) / mine.sum(axis=1))[:, None], 0.0)
    counts = there.sum(axis=0).astype(np.float64)
    means = y.sum(axis=0) / counts
    return _Effects(means, np.where(there, y - means, 0.0), counts)


def _shrinkage(own: _Effects, level: _Effects) -> tuple[float, Floats, Floats]:
    """β; (m,) the share of its residuals that is not noise; (m,) the weight of the plain mean."""
    noise = _noise(own.residuals, own.counts)
    weight = 1 / noise
    size = float(weight @ level.means**2)
    slope = max(float(weight @ (level.means * own.means)) / size, 0.0) if size > 0 else 0.0
    rest = own.means - slope * level.means
    error = _noise(own.residuals - slope * level.residuals, own.counts)
    mean = float(weight @ own.means) / float(weight.sum())
    spread = float(weight @ (own.means - mean) ** 2) / float(weight.sum())
    between = (_POINTS**2 * spread)[:, None]
    log_likelihood = -0.5 * (np.log(between + error) + rest**2 / (between + error)).sum(axis=1)
    chance = np.exp(log_likelihood - log_likelihood.max())
    kept = (chance / chance.sum()) @ (between / (between + error))
    raw = _RAW * np.minimum(1, _FAR * median(noise) / noise)
    return slope, np.asarray(kept), raw


def _noise(residuals: Floats, counts: Floats) -> Floats:
    """(m,) variance of each mean; outliers do not affect the others."""
    square = (residuals**2).sum(axis=0)
    own = square / np.maximum(counts - 1, 1)
    usual = float(median(own[own > 0])[0]) if (own > 0).any() else 0.0
    return np.asarray((square + _PRIOR * usual) / (counts - 1 + _PRIOR) / counts)


def median(x: Floats) -> Floats:
    """`np.median` along the last axis, which stays; that one imports masked arrays at its first
    call, which takes longer than all medians of a small command."""
    half = x.shape[-1] // 2, (x.shape[-1] - 1) // 2
    ordered = np.partition(x, (*half, -1), axis=-1)  # NaN is last
    middle = ordered[..., half[1] : half[0] + 1].mean(axis=-1, keepdims=True)
    return np.asarray(np.where(np.isnan(ordered[..., -1:]), np.nan, middle))
