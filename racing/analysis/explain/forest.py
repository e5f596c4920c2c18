"""A random forest that predicts the level of configurations, and its quality; extra `sklearn`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, require

Floats = NDArray[np.float64]
Tree: TypeAlias = Callable[[Floats], Floats]
"""Rows on the unit scale, (n, d) with NaN = inactive → predictions, (n,); lower is better."""

LEAST = 10
"""Configurations below which no forest is fitted."""

FOLDS = 5

POOR = 0.3
"""R² below which the forest says little."""


@dataclass(frozen=True, kw_only=True)
class Forest:
    """A fitted forest.

    Attributes
    ----------
    trees
        Each a function from rows to predictions.
    r2
        Share of the variance that such forests explain of configurations that they were not fitted
        to (cross-validation), weighted as the fit was; at most 1, and 0 or less for a forest that
        explains nothing. None where there is no variance.
    configurations
        How many it was fitted to.
    """

    trees: tuple[Tree, ...]
    r2: float | None
    configurations: int

    @property
    def poor(self) -> bool:
        """Whether it explains little of the configurations' level."""
        return self.r2 is None or self.r2 < POOR


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
    return Forest(trees=grow(every), r2=r2, configurations=len(points))


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
