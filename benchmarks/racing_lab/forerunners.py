"""What the default rule was before: other gains, other scores, another unit of its price."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from racing.base.quantities import Count, NonNegative, Positive
from racing.core.field import row_ranks
from racing.core.objective import Objective, standing
from racing.core.results import Results
from racing.core.verdict import Elimination, Reason, Verdict
from racing.rules.gain import horizon, not_worthwhile, spreads
from racing.rules.rule import Outlook
from racing.rules.scores import scores, stakes

Floats = NDArray[np.float64]

_SQRT_2PI = np.sqrt(2 * np.pi)


@dataclass(frozen=True, kw_only=True)
class Forerunner:
    """`auto`, or with one of its parts as it was.

    Attributes
    ----------
    ranks
        With the objective `rank`: among all candidates, as now, or normal scores of ranks among
        those alive at the time, never recomputed.
    unit
        Of the price: what candidates differ by, as now, or the standard deviation of the noise.
    over
        What a candidate's gain is measured against: all others, as now, or the leader alone. Among
        many that are nearly alike the latter keeps them all, as each might still beat the leader.
    price
        As that of `auto`, in the unit.
    exponent, prior, first
        As those of `auto`.
    """

    ranks: Literal["field", "alive"] = "field"
    unit: Literal["stakes", "noise"] = "stakes"
    over: Literal["all", "leader"] = "all"
    price: Positive = 5e-6
    exponent: NonNegative = 0.75
    prior: NonNegative = 4.0
    first: Count = 3

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        y = self._scores(results, outlook.objective)
        n, k = y.shape
        means = y.mean(axis=0)
        order = standing(results, outlook.objective)
        gone = self._out(results, outlook, y, order) if n >= max(self.first, 2) and k > 1 else {}
        leader = results.id(int(order[0]))
        return Verdict(
            instances=n,
            leader=leader,
            eliminated=tuple(
                Elimination(
                    candidate=results.id(i),
                    against=leader,
                    reason=Reason.NOT_WORTHWHILE,
                    measure="gain",
                    value=gain,
                    threshold=threshold,
                    statistic=float(means[i] - means[order[0]]),
                )
                for i, (gain, threshold) in gone.items()
            ),
        )

    def _scores(self, results: Results, objective: Objective) -> Floats:
        if objective == "mean" or self.ranks == "field":
            return scores(results, objective)
        ranks = row_ranks(results.shared)
        alive = np.count_nonzero(~np.isnan(ranks), axis=1, keepdims=True)
        return np.asarray(ndtri((ranks[:, results.survivors] - 0.5) / alive))

    def _out(
        self, results: Results, outlook: Outlook, y: Floats, order: NDArray[np.intp]
    ) -> dict[int, tuple[float, float]]:
        n, k = y.shape
        means, leader, ahead = y.mean(axis=0), int(order[0]), horizon(outlook, k)
        errors = spreads(y, leader, prior=self.prior)
        unit = (
            errors[leader] if self.unit == "noise" else stakes(results, outlook.objective, leader)
        )
        price = float(self.price * (100 / (n + ahead)) ** self.exponent * unit)
        if self.over == "all":
            return not_worthwhile(means, errors, order, n=n, ahead=ahead, price=price)
        gains = _over_the_leader(means - means[leader], errors, n=n, ahead=ahead)
        return {int(i): (float(gains[i]), price) for i in order[:0:-1] if gains[i] < price}


def _over_the_leader(behind: Floats, errors: Floats, *, n: int, ahead: int) -> Floats:
    """t·(φ(z) − z·Φ(−z))/h at its best over h, z = behind/t: what beating the leader may bring."""
    h = 2.0 ** np.arange(int(np.log2(ahead)) + 1)
    t = np.sqrt(2) * errors[:, None] * np.sqrt(h / (n * (n + h)))
    z = np.minimum(behind[:, None] / t, 40.0)
    gains: Floats = (t * (np.exp(-0.5 * z**2) / _SQRT_2PI - z * ndtr(-z)) / h).max(axis=1)
    return gains
