"""Score tables for the benchmark of searches in scikit-learn: all candidates on all folds.

For each data set, pipeline and seed, half of the data (at most `TRAIN` samples) is for the search:
60 candidates on 10-fold cross-validation, repeated 3 times. Every candidate is also refitted on all
of that half and scored on the rest (at most `TEST` samples). A search that asks for a fit reads the
table, so that many searches can be compared on the same fits. Each table is saved in a file of its
own as soon as it is made, and is not made again.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.sklearn_columns import Fold, Settings, neighbours, one_by_one, trees, vectors

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
    seconds : (candidates,) processor time of a fit with its score, on the first fold.
    """

    data: str
    pipeline: str
    seed: int
    scores: Floats
    test: Floats
    seconds: Floats


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
    column: Callable[[Fold, Settings], list[float]]
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
            SVC,
            vectors,
            {"C": tuple(np.logspace(-2, 4, 10)), "gamma": tuple(np.logspace(-4, 1, 6))},
        ),
        "neighbours": Pipeline(
            KNeighborsClassifier,
            neighbours,
            {
                "n_neighbors": (1, 2, 3, 4, 5, 7, 9, 12, 15, 19, 24, 30, 37, 45, 55),
                "weights": ("uniform", "distance"),
                "p": (1, 2),
            },
        ),
        "tree": Pipeline(
            lambda **options: DecisionTreeClassifier(random_state=0, **options),
            trees,
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


def folds(seed: int, n: int = FOLDS * REPEATS) -> Any:
    """The splitter of a search, with n folds: ten for each repeat."""
    from sklearn.model_selection import RepeatedStratifiedKFold

    splits = min(n, FOLDS)
    return RepeatedStratifiedKFold(n_splits=splits, n_repeats=n // splits, random_state=seed)


def make(data: str, pipeline: str, seed: int, n: int = FOLDS * REPEATS) -> Table:
    """Fit everything; the first fold also one by one, for the seconds of a fit."""
    import sklearn

    kind = pipelines()[pipeline]
    settings, parts = kind.settings(), parts_of(data, seed, n)
    with warnings.catch_warnings(), sklearn.config_context(skip_parameter_validation=True):
        warnings.simplefilter("ignore")
        _, seconds = one_by_one(kind.make, parts[0], settings)
        scores = np.array([kind.column(part, settings) for part in parts]).T
    return Table(data, pipeline, seed, scores[:, :-1], scores[:, -1], np.array(seconds))


def parts_of(data: str, seed: int, n: int = FOLDS * REPEATS) -> list[Fold]:
    """The folds, each scaled by what it fits, and last the refit with the data that no fold has."""
    from sklearn.preprocessing import StandardScaler

    X, y, X_test, y_test = split(data, seed)
    pairs = [(X[a], y[a], X[b], y[b]) for a, b in folds(seed, n).split(X, y)]
    found = []
    for X_fit, y_fit, X_held, y_held in [*pairs, (X, y, X_test, y_test)]:
        scaler = StandardScaler().fit(X_fit)
        found.append(Fold(scaler.transform(X_fit), y_fit, scaler.transform(X_held), y_held))
    return found


def problems(seeds: int, *, small: bool = False) -> list[tuple[str, str, int]]:
    """(data set, pipeline, seed) of all tables, seed after seed."""
    data = list(data_sets())[:2] if small else list(data_sets())
    kinds = ["tree"] if small else list(pipelines())
    return [
        (name, kind, seed)
        for seed, name, kind in itertools.product(range(1, seeds + 1), data, kinds)
    ]


def path_of(folder: Path, data: str, pipeline: str, seed: int) -> Path:
    """The file of a table."""
    return folder / f"{data}-{pipeline}-{seed}.npz".replace(" ", "-")


def fetch(
    folder: Path | None, data: str, pipeline: str, seed: int, n: int = FOLDS * REPEATS
) -> Table:
    """Read a table, or make and save it; without a folder it is made."""
    if folder is None:
        return make(data, pipeline, seed, n)
    path = path_of(folder, data, pipeline, seed)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        save(path, make(data, pipeline, seed, n))
    return load(path)


def save(path: Path, table: Table) -> None:
    """Write a table; a file that is there is whole."""
    draft = path.with_name("draft-" + path.name)
    np.savez_compressed(
        draft,
        name=np.array((table.data, table.pipeline, str(table.seed))),
        scores=table.scores.astype(np.float32),
        test=table.test.astype(np.float32),
        seconds=table.seconds.astype(np.float32),
    )
    draft.replace(path)


def load(path: Path) -> Table:
    """Read what `save` wrote."""
    with np.load(path) as found:
        data, pipeline, seed = (str(part) for part in found["name"])
        scores, test, seconds = (
            found[name].astype(np.float64) for name in ("scores", "test", "seconds")
        )
    return Table(data, pipeline, int(seed), scores, test, seconds)
