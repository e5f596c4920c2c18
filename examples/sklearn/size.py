"""A classifier chosen by accuracy and size: a race over a score of both.

python -m examples.sklearn.size
"""

from __future__ import annotations

from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from racing.sklearn import RaceSearchCV

GRID = {"min_samples_leaf": [1, 2, 5, 10, 20], "criterion": ["gini", "entropy"]}
PRICE = 0.002
"""The accuracy that one leaf less is worth."""


def measured(tree: DecisionTreeClassifier, X: Any, y: Any) -> dict[str, float]:
    """Several metrics of a fitted tree: higher is better, so leaves are negative."""
    accuracy, leaves = tree.score(X, y), int(tree.get_n_leaves())
    return {"accuracy": accuracy, "leaves": -leaves, "worth": accuracy - PRICE * leaves}


def tune(n_repeats: int = 3, *, refit: str = "worth") -> RaceSearchCV:
    """The fitted search, raced by the metric of this name."""
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=n_repeats, random_state=1)
    search = RaceSearchCV(
        DecisionTreeClassifier(random_state=1), GRID, scoring=measured, refit=refit, cv=cv,
        random_state=1,
    )  # fmt: skip
    return search.fit(*load_breast_cancer(return_X_y=True))


def main() -> None:
    """Tune by accuracy alone, and by both."""
    for refit in ("accuracy", "worth"):
        search = tune(refit=refit)
        found, best = search.cv_results_, search.best_index_
        accuracy, leaves = found["mean_test_accuracy"][best], -found["mean_test_leaves"][best]
        whole = len(found["params"]) * search.n_splits_
        print(f"by {refit}: accuracy {accuracy:.3f}, {leaves:.1f} leaves, {search.best_params_}")
        print(f"  {search.n_fits_} of {whole} fits")


if __name__ == "__main__":
    main()
