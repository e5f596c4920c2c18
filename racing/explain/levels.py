"""Outcomes of configurations on different instances → one value for each configuration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.objective import Objective
from racing.search.scores import penalised

Floats = NDArray[np.float64]

SWEEPS = 100
TOLERANCE = 1e-10


@dataclass(frozen=True, kw_only=True)
class Levels:
    """What each configuration costs, had all been run on the same instances.

    Attributes
    ----------
    values : (k,)
        Lower is better. In units of cost; for the objective `rank` in units of the spread that
        costs have on an instance. NaN for configurations that never ran.
    counts : (k,)
        On how many instances each ran.
    """

    values: Floats
    counts: Floats


def levels(costs: Floats, objective: Objective = "mean") -> Levels:
    """Fit cost = configuration + instance by least squares.

    Configurations that were dropped early have seen few instances, perhaps hard ones; the model
    takes out what the instances do.

    Parameters
    ----------
    costs : (T, k)
        Rows are instances; NaN = not run, +inf = failed, which counts as one range above the worst.
    objective
        `mean`: costs as they are. `rank`: each instance on a scale of its own.
    """
    seen = ~np.isnan(costs)
    known = seen.any(axis=1)
    costs, seen = costs[known], seen[known]
    filled = np.where(seen, costs, 0.0)
    failed = seen & np.isinf(costs)
    if failed.any():
        filled = np.where(seen, penalised(filled, failed | ~seen), 0.0)
    if objective == "rank":
        filled = filled / _spread(filled, seen)[:, None]
    values = _additive(filled, seen)
    counts = seen.sum(axis=0).astype(float)
    return Levels(values=np.where(counts > 0, values, np.nan), counts=counts)


def _spread(costs: Floats, seen: NDArray[np.bool_]) -> Floats:
    """(T,) the standard deviation of the costs on each instance; 1 where there is none."""
    n = np.maximum(seen.sum(axis=1), 1)
    means = (costs * seen).sum(axis=1) / n
    variances = (((costs - means[:, None]) ** 2) * seen).sum(axis=1) / n
    return np.where(variances > 0, np.sqrt(variances), 1.0)


def _additive(costs: Floats, seen: NDArray[np.bool_]) -> Floats:
    """(k,) column effects plus the mean row effect, by alternating least squares."""
    rows, columns = (np.maximum(seen.sum(axis=axis), 1) for axis in (1, 0))
    own, instance = np.zeros(costs.shape[1]), np.zeros(len(costs))
    scale = float(np.abs(costs).max(initial=0.0)) or 1.0
    for _ in range(SWEEPS):
        instance = ((costs - own) * seen).sum(axis=1) / rows
        after = ((costs - instance[:, None]) * seen).sum(axis=0) / columns
        done = float(np.abs(after - own).max(initial=0.0)) <= TOLERANCE * scale
        own = after
        if done:
            break
    return np.asarray(own + (instance.mean() if len(instance) else 0.0))
