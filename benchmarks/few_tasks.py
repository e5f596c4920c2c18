"""Targets for searches with few evaluations: models of three kinds, and a program.

The cost of a configuration on an instance is an error on one of five parts of the data, of a model
that is fitted to the others, or the size of one of five files that a program has compressed. No
cost has noise. A run takes some milliseconds.
"""

from __future__ import annotations

import lzma
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from racing.space import Categorical, Configuration, Integer, Real, Space

INSTANCES, SEED = 5, 44
_SAMPLES = 250


@dataclass(frozen=True)
class Task:
    """A space, and the cost of a configuration on an instance."""

    space: Space
    cost: Callable[[Configuration, int], float]


# --- models -------------------------------------------------------------------------------------


def _boosted(data: str, *, classes: bool) -> Task:
    """Gradient boosting of trees."""
    space = Space(
        {
            "learning_rate": Real(0.005, 1, log=True, default=0.1),
            "n_estimators": Integer(4, 50, log=True, default=50),
            "max_leaf_nodes": Integer(2, 64, log=True, default=8),
            "min_samples_leaf": Integer(1, 60, log=True, default=1),
            "subsample": Real(0.2, 1, default=1),
            "max_features": Real(0.05, 1, default=1),
        }
    )

    def make(values: Mapping[str, Any]) -> Any:
        from sklearn import ensemble

        kind = "Classifier" if classes else "Regressor"
        return getattr(ensemble, f"GradientBoosting{kind}")(random_state=0, **values)

    return Task(space, _error(data, make, classes=classes))


def _network(data: str, *, classes: bool) -> Task:
    """A neural network with one hidden layer."""
    space = Space(
        {
            "hidden": Integer(2, 60, log=True, default=60),
            "alpha": Real(1e-6, 10, log=True, default=1e-4),
            "learning_rate_init": Real(1e-4, 0.3, log=True, default=1e-3),
            "batch_size": Integer(16, 200, log=True, default=200),
            "max_iter": Integer(3, 30, log=True, default=30),
            "activation": Categorical(["relu", "tanh", "logistic"], default="relu"),
        }
    )

    def make(values: Mapping[str, Any]) -> Any:
        from sklearn import neural_network, pipeline, preprocessing

        kind = "Classifier" if classes else "Regressor"
        own = dict(values)
        own["hidden_layer_sizes"] = (own.pop("hidden"),)
        network = getattr(neural_network, f"MLP{kind}")(random_state=0, **own)
        return pipeline.make_pipeline(preprocessing.StandardScaler(), network)

    return Task(space, _error(data, make, classes=classes))


def _vectors(data: str) -> Task:
    """Support vectors, whose kernel decides which parameters there are."""
    space = Space(
        {
            "kernel": Categorical(["rbf", "poly", "sigmoid"], default="rbf"),
            "C": Real(1e-2, 1e4, log=True, default=1),
            "epsilon": Real(1e-3, 10, log=True, default=0.1),
            "gamma": Real(1e-4, 10, log=True, default=0.1),
            "degree": Integer(2, 5, default=3, when="kernel == poly"),
            "coef0": Real(0, 3, default=0, when="kernel != rbf"),
        }
    )

    def make(values: Mapping[str, Any]) -> Any:
        from sklearn import pipeline, preprocessing, svm

        return pipeline.make_pipeline(
            preprocessing.StandardScaler(), svm.SVR(max_iter=20000, **values)
        )

    return Task(space, _error(data, make, classes=False))


def _error(
    data: str, make: Callable[[Mapping[str, Any]], Any], *, classes: bool
) -> Callable[[Configuration, int], float]:
    """A configuration's error on a part of the data: log loss, or the root of squares."""
    from sklearn import datasets, metrics, model_selection

    x, y = getattr(datasets, f"load_{data}")(return_X_y=True)
    some = np.random.default_rng(SEED).permutation(len(x))[:_SAMPLES]
    x, y = x[some], y[some]
    folds = list(model_selection.KFold(INSTANCES).split(x))

    def cost(values: Configuration, instance: int) -> float:
        train, test = folds[instance]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = make(values).fit(x[train], y[train])
            if classes:
                labels = model.classes_
                return float(metrics.log_loss(y[test], model.predict_proba(x[test]), labels=labels))
            return float(metrics.root_mean_squared_error(y[test], model.predict(x[test])))

    return cost


# --- a program ----------------------------------------------------------------------------------


def _compressed() -> Task:
    """LZMA, as in xz and 7-Zip: the logarithm of the compressed size."""
    finders = {
        name: getattr(lzma, f"MF_{name.upper()}") for name in ("hc3", "hc4", "bt2", "bt3", "bt4")
    }
    modes = {"fast": lzma.MODE_FAST, "normal": lzma.MODE_NORMAL}
    space = Space(
        {
            "dict_size": Integer(4096, 2**20, log=True, default=65536),
            "lc": Integer(0, 2, default=0),
            "lp": Integer(0, 2, default=2),
            "pb": Integer(0, 4, default=2),
            "mode": Categorical(list(modes), default="fast"),
            "nice_len": Integer(5, 273, log=True, default=32),
            "mf": Categorical(list(finders), default="hc3"),
            "depth": Integer(1, 200, log=True, default=4),
        }
    )
    files = _files()

    def cost(values: Configuration, instance: int) -> float:
        chosen = {"id": lzma.FILTER_LZMA2, **values}
        chosen |= {"mode": modes[str(values["mode"])], "mf": finders[str(values["mf"])]}
        return math.log(len(lzma.compress(files[instance], filters=[chosen])))

    return Task(space, cost)


def _files() -> list[bytes]:
    """Five texts of about the same length: the numbers of data sets."""
    from sklearn import datasets

    names = ("digits", "breast_cancer", "diabetes", "wine", "iris")
    texts = []
    for name in names:
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        lines = (
            ",".join(f"{value:g}" for value in (*row, label))
            for row, label in zip(x, y, strict=True)
        )
        texts.append("\n".join(lines).encode()[:60000])
    return texts


TASKS: Mapping[str, Callable[[], Task]] = {
    "boosting-diabetes": lambda: _boosted("diabetes", classes=False),
    "network-cancer": lambda: _network("breast_cancer", classes=True),
    "vectors-diabetes": lambda: _vectors("diabetes"),
    "boosting-cancer": lambda: _boosted("breast_cancer", classes=True),
    "network-digits": lambda: _network("digits", classes=True),
    "xz": _compressed,
}

CHOOSING = ("boosting-diabetes", "network-cancer", "vectors-diabetes")
REPORTING = ("boosting-cancer", "network-digits", "xz")
