"""How far instances agree on which configurations are good."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.objective import Objective
from racing.search.scores import block_scores

Floats = NDArray[np.float64]


def agreement(costs: Floats, objective: Objective) -> float:
    """The reliability of the configurations' mean scores: 1 − MS_residual / MS_configurations.

    This is Cronbach's α with instances as items, or ICC(3, k) of Shrout and Fleiss (1979). It is 1
    where all instances see the same differences, around 0 where the means are no more than noise,
    and may be negative. It is 0 where it says nothing: with one instance, with fewer than three
    configurations, or if all means are the same.

    Parameters
    ----------
    costs : (n, k)
        A complete block; rows are instances.
    """
    n, k = costs.shape
    if n < 2 or k < 3:
        return 0.0
    scores = block_scores(costs, objective)
    means = scores.mean(axis=0) - scores.mean()
    between = n * float((means * means).sum()) / (k - 1)
    if between <= 0:
        return 0.0
    rest = scores - scores.mean(axis=1, keepdims=True) - means
    residual = float((rest * rest).sum()) / ((n - 1) * (k - 1))
    return float(1 - residual / between)
