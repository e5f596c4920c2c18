"""Spends a budget evenly over the orders of magnitude of instances, planned again at every test.

From n to 2n instances, as much is spent as from 2n to 4n: with n instances seen by k candidates,
about k·n/j of them see instance j. This is the spending of sequential halving (Karnin et al., 2013)
in single steps, with the actual rest of the budget in place of the expected one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LAST = 2
"""The candidates kept while the budget lasts: a choice needs two."""

_DECIDED = 1.5
"""The plan ends when its number of candidates is below this."""

_ROUNDING = 1e-6
"""A plan that costs no more than this too much is paid for."""

_SHIFT = 10
_BERNOULLI = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""B₂ₖ / 2k for k = 1, 2, …"""


def digamma(x: Floats | float) -> Floats:
    """The digamma function from 1 on, within a few units in the last place.

    Its recurrence and asymptotic series (Abramowitz and Stegun, 1972, 6.3.6 and 6.3.18). SciPy has
    it too, but its import takes longer than a small command.
    """
    x = np.asarray(x, dtype=np.float64)
    far = x + _SHIFT
    series = np.log(far) - 0.5 / far
    for k, coefficient in enumerate(_BERNOULLI, start=1):
        series -= coefficient / far ** (2 * k)
    return np.asarray(series - sum(1 / (x + i) for i in range(_SHIFT)))


def planned_cost(kept: Floats, *, n: int, evaluations: float, instances: float) -> Floats:
    """The planned evaluations to continue with this many candidates: a sum over the instances.

    Parameters
    ----------
    kept : (k',)
        How many stay now.
    n
        Instances seen, at least 1.
    evaluations, instances
        How many are left; one of them may be inf.

    Returns
    -------
    (k',) evaluations: kept·n/j on instance j, at least 2, and 0 once kept·n/j < 1.5; up to the last
    instance, or to the last that two candidates could see: half an instance cannot be paid for.
    """
    end = n + min(instances, np.floor(evaluations / LAST))
    falling = np.clip(np.floor(kept * n / LAST) + 1, n, end)
    done = np.clip(np.floor(kept * n / _DECIDED) + 1, falling, end)
    return np.asarray(kept * n * (digamma(falling) - digamma(n)) + LAST * (done - falling))


def places(k: int, *, n: int, evaluations: float, instances: float) -> int:
    """The number of k candidates that the plan keeps; at least 2, and all if the budget covers all.

    Parameters
    ----------
    k
        Survivors.
    n, evaluations, instances
        As in `planned_cost`.
    """
    if k <= LAST or k * instances <= evaluations:
        return k
    kept = np.arange(1, k + 1, dtype=np.float64)
    cost = planned_cost(kept, n=max(n, 1), evaluations=evaluations, instances=instances)
    most = np.maximum.accumulate(cost)
    affordable = int(np.searchsorted(most, evaluations + _ROUNDING, side="right"))
    return min(max(affordable, LAST), k)


def front_places(k: int, *, least: int, n: int, evaluations: float, instances: float) -> int:
    """The number of k candidates that the plan of a front keeps, never fewer than `least`.

    About kept·n/j of them see instance j, at least `least`, up to the last instance or to the last
    that these could see.

    Parameters
    ----------
    k
        Survivors.
    least
        How many may be on the front in the end.
    n, evaluations, instances
        As in `planned_cost`.
    """
    if k <= least or k * instances <= evaluations:
        return k
    kept = np.arange(least, k + 1, dtype=np.float64)
    end = n + min(instances, np.floor(evaluations / least))
    falling = np.clip(np.floor(kept * n / least) + 1, n, end)
    cost = kept * n * (digamma(falling) - digamma(n)) + least * (end - falling)
    return least + max(int((cost <= evaluations + _ROUNDING).sum()) - 1, 0)
