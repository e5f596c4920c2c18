"""A forerunner of the default rule: gains over the leader alone, whoever else is left.

Among many that are nearly alike it keeps them all, since each might still beat the leader.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from racing.objective import standing
from racing.quantities import Count, NonNegative, Positive
from racing.results import Results
from racing.rules.rule import Outlook
from racing.rules.scores import scores
from racing.rules.verdict import Elimination, Reason, Verdict

_SQRT_2PI = np.sqrt(2 * np.pi)


@dataclass(frozen=True, kw_only=True)
class Gain:
    """Drops a candidate when even the most favourable number of further instances promises less
    gain than it costs.

    After n instances let L be the leader, d the mean of (candidate − leader) over instances, and se
    its standard error. h further instances can change the choice only if the sign of the mean
    changes; how much is to be expected of that is t·(φ(z) − z·Φ(−z)) with t = se·√(h/(n+h)), the
    predictive standard deviation of the mean, and z = d/t. The candidate leaves when this gain per
    instance, at its best over h up to the horizon, is below the price of an evaluation.

    Scores follow the objective: costs for `mean`, frozen normal scores for `rank`. No error rate is
    promised: among equals it drops the true best as readily as another, at no loss worth its price.

    Attributes
    ----------
    price
        Price of an evaluation in standard deviations of the noise, at a horizon of 100 instances.
    exponent
        The price falls with the horizon N as (100/N)^exponent.
    prior
        Instances' worth of weight that the pooled variance has in that of each candidate.
    first
        Nobody leaves before this many instances.
    """

    price: Positive = 1e-5
    exponent: NonNegative = 0.65
    prior: NonNegative = 4.0
    first: Count = 3

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        y = scores(results, outlook.objective)
        n, k = y.shape
        order = standing(results, outlook.objective)
        leader = int(order[0])
        if n >= max(self.first, 2) and k > 1:
            leader = int(np.argmin(y.mean(axis=0)))
        return Verdict(
            instances=n,
            leader=results.id(leader),
            eliminated=self._out(results, outlook, y, leader) if n >= max(self.first, 2) else (),
        )

    def _out(
        self, results: Results, outlook: Outlook, y: NDArray[np.float64], leader: int
    ) -> tuple[Elimination, ...]:
        n, k = y.shape
        ahead = horizon(outlook, k)
        noise, gains = expected_gains(y, leader, ahead=ahead, prior=self.prior)
        price = self.price * (100 / (n + ahead)) ** self.exponent * noise
        mean = y.mean(axis=0)
        return tuple(
            Elimination(
                candidate=results.id(i),
                against=results.id(leader),
                reason=Reason.NOT_WORTHWHILE,
                measure="gain",
                value=float(gains[i]),
                threshold=price,
                statistic=float(mean[i] - mean[leader]),
            )
            for i in range(k)
            if i != leader and (gains[i] < price or gains[i] == 0)
        )


def horizon(outlook: Outlook, survivors: int) -> int:
    """How many further instances can come, as far as is known; at most 10,000."""
    by_budget = outlook.evaluations / max(survivors, 1)
    return int(max(min(outlook.instances, by_budget, 10_000), 1))


def expected_gains(
    y: NDArray[np.float64], leader: int, *, ahead: int, prior: float
) -> tuple[float, NDArray[np.float64]]:
    """The noise, and each candidate's largest expected gain per instance; the leader's is inf.

    Parameters
    ----------
    y : (n, k) scores, lower is better.
    ahead
        How many further instances can come.
    prior
        Weight of the pooled variance in each candidate's own.
    """
    n, k = y.shape
    centred = y - y.mean(axis=1, keepdims=True)
    residual = centred - centred.mean(axis=0)
    pooled = float((residual**2).sum() / max((n - 1) * (k - 1), 1))
    d = y - y[:, [leader]]
    mean = d.mean(axis=0)
    spread = ((d - mean) ** 2).sum(axis=0)
    se = np.sqrt((spread + prior * 2 * pooled) / (n - 1 + prior) / n)
    h = 2.0 ** np.arange(int(np.log2(ahead)) + 1)
    t = se[:, None] * np.sqrt(h / (n + h))
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(t > 0, mean[:, None] / t, np.inf)
    density = np.exp(-0.5 * np.minimum(z, 40.0) ** 2) / _SQRT_2PI
    gain = (t * np.maximum(density - z * ndtr(-z), 0.0) / h).max(axis=1)
    gain = np.where(np.isfinite(gain), gain, 0.0)
    gain[leader] = np.inf
    return float(np.sqrt(pooled)), gain
