"""A classifier chosen by accuracy and size: a race over a score of both, or over the front.

python -m examples.sklearn.size
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from racing.sklearn import RaceSearchCV

GRID = {"min_samples_leaf": [1, 2, 5, 10, 20], "criterion": ["gini", "entropy"]}
PRICE = 0.002
"""The accuracy that one leaf less is worth."""


def accuracy(tree: DecisionTreeClassifier, X: Any, y: Any) -> float:
    """The share of right answers."""
    return float(tree.score(X, y))


def leaves(tree: DecisionTreeClassifier, X: Any, y: Any) -> float:
    """Higher is better, so the number of leaves is negative."""
    return -float(tree.get_n_leaves())


def worth(tree: DecisionTreeClassifier, X: Any, y: Any) -> float:
    """Both, at the price of a leaf."""
    return accuracy(tree, X, y) + PRICE * leaves(tree, X, y)


SINGLE: dict[str, Callable[..., float]] = {"accuracy": accuracy, "leaves": leaves, "worth": worth}
BOTH: dict[str, Callable[..., float]] = {"accuracy": accuracy, "leaves": leaves}


def tune(n_repeats: int = 3, *, refit: str = "worth") -> RaceSearchCV:
    """The fitted search, raced by the metric of this name, or by the front for `knee`."""
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=n_repeats, random_state=1)
    search = RaceSearchCV(
        DecisionTreeClassifier(random_state=1), GRID, refit=refit, cv=cv, random_state=1,
        scoring=BOTH if refit == "knee" else SINGLE,
    )  # fmt: skip
    return search.fit(*load_breast_cancer(return_X_y=True))


def main() -> None:
    """Tune by accuracy alone, by both at a price, and by the front of both."""
    for refit in ("accuracy", "worth", "knee"):
        search = tune(refit=refit)
        whole = len(search.cv_results_["params"]) * search.n_splits_
        print(f"by {refit}: {_told(search, search.best_index_)}")
        print(f"  {search.n_fits_} of {whole} fits")
    print("the front:")
    for row, on_front in enumerate(search.cv_results_["on_front"]):
        if on_front:
            print(f"  {_told(search, row)}")


def _told(search: RaceSearchCV, row: int) -> str:
    """The scores and the parameters of a candidate."""
    found = search.cv_results_
    right, size = found["mean_test_accuracy"][row], -found["mean_test_leaves"][row]
    return f"accuracy {right:.3f}, {size:.1f} leaves, {found['params'][row]}"


if __name__ == "__main__":
    main()
