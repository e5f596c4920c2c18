"""All settings of a classifier on one fold, computed together.

A table needs the accuracy of 60 settings on each fold, and fits of small data are mostly overhead.
So settings share what they have in common: support vector machines one kernel matrix for each
gamma, neighbours one search for each metric; trees are given arrays that need no conversion. The
accuracies are those of the classifiers fitted one by one, which the tests check.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Settings = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Fold:
    """Scaled samples to fit and to score."""

    X: NDArray[np.float64]
    y: NDArray[Any]
    X_test: NDArray[np.float64]
    y_test: NDArray[Any]


def vectors(fold: Fold, settings: Settings) -> list[float]:
    """Support vector machines: a kernel matrix for each gamma."""
    from sklearn.metrics.pairwise import rbf_kernel
    from sklearn.svm import SVC

    kernels = {
        gamma: (rbf_kernel(fold.X, gamma=gamma), rbf_kernel(fold.X_test, fold.X, gamma=gamma))
        for gamma in {one["gamma"] for one in settings}
    }
    found = []
    for one in settings:
        inner, outer = kernels[one["gamma"]]
        fitted = SVC(C=one["C"], kernel="precomputed").fit(inner, fold.y)
        found.append(float((fitted.predict(outer) == fold.y_test).mean()))
    return found


def neighbours(fold: Fold, settings: Settings) -> list[float]:
    """Nearest neighbours: one search for each metric, votes added up neighbour by neighbour."""
    votes = {p: _votes(fold, p, settings) for p in {one["p"] for one in settings}}
    return [float(votes[one["p"]][one["weights"]][one["n_neighbors"] - 1]) for one in settings]


def _votes(fold: Fold, p: int, settings: Settings) -> dict[str, NDArray[np.float64]]:
    """Accuracy by the number of neighbours, for each weighting."""
    from sklearn.neighbors import NearestNeighbors

    classes, codes = np.unique(fold.y, return_inverse=True)
    most = max(one["n_neighbors"] for one in settings)
    distances, near = NearestNeighbors(n_neighbors=most, p=p).fit(fold.X).kneighbors(fold.X_test)
    chosen = np.eye(len(classes))[codes[near]]
    with np.errstate(divide="ignore"):  # at distance 0 only those at distance 0 count
        inverse = np.where(distances[:, :1] == 0, distances == 0, 1 / distances)
    found = {}
    for name, weights in (("uniform", np.ones_like(distances)), ("distance", inverse)):
        winners = classes[(chosen * weights[:, :, None]).cumsum(axis=1).argmax(axis=2)]
        found[name] = (winners == fold.y_test[:, None]).mean(axis=0)
    return found


def trees(fold: Fold, settings: Settings) -> list[float]:
    """Decision trees on arrays of their own type."""
    from sklearn.tree import DecisionTreeClassifier

    X, X_test = (np.ascontiguousarray(one, np.float32) for one in (fold.X, fold.X_test))
    y = fold.y.astype(np.float64)
    found = []
    for one in settings:
        tree = DecisionTreeClassifier(random_state=0, **one).fit(X, y, check_input=False)
        found.append(float((tree.predict(X_test, check_input=False) == fold.y_test).mean()))
    return found


def one_by_one(
    make: Callable[..., Any], fold: Fold, settings: Settings
) -> tuple[list[float], list[float]]:
    """(accuracies, seconds of processor time) of fits as a search does them."""
    accuracies, seconds = [], []
    for one in settings:
        begun = time.process_time()
        accuracies.append(float(make(**one).fit(fold.X, fold.y).score(fold.X_test, fold.y_test)))
        seconds.append(time.process_time() - begun)
    return accuracies, seconds
