"""A random forest from configurations to their level, and how good it is; extra `sklearn`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.errors import InputError, require

Floats = NDArray[np.float64]
Tree: TypeAlias = Callable[[Floats], Floats]
"""Rows on the unit scale, (n, d) with NaN = inactive → predictions, (n,); lower is better."""

LEAST = 10
"""Configurations below which no forest is fitted."""

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
        Share of the variance that it explains of configurations that it was not fitted to (out of
        bag), weighted as the fit was; at most 1, and 0 or less for a forest that explains nothing.
    configurations
        How many it was fitted to.
    """

    trees: tuple[Tree, ...]
    r2: float
    configurations: int

    @property
    def poor(self) -> bool:
        """Whether it says little about the configurations."""
        return not self.r2 >= POOR


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
    forest = ensemble.RandomForestRegressor(
        n_estimators=trees, min_samples_leaf=2, max_features=2 / 3, bootstrap=True,
        oob_score=True, random_state=seed % 2**32,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Some inputs do not have OOB scores")
        forest.fit(np.where(empty, 0.0, points), values, sample_weight=weights)
    grown = tuple(_tree(one, empty) for one in forest.estimators_)
    r2 = _r2(values, np.asarray(forest.oob_prediction_, dtype=float), weights)
    return Forest(trees=grown, r2=r2, configurations=len(points))


def _tree(estimator: Any, empty: NDArray[np.bool_]) -> Tree:
    """One tree as a function; columns that were always inactive do not matter."""

    def predict(points: Floats) -> Floats:
        rows = np.where(empty, 0.0, points).astype(np.float32)
        return np.asarray(estimator.tree_.predict(rows)[:, 0])

    return predict


def _r2(values: Floats, predicted: Floats, weights: Floats) -> float:
    """1 − residual over total sum of squares, weighted; NaN where the values do not differ."""
    mean = float(np.average(values, weights=weights))
    total = float((weights * (values - mean) ** 2).sum())
    if total <= 0:
        return float("nan")
    return 1 - float((weights * (values - predicted) ** 2).sum()) / total
