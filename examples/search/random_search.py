"""A random search over the settings of a scikit-learn pipeline that lets a race do the fitting.

    python -m examples.search.random_search

A plain random search fits every sampled setting on every fold of a cross-validation. Here the
search keeps the loop, and a race says which setting to fit on which fold next; settings that are
clearly worse than another are not fitted any more. The folds are the race's instances: any Python
objects can be.

Folds share training data, so their scores are not independent, and the race's error rate is not
exactly what its rule states: good enough to save time, no proof that one setting is better.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy.stats import loguniform, randint
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.model_selection import ParameterSampler, RepeatedStratifiedKFold, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

import racing

SETTINGS = {
    "pca__n_components": randint(5, 60),
    "pca__whiten": [False, True],
    "svc__C": loguniform(0.01, 1000),
    "svc__gamma": loguniform(0.0001, 1),
    "svc__kernel": ["linear", "rbf", "poly"],
}
DEFAULT: dict[str, Any] = {}

Fold = tuple[np.ndarray, np.ndarray]  # the rows to fit on, and those held back


@dataclass(frozen=True)
class Data:
    """Samples and their labels."""

    X: np.ndarray
    y: np.ndarray

    def rows(self, chosen: np.ndarray) -> Data:
        """Some of the samples."""
        return Data(self.X[chosen], self.y[chosen])

    def error(self, values: Mapping[str, Any], train: np.ndarray, test: Data) -> float:
        """The share of `test` that the pipeline gets wrong when fitted on the rows `train`."""
        pipeline = Pipeline([("scale", StandardScaler()), ("pca", PCA()), ("svc", SVC())])
        with threadpool_limits(1):  # so little data is slower on several threads
            pipeline.set_params(**values).fit(self.X[train], self.y[train])
            return 1.0 - float(pipeline.score(test.X, test.y))


def load(size: int) -> tuple[Data, Data]:
    """Handwritten digits: `size` of them to search on, and as many again to test on."""
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(
        X, y, train_size=size, test_size=size, stratify=y, random_state=0
    )
    return Data(X, y), Data(X_test, y_test)


def sampled(n: int, seed: int) -> Iterator[dict[str, Any]]:
    """The pipeline's own default, then `n` random settings."""
    yield DEFAULT
    for values in ParameterSampler(SETTINGS, n_iter=n, random_state=seed):
        yield {name: getattr(value, "item", lambda v=value: v)() for name, value in values.items()}


def search(data: Data, *, settings: int, repeats: int, seed: int) -> racing.Race:
    """Race random settings on the folds of a repeated 5-fold cross-validation."""
    cross_validation = RepeatedStratifiedKFold(n_splits=5, n_repeats=repeats, random_state=seed)
    folds = list(cross_validation.split(data.X, data.y))
    race = racing.Race(
        sampled(settings, seed),
        racing.Instances(folds, names=[f"fold {number}" for number in range(len(folds))]),
        rule=racing.rules.MeanRanks(),
        seed=seed,
    )
    while not race.done:
        for experiment in race.ask():
            train, rest = cast(Fold, experiment.instance.problem)
            error = data.error(experiment.candidate.values, train, data.rows(rest))
            race.tell(experiment.outcome(error))
    return race


def report(race: racing.Race, data: Data, test: Data) -> str:
    """What the search came to, and what it saved."""
    everything = len(race.candidates) * race.instances_seen
    winner = race.winner or race.candidates[0]
    rows = np.arange(len(data.y))
    found, default = (data.error(values, rows, test) for values in (winner.values, DEFAULT))
    return "\n".join(
        [
            f"{race.outcomes} fits instead of {everything}.",
            f"{len(race.survivors)} of {len(race.candidates)} settings are left; the best:",
            *(f"  {name} = {value}" for name, value in winner.values.items()),
            f"Error on held-out digits: {100 * found:.2f} %; "
            f"of the default settings: {100 * default:.2f} %.",
        ]
    )


def main() -> None:
    """Search, and test what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--settings", type=int, default=50, help="random settings (default 50)")
    parser.add_argument("--repeats", type=int, default=4, help="5 folds each (default 4)")
    parser.add_argument("--size", type=int, default=300, help="digits to search on (default 300)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    data, test = load(options.size)
    race = search(data, settings=options.settings, repeats=options.repeats, seed=options.seed)
    print(report(race, data, test))


if __name__ == "__main__":
    main()
