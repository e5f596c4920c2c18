"""The default rule: whoever is not worth the next evaluations goes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.objective import standing
from racing.quantities import Count, NonNegative, Positive
from racing.records import Checked
from racing.results import Results
from racing.rules.rule import Outlook
from racing.rules.scores import scores, stakes
from racing.rules.verdict import Elimination, Reason, Verdict
from racing.special import log_ndtr, ndtr

Floats = NDArray[np.float64]

_FARTHEST = 10_000
"""Further instances looked ahead to, where nothing says how many can come."""

_POINTS = 96
"""Points of the quadrature; the integrand is smooth, so that it converges geometrically."""


@dataclass(frozen=True, kw_only=True)
class Auto(Checked):
    """Drops a candidate when it is not expected to better the final choice by what it costs.

    After n instances a candidate has the mean score m and the standard error σ/√n. Once h further
    instances are seen, its mean will have moved by t = σ·√(h/(n(n+h))), normally distributed. What
    the candidate is worth is the expected amount by which the best mean will then be better with
    it than without it,

        gain(h) = ∫ P(M_i < x) · Π_{j≠i} P(M_j > x) dx,

    and it leaves if, for every h up to the horizon, gain(h)/h is below the price of an evaluation.
    The others that are still in count: of ten candidates that are alike, nine are worth little. So
    candidates are judged one after the other, the worst first, each among those who stay.

    Scores follow the objective: costs for `mean`, ranks in the whole field for `rank`. Significance
    plays no part, and no error rate is promised: among candidates that are nearly alike the true
    best is dropped as readily as another, at a loss not worth its price. For a promise that holds
    at every look, see `bets`.

    Attributes
    ----------
    price
        Least worthwhile gain of an evaluation, at a horizon of 100 instances, as a share of
        what candidates differ by: lower spends more and chooses better.
    exponent
        The price falls with the horizon N as (100/N)^exponent: whoever can afford many instances
        wants to know more exactly.
    prior
        Weight, in instances, of the variance pooled over candidates in the variance of each.
    first
        Nobody leaves before this many instances.
    """

    price: Positive = 5e-6
    exponent: NonNegative = 0.75
    prior: NonNegative = 4.0
    first: Count = 3

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        y = scores(results, outlook.objective)
        n, k = y.shape
        means = y.mean(axis=0)
        order = standing(results, outlook.objective)
        leader = int(order[0])
        out: dict[int, tuple[float, float]] = {}
        if n >= max(self.first, 2) and k > 1:
            ahead = horizon(outlook, k)
            errors = spreads(y, leader, prior=self.prior)
            price = self.price * (100 / (n + ahead)) ** self.exponent
            price *= stakes(results, outlook.objective, leader)
            out = not_worthwhile(means, errors, order, n=n, ahead=ahead, price=price)
        return Verdict(
            instances=n,
            leader=results.id(leader),
            eliminated=tuple(
                Elimination(
                    candidate=results.id(i),
                    against=results.id(leader),
                    reason=Reason.NOT_WORTHWHILE,
                    measure="gain",
                    value=gain,
                    threshold=threshold,
                    statistic=float(means[i] - means[leader]),
                )
                for i, (gain, threshold) in out.items()
            ),
        )


def horizon(outlook: Outlook, survivors: int) -> int:
    """How many further instances can come for this many survivors; at least 1."""
    by_budget = outlook.evaluations / survivors
    return int(max(min(outlook.instances, by_budget, _FARTHEST), 1))


def spreads(y: Floats, leader: int, *, prior: float) -> Floats:
    """(k,) the standard deviation of each column's noise.

    Parameters
    ----------
    y : (n, k) scores, n ≥ 2.
    leader
        A column's own variance is half that of its differences to this one, instance by instance:
        what two candidates have in common on an instance is no noise for their comparison.
    prior
        Weight of the pooled variance in each.
    """
    n, k = y.shape
    residual = y - y.mean(axis=1, keepdims=True)
    residual -= residual.mean(axis=0)
    # One pseudo-observation of the scores' own spread, so that ties alone are not taken for proof
    pooled = (np.vdot(residual, residual) + _unit(y, leader) ** 2) / ((n - 1) * (k - 1) + 1)
    d = y - y[:, [leader]]
    own = ((d - d.mean(axis=0)) ** 2).sum(axis=0) / 2
    variances = (own + prior * pooled) / (n - 1 + prior)
    variances[leader] = pooled
    return np.asarray(np.sqrt(variances))


def _unit(y: Floats, leader: int) -> float:
    """The spread of scores within instances; if there is none, over all, or their size, or 1."""
    within = float((y - y[:, [leader]]).std()) / np.sqrt(2)  # of differences, so that equals give 0
    return within or float(y.std()) or float(np.abs(y).max()) or 1.0


def not_worthwhile(
    means: Floats, errors: Floats, order: NDArray[np.intp], *, n: int, ahead: int, price: float
) -> dict[int, tuple[float, float]]:
    """Who leaves, with the gain and the price that it was held to; the worst first.

    Parameters
    ----------
    means, errors : (k,)
        Mean score and standard deviation of the noise of each candidate.
    order : (k,)
        The candidates, best first; the leader stays.
    n, ahead
        Instances seen, and the most that can come.
    price
        Of an evaluation, in units of the scores. While k candidates are left it is multiplied by
        k/(k−1), since the challengers also have to pay for the leader's evaluations, and by 1/√k,
        which was found by trial.
    """
    h = 2.0 ** np.arange(int(np.log2(ahead)) + 1)
    t = errors[:, None] * np.sqrt(h / (n * (n + h)))
    below, log_above, dx = _tails(means, t, int(order[0]))
    nobody_below = log_above.sum(axis=0)
    left = len(means)
    out: dict[int, tuple[float, float]] = {}
    for i in order[:0:-1]:
        without = np.exp(nobody_below - log_above[i])
        gain = float(((below[i] * without).sum(axis=1) * dx / h).max())
        threshold = price * np.sqrt(left) / (left - 1)
        if gain < threshold:
            out[int(i)] = gain, float(threshold)
            nobody_below -= log_above[i]
            left -= 1
    return out


def _tails(means: Floats, t: Floats, leader: int) -> tuple[Floats, Floats, Floats]:
    """P(M < x) and log P(M > x) at points x, both (k, H, points), and the points' distance, (H,).

    The points reach from where nobody's mean can be to where the leader's surely is below.
    """
    low = (means[:, None] - 6 * t).min(axis=0)
    high = means[leader] + 6 * t[leader]
    x = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, _POINTS)
    z = (x - means[:, None, None]) / t[:, :, None]
    return ndtr(z), log_ndtr(-z), (high - low) / (_POINTS - 1)
