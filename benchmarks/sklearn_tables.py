"""Score tables for the benchmark of searches in scikit-learn: all candidates on all folds.

For each data set, pipeline and seed, half of the data (at most `TRAIN` samples) is for the search:
60 candidates on 10-fold cross-validation, repeated 3 times. Every candidate is also refitted on all
of that half and scored on the rest (at most `TEST` samples). A search that asks for a fit reads the
table, so that many searches can be compared on the same fits.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

TRAIN, TEST = 240, 1000
FOLDS, REPEATS = 10, 3

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Table:
    """What all fits of one search would come to.

    Attributes
    ----------
    scores : (candidates, folds) accuracies.
    test : (candidates,) accuracies of the refitted candidates on data that no fold has.
    seconds
        Mean time of a fit with its score.
    """

    data: str
    pipeline: str
    seed: int
    scores: Floats
    test: Floats
    seconds: float


def data_sets() -> dict[str, Callable[[int], tuple[Any, Any]]]:
    """Name → seed → (X, y); generated ones are drawn anew for each seed."""
    from sklearn import datasets

    def generated(**options: Any) -> Callable[[int], tuple[Any, Any]]:
        return lambda seed: datasets.make_classification(1200, random_state=seed, **options)

    def bundled(load: Any) -> Callable[[int], tuple[Any, Any]]:
        return lambda seed: load(return_X_y=True)

    return {
        "iris": bundled(datasets.load_iris),
        "wine": bundled(datasets.load_wine),
        "breast cancer": bundled(datasets.load_breast_cancer),
        "digits": bundled(datasets.load_digits),
        "moons": lambda seed: datasets.make_moons(1200, noise=0.3, random_state=seed),
        "circles": lambda seed: datasets.make_circles(
            1200, noise=0.2, factor=0.5, random_state=seed
        ),
        "quantiles": lambda seed: datasets.make_gaussian_quantiles(
            n_samples=1200, n_features=6, n_classes=3, random_state=seed
        ),
        "few informative": generated(n_features=30, n_informative=4, flip_y=0.05),
        "three classes": generated(n_features=10, n_informative=6, n_classes=3, class_sep=0.8),
    }


@dataclass(frozen=True)
class Pipeline:
    """A scaler, and a classifier with a grid of 60 settings."""

    make: Callable[..., Any]
    grid: Mapping[str, tuple[Any, ...]]

    def settings(self) -> list[dict[str, Any]]:
        """The candidates, in the order of scikit-learn's `ParameterGrid`."""
        from sklearn.model_selection import ParameterGrid

        return list(ParameterGrid({name: list(values) for name, values in self.grid.items()}))


def pipelines() -> dict[str, Pipeline]:
    """The classifiers and their grids."""
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    return {
        "SVC": Pipeline(
            SVC, {"C": tuple(np.logspace(-2, 4, 10)), "gamma": tuple(np.logspace(-4, 1, 6))}
        ),
        "neighbours": Pipeline(
            KNeighborsClassifier,
            {
                "n_neighbors": (1, 2, 3, 4, 5, 7, 9, 12, 15, 19, 24, 30, 37, 45, 55),
                "weights": ("uniform", "distance"),
                "p": (1, 2),
            },
        ),
        "tree": Pipeline(
            lambda **options: DecisionTreeClassifier(random_state=0, **options),
            {
                "max_depth": (1, 2, 3, 5, 8, 12),
                "min_samples_leaf": (1, 3, 6, 12, 25),
                "criterion": ("gini", "entropy"),
            },
        ),
    }


def split(data: str, seed: int) -> tuple[Any, Any, Any, Any]:
    """(X, y, X_test, y_test) of a data set."""
    from sklearn.model_selection import train_test_split

    X, y = data_sets()[data](seed)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=seed)
    return X[:TRAIN], y[:TRAIN], X_test[:TEST], y_test[:TEST]


def folds(seed: int) -> Any:
    """The splitter of a search."""
    from sklearn.model_selection import RepeatedStratifiedKFold

    return RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=seed)


def make(data: str, pipeline: str, seed: int) -> Table:
    """Fit everything. The scaler is fitted once for each fold, as it is the same for all."""
    import time

    from sklearn.preprocessing import StandardScaler

    kind = pipelines()[pipeline]
    X, y, X_test, y_test = split(data, seed)
    everything = np.arange(len(y))
    parts = [*folds(seed).split(X, y), (everything, None)]
    columns = []
    begun = time.perf_counter()
    for train, test in parts:
        scaler = StandardScaler().fit(X[train])
        fitted = scaler.transform(X[train]), y[train]
        held = (X_test, y_test) if test is None else (X[test], y[test])
        held = scaler.transform(held[0]), held[1]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            columns.append([kind.make(**s).fit(*fitted).score(*held) for s in kind.settings()])
    seconds = (time.perf_counter() - begun) / (len(parts) * len(columns[0]))
    scores = np.array(columns).T
    return Table(data, pipeline, seed, scores[:, :-1], scores[:, -1], seconds)


def make_all(seeds: int, *, small: bool = False) -> Iterator[Table]:
    """Tables of all data sets and pipelines, seed after seed."""
    data = list(data_sets())[:2] if small else list(data_sets())
    kinds = ["neighbours"] if small else list(pipelines())
    for seed, name, kind in itertools.product(range(1, seeds + 1), data, kinds):
        yield make(name, kind, seed)


def save(path: Any, tables: list[Table]) -> None:
    """Write tables into one file."""
    np.savez_compressed(
        path,
        names=np.array([(t.data, t.pipeline, str(t.seed)) for t in tables]),
        scores=np.array([t.scores for t in tables], dtype=np.float32),
        test=np.array([t.test for t in tables], dtype=np.float32),
        seconds=np.array([t.seconds for t in tables]),
    )


def load(path: Any) -> list[Table]:
    """Read what `save` wrote."""
    found = np.load(path)
    rows = zip(found["names"], found["scores"], found["test"], found["seconds"], strict=True)
    return [
        Table(str(name[0]), str(name[1]), int(name[2]),
              scores.astype(np.float64), test.astype(np.float64), float(seconds))
        for name, scores, test, seconds in rows
    ]  # fmt: skip
