"""Complete scores of candidates on instances, from the outcomes of a log; lower is better.

A cell that was not run counts as the worst result that is known on that instance. So a candidate is
chosen only for what it has shown, and on these instances a team is no worse than its score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from racing.core.objective import Objective
from racing.search.scores import penalised
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]


def certain_scores(costs: Floats, objective: Objective) -> Floats:
    """(n, m) scores of a matrix of costs.

    Parameters
    ----------
    costs : (n, m)
        Lower is better, +inf = failed, NaN = not run; in each row at least one has run.
    objective
        `mean`: the costs, a failure one range above the worst that is known. `rank`: the places
        among those that ran on the instance, from 0, the best, to 1; ½ for one that ran alone.

    Examples
    --------
    >>> nan = float("nan")
    >>> certain_scores(np.array([[1.0, 3.0, nan], [5.0, 2.0, 4.0]]), "mean").tolist()
    [[1.0, 3.0, 3.0], [5.0, 2.0, 4.0]]
    """
    ran = ~np.isnan(costs)
    scores = _places(costs, ran) if objective == "rank" else _penalised(costs, ran)
    worst = np.where(ran, scores, -np.inf).max(axis=1, keepdims=True)
    return np.where(ran, scores, worst)


def _penalised(costs: Floats, ran: NDArray[np.bool_]) -> Floats:
    known = np.where(ran, costs, np.inf)
    failed = np.isinf(known)
    return penalised(known, failed) if failed.any() else known


def _places(costs: Floats, ran: NDArray[np.bool_]) -> Floats:
    """Those that did not run are ranked last, so the ranks of the others are among themselves."""
    known = np.where(np.isinf(costs), np.finfo(np.float64).max, costs)
    ranks = rank_rows(np.where(ran, known, np.inf), check=False)
    others = ran.sum(axis=1, keepdims=True) - 1
    return np.where(others > 0, (ranks - 1) / np.maximum(others, 1), 0.5)
