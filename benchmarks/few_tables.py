"""Tables for searches with few evaluations: what configurations cost on each instance.

Two kinds of models, each on two data sets of scikit-learn, and a real program. The default and 250
configurations, drawn at random, are run on five instances: five parts of the data to test on, or
five files to compress. A search runs over the whole space; what it asks for costs what the nearest
configuration of the table does. Each table is made once, and kept in build/few.
"""

from __future__ import annotations

import lzma
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.space import Categorical, Configuration, Integer, Real, Space

Floats = NDArray[np.float64]

ROWS, INSTANCES, SEED = 250, 5, 44
_SAMPLES = 300
_KEPT = Path(__file__).parent.parent / "build" / "few"


@dataclass(frozen=True)
class Task:
    """A space, and the cost of a configuration on each of the instances."""

    space: Space
    costs: Callable[[Configuration], list[float]]


@dataclass(frozen=True)
class Table:
    """Configurations as points, and their costs.

    Attributes
    ----------
    points : (n, d)
        The default first; categories by index.
    costs : (n, INSTANCES)
    """

    space: Space
    points: Floats
    costs: Floats

    def row(self, values: Configuration) -> int:
        """The nearest configuration: numbers by distance on the unit scale, categories by level."""
        apart = np.abs(self.points - self.space.encoding.encode([values])[0])
        categories = [kind == "category" for kind in self.space.encoding.kinds]
        apart[:, categories] = np.minimum(apart[:, categories], 1)
        return int((apart**2).sum(axis=1).argmin())

    def regret(self, values: Configuration, instances: int) -> float:
        """Of the mean over the first instances: 0 the best of the table, 1 the default."""
        means = self.costs[:, :instances].mean(axis=1)
        return float((means[self.row(values)] - means.min()) / (means[0] - means.min()))


@cache
def table(name: str) -> Table:
    """The table of this name; it is made if it is not there."""
    task, file = TASKS[name](), _KEPT / f"{name}.npz"
    if not file.exists():
        rng = np.random.default_rng(SEED)
        configurations = [task.space.default(), *task.space.sample(rng, ROWS)]
        costs = [task.costs(one) for one in configurations]
        _KEPT.mkdir(parents=True, exist_ok=True)
        np.savez(file, points=task.space.encoding.encode(configurations), costs=costs)
    with np.load(file) as kept:
        return Table(task.space, kept["points"], kept["costs"])


# --- models -------------------------------------------------------------------------------------


def _boosted(data: str, *, classes: bool) -> Task:
    """Gradient boosting of trees."""
    space = Space(
        {
            "learning_rate": Real(0.005, 1, log=True, default=0.1),
            "max_iter": Integer(5, 100, log=True, default=100),
            "max_leaf_nodes": Integer(2, 64, log=True, default=31),
            "min_samples_leaf": Integer(1, 60, log=True, default=20),
            "l2_regularization": Real(1e-6, 100, log=True, default=1e-6),
            "max_features": Real(0.05, 1, default=1),
        }
    )

    def make(values: Mapping[str, Any]) -> Any:
        from sklearn import ensemble

        kind = "Classifier" if classes else "Regressor"
        model = getattr(ensemble, f"HistGradientBoosting{kind}")
        return model(random_state=0, early_stopping=False, **values)

    return Task(space, _errors(data, make, classes=classes))


def _network(data: str, *, classes: bool) -> Task:
    """A neural network with one hidden layer."""
    space = Space(
        {
            "hidden": Integer(2, 100, log=True, default=100),
            "alpha": Real(1e-6, 10, log=True, default=1e-4),
            "learning_rate_init": Real(1e-4, 0.3, log=True, default=1e-3),
            "batch_size": Integer(8, 200, log=True, default=200),
            "max_iter": Integer(5, 60, log=True, default=30),
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

    return Task(space, _errors(data, make, classes=classes))


def _errors(
    data: str, make: Callable[[Mapping[str, Any]], Any], *, classes: bool
) -> Callable[[Configuration], list[float]]:
    """A configuration's errors on five parts of the data: log loss, or the root of squares."""
    from sklearn import datasets, model_selection

    x, y = getattr(datasets, f"load_{data}")(return_X_y=True)
    some = np.random.default_rng(SEED).permutation(len(x))[:_SAMPLES]
    folds = model_selection.KFold(INSTANCES)
    measure = "neg_log_loss" if classes else "neg_root_mean_squared_error"

    def costs(values: Configuration) -> list[float]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = model_selection.cross_val_score(
                make(values), x[some], y[some], cv=folds, scoring=measure
            )
        return [float(-score) for score in scores]

    return costs


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

    def costs(values: Configuration) -> list[float]:
        chosen = {"id": lzma.FILTER_LZMA2, **values}
        chosen |= {"mode": modes[str(values["mode"])], "mf": finders[str(values["mf"])]}
        return [math.log(len(lzma.compress(one, filters=[chosen]))) for one in files]

    return Task(space, costs)


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
    "boosting-cancer": lambda: _boosted("breast_cancer", classes=True),
    "network-digits": lambda: _network("digits", classes=True),
    "xz": _compressed,
}

CHOOSING, REPORTING = (
    ("boosting-diabetes", "network-cancer"),
    (
        "boosting-cancer",
        "network-digits",
        "xz",
    ),
)
