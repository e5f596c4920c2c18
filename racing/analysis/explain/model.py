"""The random forest of a run: which parameters its costs depend on; extra `sklearn`.

Outcomes of configurations on different instances become one value for each configuration, its
level; a forest predicts these, and its variance is decomposed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from racing.analysis.explain.importance import Importance, Pair, Tree, decompose
from racing.base.errors import InputError, require
from racing.core.candidate import Candidate
from racing.core.objective import Objective
from racing.search.block import penalised
from racing.space import Space
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]
Scale = Literal["cost", "log", "rank"]

SINGULAR = 1e-10
"""Of the largest singular value: what is below it counts as 0."""

LEAST = 10
"""Configurations below which no forest is fitted."""

FOLDS = 5

POOR = 0.3
"""R² below which the forest says little."""


@dataclass(frozen=True, kw_only=True)
class Model:
    """The importances of parameters by a random forest.

    Attributes
    ----------
    configurations
        To how many the forest was fitted.
    r2, poor
        The quality of the forest, see `Forest`, and whether it says little.
    parameters
        The most important first.
    interactions
        Of the most important parameters, the strongest first.
    left_out
        How many configurations are not in it, since none of their runs worked: the shares are of
        those that work, and `regions` says where the others are.
    scale
        What the forest was fitted to: of `scales`, the one that it explains best.
    """

    configurations: int
    left_out: int
    scale: Scale
    r2: float
    poor: bool
    parameters: tuple[Importance, ...]
    interactions: tuple[Pair, ...]


def fitted(
    space: Space, candidates: Sequence[Candidate], costs: NDArray[np.float64], *,
    objective: Objective, near: Candidate, seed: int,
) -> Model:  # fmt: skip
    """The forest of all configurations and its importances.

    Parameters
    ----------
    candidates
        The k configurations.
    costs : (T, k)
        Rows are instances; NaN = not run, +inf = failed.
    near
        The configuration for importance near it.

    Raises
    ------
    InputError
        If there are too few configurations, or all cost the same.
    MissingExtra
        If scikit-learn is not installed.
    """
    useless = np.isinf(costs).any(axis=0) & ~np.isfinite(costs).any(axis=0)
    some = useless.any() and not useless.all()
    points = space.encode([one.values for one in candidates])
    kept = np.where(useless, np.nan, costs) if some else costs
    found = _best(points, kept, objective, seed)
    if found.r2 is None:
        raise InputError("all configurations cost the same")
    parameters, interactions = decompose(found.trees, space, near=near.values, seed=seed)
    return Model(
        configurations=int((~np.isnan(kept)).any(axis=0).sum()),
        left_out=int(useless.sum()) if some else 0, scale=found.scale, r2=found.r2,
        poor=found.r2 < POOR, parameters=parameters, interactions=interactions,
    )  # fmt: skip


# --- forests -----------------------------------------------------------------------------------


class Forest(NamedTuple):
    """A fitted forest.

    Attributes
    ----------
    trees
        Each a function from rows to predictions.
    r2
        Share of the variance that such forests explain of configurations that they were not fitted
        to (cross-validation), weighted as the fit was; at most 1, and 0 or less for a forest that
        explains nothing. None where there is no variance.
    scale
        What it was fitted to.
    """

    trees: tuple[Tree, ...]
    r2: float | None
    scale: Scale = "cost"


def _best(points: Floats, costs: Floats, objective: Objective, seed: int) -> Forest:
    """The forest that explains most of the data that it was not fitted to, over scales of costs."""
    forests = []
    for scale in scales(costs, objective):
        values, counts = levels(costs, scale)
        ran = counts > 0
        forest = fit(points[ran], values[ran], counts[ran], seed=seed)
        forests.append(forest._replace(scale=scale))
    return max(forests, key=lambda one: -math.inf if one.r2 is None else one.r2)


def fit(
    points: Floats, values: Floats, weights: Floats, *, seed: int = 1, trees: int = 64
) -> Forest:
    """Fit a forest (Breiman, Machine Learning 45, 2001) with scikit-learn.

    Parameters
    ----------
    points : (n, d)
        Configurations on the unit scale, NaN = inactive.
    values : (n,)
        Their levels.
    weights : (n,)
        On how many instances each rests.
    seed, trees
        Of the forest.

    Raises
    ------
    InputError
        If there are too few configurations.
    MissingExtra
        If scikit-learn is not installed.
    """
    if len(points) < LEAST:
        raise InputError(
            f"{len(points)} configurations are too few for a model; it needs {LEAST} or more"
        )
    ensemble = require("sklearn.ensemble", extra="sklearn", purpose="parameter importance")
    empty: NDArray[np.bool_] = np.all(np.isnan(points), axis=0)

    def grow(rows: NDArray[np.intp]) -> tuple[Tree, ...]:
        forest = ensemble.RandomForestRegressor(
            n_estimators=trees, min_samples_leaf=2, max_features=2 / 3, bootstrap=True,
            random_state=seed % 2**32,
        )  # fmt: skip
        inputs = np.where(empty, 0.0, points[rows])
        forest.fit(inputs, values[rows], sample_weight=weights[rows])
        return tuple(_tree(one, empty) for one in forest.estimators_)

    every = np.arange(len(points))
    r2 = _r2(values, _unseen(grow, points, np.random.default_rng(seed)), weights)
    return Forest(grow(every), r2)


def _unseen(
    grow: Callable[[NDArray[np.intp]], tuple[Tree, ...]], points: Floats, rng: np.random.Generator
) -> Floats:
    """(n,) the predictions of forests for configurations that they were not fitted to.

    By cross-validation: configurations of great weight, which scikit-learn draws into every
    bootstrap sample, have no prediction out of bag.
    """
    found = np.empty(len(points))
    for fold in np.array_split(rng.permutation(len(points)), FOLDS):
        others = np.setdiff1d(np.arange(len(points)), fold)
        found[fold] = np.mean([tree(points[fold]) for tree in grow(others)], axis=0)
    return found


def _tree(estimator: Any, empty: NDArray[np.bool_]) -> Tree:
    """One tree as a function; columns that were always inactive do not matter."""

    def predict(points: Floats) -> Floats:
        rows = np.where(empty, 0.0, points).astype(np.float32)
        return np.asarray(estimator.tree_.predict(rows)[:, 0])

    return predict


def _r2(values: Floats, predicted: Floats, weights: Floats) -> float | None:
    """1 − residual over total sum of squares, weighted; None where the values do not differ."""
    mean = float(np.average(values, weights=weights))
    total = float((weights * (values - mean) ** 2).sum())
    if total <= 0:
        return None
    return 1 - float((weights * (values - predicted) ** 2).sum()) / total


# --- levels ------------------------------------------------------------------------------------


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


def levels(costs: Floats, scale: Scale = "cost") -> tuple[Floats, Floats]:
    """(k,) the cost of each configuration, as if all had been run on the same instances.

    That is a fit of cost = configuration + instance by least squares.

    Configurations that were dropped early have seen few instances, perhaps hard ones; the model
    takes out what the instances do.

    Parameters
    ----------
    costs : (T, k)
        Rows are instances; NaN = not run, +inf = failed, which counts as one range above the worst.
    scale
        One of `scales`: fitted are costs, their logarithms, or ranks on each instance as shares of
        all configurations.

    Returns
    -------
    In units of the scale, lower is better, and NaN for configurations that never ran; and on how
    many instances each ran.
    """
    seen = ~np.isnan(costs)
    known = seen.any(axis=1)
    costs, seen = costs[known], seen[known]
    values = _additive(_scaled(costs, seen, scale), seen)
    counts = seen.sum(axis=0).astype(float)
    return np.where(counts > 0, values, np.nan), counts


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
