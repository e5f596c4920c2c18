"""Small searches, and estimators that misbehave: at the top of a module, so that they travel."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from racing.sklearn import RaceSearchCV

X, y = make_classification(120, n_features=5, flip_y=0.1, random_state=1)
GRID = {"n_neighbors": [1, 7, 15, 45], "weights": ["uniform", "distance"]}
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=1)


def search(param_space: Any = GRID, estimator: Any = None, **options: Any) -> RaceSearchCV:
    """A search over neighbours."""
    options.setdefault("cv", CV)
    return RaceSearchCV(estimator or KNeighborsClassifier(), param_space, **options)


class Scripted(ClassifierMixin, BaseEstimator):
    """Predicts the class that is more frequent, with a share of answers turned; or fails.

    `fails_on` is a size of the training set, or "all"; `quality` of 1 never turns an answer.
    """

    def __init__(self, quality: float = 0.5, fails: str = "", loud: Any = None) -> None:
        self.quality, self.fails, self.loud = quality, fails, loud

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Scripted:
        """Remember nothing but the classes, and fail if told to."""
        if self.fails == "all" or (self.fails == "some" and int(np.abs(X.sum()) * 1e6) % 2):
            raise RuntimeError(f"cannot fit with quality {self.quality}")
        if self.fails == "interrupt":
            raise KeyboardInterrupt
        self.classes_ = np.unique(y)
        self.weights_ = None if sample_weight is None else np.asarray(sample_weight)
        return self

    def predict(self, X: Any) -> Any:
        """One class."""
        return np.full(len(X), self.classes_[0])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The quality, and a little noise that depends on the data."""
        if self.fails == "nan":
            return float("nan")
        return self.quality + 0.01 * float(np.sin(1e3 * X[0, 0]))
