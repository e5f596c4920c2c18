"""The effective size of n dependent instances, such as the folds of one data set.

Scores of two instances of the same group have the correlation ρ, others have none. The variance of
one score is σ², and S² is the sample variance over n instances, of which n_g belong to group g:

    Var(mean) = σ²/n · (1 + ρ·c),   E[S²] = σ²·(1 − ρ·c/(n − 1)),   c = Σ n_g²/n − 1

The effective size is E[S²]/Var(mean): the number of independent instances with the same precision
of the mean and the same sample variance. With a single group it is n(1 − ρ)/(1 + (n − 1)ρ), which
the corrected t-test of Nadeau and Bengio (2003) divides by, and never exceeds (1 − ρ)/ρ. With a
group for each instance it is n.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Groups = Sequence[int] | NDArray[np.intp]

_STILL = 1e-12
"""The least variance of a movement: a mean that cannot move is divided by it."""


def effective_size(groups: Groups, correlation: float) -> float:
    """The effective number of independent instances; 0 for none.

    Parameters
    ----------
    groups
        The group of each instance.
    correlation
        ρ of two scores within a group, 0 ≤ ρ < 1.
    """
    n = len(groups)
    if n < 2:
        return float(n)
    sizes = np.unique(np.asarray(groups), return_counts=True)[1].astype(np.float64)
    c = float((sizes**2).sum()) / n - 1.0
    return n * (1.0 - correlation * c / (n - 1)) / (1.0 + correlation * c)


def movements(groups: Groups, n: int, ahead: Floats, correlation: float) -> Floats:
    """(H,) the variance by which a mean over n ≥ 2 instances will still move, for S² = 1.

    It is that of the mean now less that of the mean after h further instances: 1/n − 1/(n + h)
    within one group, and where all instances are independent.

    Parameters
    ----------
    groups
        The groups of the instances, those to come included; what comes beyond them moves nothing.
    ahead : (H,)
        h ≥ 1: the numbers of further instances.
    correlation
        ρ of two scores within a group, 0 ≤ ρ < 1.
    """
    size, c = _crowding(groups)
    variance = (1.0 + correlation * c) / size
    # one more instance of a large group may add variance to the mean: it is not what one aims at
    least = np.minimum.accumulate(variance[n - 1 :])
    after = least[np.minimum(ahead.astype(np.intp), len(least) - 1)]
    seen = 1.0 - correlation * c[n - 1] / (n - 1)
    return np.asarray(np.maximum((variance[n - 1] - after) / seen, _STILL))


def _crowding(groups: Groups) -> tuple[Floats, Floats]:
    """n and c, (N,) each, of the first 1, 2, …, N instances."""
    codes = np.unique(np.asarray(groups, dtype=np.intp), return_inverse=True)[1]
    n = np.arange(1, len(codes) + 1, dtype=np.float64)
    # adding the j-th of a group raises Σ n_g² by j² − (j − 1)² = 2j − 1
    seen = np.zeros(len(codes) + 1)
    added = np.empty(len(codes))
    for place, code in enumerate(codes):
        seen[code] += 1
        added[place] = 2 * seen[code] - 1
    return n, np.cumsum(added) / n - 1.0
