"""Spends a budget evenly over the orders of magnitude of instances, planned anew at every look.

While n instances become 2n, as much is spent as while 2n become 4n: with n instances seen by k
candidates, about k·n/j of them see instance j. That is the spending of sequential halving (Karnin
et al., 2013) in single steps, with what is really left in place of what was expected.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LAST = 2
"""Candidates who are kept for as long as there is a budget: a choice needs two."""

_DECIDED = 1.5
"""A planned number of candidates below this is the end of the plan."""


_SHIFT = 10
_BERNOULLI = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""B₂ₖ / 2k for k = 1, 2, …"""


def digamma(x: Floats | float) -> Floats:
    """The digamma function from 1 on, within a few units in the last place.

    Its recurrence and asymptotic series (Abramowitz and Stegun, 1972, 6.3.6 and 6.3.18). SciPy has
    it too, but takes longer to import than a small command may run.
    """
    x = np.asarray(x, dtype=np.float64)
    far = x + _SHIFT
    series = np.log(far) - 0.5 / far
    for k, coefficient in enumerate(_BERNOULLI, start=1):
        series -= coefficient / far ** (2 * k)
    return np.asarray(series - sum(1 / (x + i) for i in range(_SHIFT)))


def planned_cost(kept: Floats, *, n: int, evaluations: float, instances: float) -> Floats:
    """What it costs to go on with this many candidates: the sum of the plan over its instances.

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
    instance, or to the last that two candidates could see.
    """
    end = n + min(instances, evaluations / LAST)
    falling = np.clip(np.floor(kept * n / LAST) + 1, n, end)
    done = np.clip(np.floor(kept * n / _DECIDED) + 1, falling, end)
    return np.asarray(kept * n * (digamma(falling) - digamma(n)) + LAST * (done - falling))


def places(k: int, *, n: int, evaluations: float, instances: float) -> int:
    """How many of k candidates have a place in the plan; at least 2, and all if all can be paid.

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
    affordable = int(np.searchsorted(np.maximum.accumulate(cost), evaluations, side="right"))
    return min(max(affordable, LAST), k)
