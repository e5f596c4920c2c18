"""What a race in scikit-learn costs besides its fits.

    python -m benchmarks.sklearn_overhead [--milliseconds 5 50 200] [--repeats 5] [--small]

A classifier whose `fit` takes a fixed time of the processor is searched with 40 candidates on ten
folds repeated three times. The pairs of candidate and fold that the race chose are then fitted
bare: a clone is fitted on the training part of the fold and scored on the rest. Bare and raced runs
take turns, and times are of the processor with one job, so that a busy machine matters little.
GridSearchCV's own cost, over a grid with as many fits, stands beside it.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold

from racing.sklearn import RaceSearchCV

CANDIDATES, FOLDS, REPEATS = 40, 10, 3


class Timed(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts by a threshold on one feature; its fit takes a fixed time of the processor.

    Parameters
    ----------
    quantile
        Where the threshold lies.
    milliseconds
        Of processor time that a fit takes.
    """

    def __init__(self, quantile: float = 0.5, milliseconds: float = 0.0) -> None:
        self.quantile = quantile
        self.milliseconds = milliseconds

    def fit(self, X: Any, y: Any) -> Timed:
        """Use up the time."""
        end = time.thread_time() + self.milliseconds / 1000
        self.classes_ = np.unique(y)
        self.threshold_ = np.quantile(X[:, 0], self.quantile)
        while time.thread_time() < end:
            pass
        return self

    def predict(self, X: Any) -> Any:
        """The class of each sample."""
        return np.where(X[:, 0] < self.threshold_, self.classes_[1], self.classes_[0])


@dataclass(frozen=True)
class Row:
    """Seconds for each fit, over the bare fit.

    Attributes
    ----------
    milliseconds
        Of a fit, as asked for.
    fits
        How many the race did.
    bare, race, grid
        Milliseconds of a fit with its score, medians over repeats.
    """

    milliseconds: float
    fits: int
    bare: float
    race: float
    grid: float

    @property
    def overhead(self) -> float:
        """The race's cost over the bare fits, as a share of them."""
        return self.race / self.bare - 1

    @property
    def of_grid(self) -> float:
        """The same of GridSearchCV."""
        return self.grid / self.bare - 1


def measure(milliseconds: float, repeats: int, candidates: int = CANDIDATES) -> Row:
    """Bare fits, the race and the grid search in turn."""
    X, y = load_breast_cancer(return_X_y=True)
    cv = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=1)
    splits = list(cv.split(X, y))
    space = {"quantile": np.linspace(0.05, 0.95, candidates).tolist()}
    estimator = Timed(milliseconds=milliseconds)
    bare, race, grid = [], [], []
    fits = 0
    for _ in range(repeats):
        search = RaceSearchCV(estimator, space, cv=cv, refit=False, random_state=1)
        seconds = _seconds(lambda search=search: search.fit(X, y))
        fits = search.n_fits_
        race.append(seconds / fits)
        pairs = _pairs(search)
        seconds = _seconds(lambda pairs=pairs: _fit(estimator, X, y, splits, space, pairs))
        bare.append(seconds / fits)
        count = max(fits // len(splits), 1)
        fewer = {"quantile": space["quantile"][:count]}
        other = GridSearchCV(estimator, fewer, cv=cv, refit=False)
        grid.append(_seconds(lambda other=other: other.fit(X, y)) / (count * len(splits)))
    middle = [1000 * statistics.median(one) for one in (bare, race, grid)]
    return Row(milliseconds, fits, *middle)


def _pairs(search: RaceSearchCV) -> list[tuple[int, int]]:
    """(candidate, fold) of every fit of a search."""
    found = search.cv_results_
    scores = np.array([found[f"split{fold}_test_score"] for fold in range(search.n_splits_)])
    return [(int(j), int(fold)) for fold, j in zip(*np.nonzero(~np.isnan(scores)), strict=True)]


def _fit(
    estimator: Any, X: Any, y: Any, splits: Sequence[Any], space: Any, pairs: Sequence[Any]
) -> None:
    """Fit and score, and nothing else."""
    for candidate, fold in pairs:
        train, test = splits[fold]
        model = clone(estimator).set_params(quantile=space["quantile"][candidate])
        model.fit(X[train], y[train]).score(X[test], y[test])


def _seconds(run: Callable[[], object]) -> float:
    begun = time.process_time()
    run()
    return time.process_time() - begun


def table(rows: Sequence[Row]) -> str:
    """In Markdown."""
    lines = [
        "| a fit takes, ms | fits | bare, ms | raced, ms | overhead | GridSearchCV's |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {row.milliseconds:g} | {row.fits} | {row.bare:.2f} | {row.race:.2f} "
        f"| {100 * row.overhead:.1f} % | {100 * row.of_grid:.1f} % |"
        for row in rows
    ]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--milliseconds", type=float, nargs="+", default=[5, 50, 200])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--small", action="store_true", help="few candidates, one short fit")
    given = parser.parse_args(arguments)
    if given.small:
        print(table([measure(1, 1, candidates=6)]))
        return
    print(table([measure(one, given.repeats) for one in given.milliseconds]))


if __name__ == "__main__":
    main()
