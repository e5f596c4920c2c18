"""Outcomes of configurations on different instances → one value for each configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.core.objective import Objective
from racing.search.scores import penalised
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]
Scale = Literal["cost", "log", "rank"]

SINGULAR = 1e-10
"""Of the largest singular value: what is below it counts as 0."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Levels:
    """The cost of each configuration, as if all had been run on the same instances.

    Attributes
    ----------
    values : (k,)
        Lower is better. In units of `scale`; NaN for configurations that never ran.
    counts : (k,)
        On how many instances each ran.
    scale
        What was fitted: costs, their logarithms, or ranks on an instance as shares of all
        configurations.
    """

    values: Floats
    counts: Floats
    scale: Scale


def scales(costs: Floats, objective: Objective) -> tuple[Scale, ...]:
    """The scales of costs to fit: `rank` for this objective; else `cost`, and `log` if possible.

    A model decides which of two is better.

    Parameters
    ----------
    costs : (T, k)
        As for `levels`.
    """
    if objective == "rank":
        return ("rank",)
    finite = costs[np.isfinite(costs)]
    return ("cost", "log") if finite.size and finite.min() > 0 else ("cost",)


def levels(costs: Floats, scale: Scale = "cost") -> Levels:
    """Fit cost = configuration + instance by least squares.

    Configurations that were dropped early have seen few instances, perhaps hard ones; the model
    takes out what the instances do.

    Parameters
    ----------
    costs : (T, k)
        Rows are instances; NaN = not run, +inf = failed, which counts as one range above the worst.
    scale
        One of `scales`: fitted are costs, their logarithms, or ranks on each instance.
    """
    seen = ~np.isnan(costs)
    known = seen.any(axis=1)
    costs, seen = costs[known], seen[known]
    values = _additive(_scaled(costs, seen, scale), seen)
    counts = seen.sum(axis=0).astype(float)
    return Levels(values=np.where(counts > 0, values, np.nan), counts=counts, scale=scale)


def _scaled(costs: Floats, seen: NDArray[np.bool_], scale: Scale) -> Floats:
    """(T, k) the fitted values; 0 where not run, failures worse than all known costs."""
    if scale == "rank":
        return _shares(costs, seen)
    failed = seen & np.isinf(costs)
    filled = np.where(seen & ~failed, costs, 1.0)
    if scale == "log":
        filled = np.log(filled)
    if failed.any():
        filled = penalised(filled, failed | ~seen)
    return np.where(seen, filled, 0.0)


def _shares(costs: Floats, seen: NDArray[np.bool_]) -> Floats:
    """(T, k) ranks as shares of all configurations; failures share the last ranks.

    Those that did not run on an instance were dropped before it, as a rule, so the best of few that
    are left is not far ahead of them.
    """
    runs, good = seen.sum(axis=1), (seen & np.isfinite(costs)).sum(axis=1)
    failure = ((good + 1 + runs) / 2)[:, None]  # not counting what was not run
    ranks = rank_rows(np.where(seen, costs, np.inf), check=False)
    ranks = np.where(np.isinf(costs), failure, ranks)
    return np.where(seen, ranks / costs.shape[1], 0.0)


def _additive(costs: Floats, seen: NDArray[np.bool_]) -> Floats:
    """(k,) column effects plus the mean row effect, by least squares.

    The normal equations of a two-way layout with gaps: Searle (1987), Linear Models for Unbalanced
    Data, sec. 4.9. The column effects are eliminated, so that one equation is left for each row;
    what they leave open (a constant, and one more for each part of a table that falls apart) is as
    small as possible.
    """
    met = seen.astype(float)
    rows, columns = (np.maximum(met.sum(axis=axis), 1) for axis in (1, 0))
    means = (costs * met).sum(axis=0) / columns
    left = np.diag(rows) - (met / columns) @ met.T
    instance = np.linalg.lstsq(left, ((costs - means) * met).sum(axis=1), rcond=SINGULAR)[0]
    own = means - (instance @ met) / columns
    return np.asarray(own + (instance.mean() if len(instance) else 0.0))
