"""A pipeline tuned by a race: the two lines that differ from a grid search are marked.

python -m examples.sklearn.pipeline
"""

from __future__ import annotations

from sklearn.datasets import load_wine
from sklearn.model_selection import RepeatedStratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from racing.sklearn import RaceSearchCV  # instead of: sklearn.model_selection import GridSearchCV

GRID = {"svc__C": [0.01, 0.1, 1, 10, 100], "svc__gamma": [0.0001, 0.001, 0.01, 0.1, 1]}


def tune(
    n_splits: int = 10, n_repeats: int = 3, *, log: str | None = None
) -> tuple[RaceSearchCV, float]:
    """(the fitted search, its accuracy on data that it has not seen); with a log, if one is named.

    `racing report LOG` makes a page of it.
    """
    X, X_test, y, y_test = train_test_split(*load_wine(return_X_y=True), random_state=1)
    cv = RepeatedStratifiedKFold(n_splits=n_splits, n_repeats=n_repeats, random_state=1)
    search = RaceSearchCV(  # instead of: GridSearchCV(
        make_pipeline(StandardScaler(), SVC()), GRID, cv=cv, random_state=1, log=log
    ).fit(X, y)
    return search, search.score(X_test, y_test)


def main() -> None:
    """Tune, and say what it took and who left why."""
    search, accuracy = tune()
    whole = len(search.cv_results_["params"]) * search.n_splits_
    print(f"best: {search.best_params_}")
    print(f"{search.n_fits_} of {whole} fits; accuracy on held-out data {accuracy:.3f}")
    for verdict in search.race_.verdicts:
        for left in verdict.eliminated[:1]:
            print(
                f"after {verdict.instances} folds {len(verdict.eliminated)} left as {left.reason}: "
                f"of #{left.candidate} the {left.measure} was {left.value:.2g}, "
                f"threshold {left.threshold:.2g}"
            )


if __name__ == "__main__":
    main()
